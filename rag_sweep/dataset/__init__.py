"""Documents and GOLD: their formats on disk, and every fault that such files can have."""

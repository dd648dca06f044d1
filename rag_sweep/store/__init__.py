"""What was computed once, kept on disk by the hash of all that went into it."""

"""One use case: find sweeps or runs, compare what they hold, and leave the report where it is looked for."""

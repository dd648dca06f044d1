"""The command: parse, one call, print, exit code."""

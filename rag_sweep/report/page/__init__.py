"""The HTML page of a comparison: one file, put together from the files beside this one."""

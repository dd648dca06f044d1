"""The HTML page of a comparison: one file that needs nothing else, put together from the files beside this one."""

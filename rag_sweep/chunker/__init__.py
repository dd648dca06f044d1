"""Chunkers: a text to the exact character spans of its passages.

All of them keep one promise: every word ``[^\\W_]+`` of the text is whole in at least one passage. The first
passage starts at 0 and the last one ends at the end of the text; white space at other borders is left out.
"""

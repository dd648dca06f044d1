"""The record of a sweep on disk: every result is here, whole, before anybody is told of it."""

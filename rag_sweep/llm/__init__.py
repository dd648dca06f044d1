"""Calls of language models: each asked once, within a budget, and never a number where there is none."""

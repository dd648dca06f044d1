"""Answers: written, judged, compared; a layer of its own, never mixed with the values of retrieval."""

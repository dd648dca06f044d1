"""Embedders: texts to vectors, and the exact cosine search over them."""

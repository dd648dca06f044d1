"""Questions with the context that an answer must be true to, and the answers that were given."""

"""The proof that what is served returns what was measured: golden questions, asked again."""

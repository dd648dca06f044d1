"""Who writes answers: a case to an answer, offline by default."""

"""What a matrix of values says: intervals, differences, the set of the best, honest value, power, effects.

Pure functions of `values`, float64 of shape (configurations, questions): one measure over the answerable
questions. Everything is seeded. Rows may come in any order: results follow them. Differences below 1e-9
are rounding errors, and so are ties.
"""

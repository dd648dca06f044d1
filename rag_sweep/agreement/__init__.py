"""How far a judge agrees with people, and what it is biased by. Pure functions of labels and verdicts."""

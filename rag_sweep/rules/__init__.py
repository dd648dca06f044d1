"""Rules: what a person can check in an answer without a judge, pass or fail, with a reason."""

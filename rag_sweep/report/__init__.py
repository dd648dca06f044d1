"""What people read: the per-question table, the leaderboard, plain-text reports."""

"""Judges that ask a language model; none of their numbers is true before people have agreed with it."""

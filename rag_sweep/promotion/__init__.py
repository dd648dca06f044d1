"""From a decision to what is served: proved, registered, and written down so that it can be run again."""

"""Whether a GOLD with its thresholds notices when search breaks: it is broken on purpose, in known ways."""

"""Personal data in texts of logs, replaced by marks that stay the same within one conversation."""

"""Numbers in running text, Russian and English: values with their units, dates, times and codes."""

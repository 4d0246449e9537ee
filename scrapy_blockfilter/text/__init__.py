"""Turn text into terms, keys and counts of characters. Knows no HTML."""

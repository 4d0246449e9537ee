"""Turn text into terms, keys and counts of characters. This room knows no HTML."""

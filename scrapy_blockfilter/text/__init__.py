"""From text to terms, keys and what its characters are. Knows no HTML."""

"""Search in what was cleaned."""

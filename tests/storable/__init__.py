"""Values that can be stored."""

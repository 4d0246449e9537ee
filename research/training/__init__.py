"""Training of what ships with the package, and cross-validation."""

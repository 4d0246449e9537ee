"""What the package was made with: the papers measured, the networks trained. Not needed to use it."""

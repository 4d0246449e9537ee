"""What several of the published methods share."""

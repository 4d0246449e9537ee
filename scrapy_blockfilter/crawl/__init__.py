"""What a running crawl knows of its sites, and does to its items."""

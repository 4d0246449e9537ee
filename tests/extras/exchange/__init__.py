"""Rules and corrections of a site as text."""

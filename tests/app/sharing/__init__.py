"""Results for a team: the page, its files and its link."""

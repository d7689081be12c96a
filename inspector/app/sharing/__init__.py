"""Results for a team: what many reports say together, as a page, in files or behind a link."""

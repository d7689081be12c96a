"""Many measurements in a row: sweeps over settings, and the search for the best ones."""

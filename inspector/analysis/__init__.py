"""Analysis: a model or a report becomes facts. Pure functions."""

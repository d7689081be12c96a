"""The page of a model with its graph."""

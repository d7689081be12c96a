"""The Graph tab: the model as boxes and lines."""

"""Pages of predictions: one, a folder of them, and outputs compared with others."""

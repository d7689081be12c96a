"""Which layers of the model the nodes of the optimised graph stand for."""

"""The page of a model: what its file says, and what follows from that without running it."""

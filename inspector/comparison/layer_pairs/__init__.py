"""Which layer of one model is which of another."""

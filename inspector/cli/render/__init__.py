"""Results as text for a terminal, of the subjects that have no page yet."""

"""Text from a decoder graph: its inputs, and the sessions that hold its cache."""

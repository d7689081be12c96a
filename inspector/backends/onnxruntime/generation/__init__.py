"""Text from a decoder graph: what its inputs are for, and the sessions that hold its cache.

The loop that chooses tokens is in `backends/generation`.
"""

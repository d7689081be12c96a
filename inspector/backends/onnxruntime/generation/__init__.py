"""Text from a decoder graph: what its inputs are for, its cache, and the loop over tokens.

`decoder` runs the graph and knows nothing of sampling; `generate` chooses tokens.
"""

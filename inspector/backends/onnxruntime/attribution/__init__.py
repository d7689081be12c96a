"""Map each kernel of the optimized graph to the layers of the model that it computes.

Start at `attribution.py`.
"""

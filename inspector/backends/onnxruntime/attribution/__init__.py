"""Which layers of the model each kernel of the optimized graph carries out.

Start at `attribution.py`.
"""

"""Map kernels of the optimized graph to layers. Start at `attribution.py`."""

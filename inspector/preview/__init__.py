"""From files to a model's inputs, and from its outputs to what people read.

Start at `inputs/feeds.py` and `outputs/results.py`.
"""

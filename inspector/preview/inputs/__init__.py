"""Files and typed values become tensors that fit a model's inputs.

Start at `feeds.py`.
"""

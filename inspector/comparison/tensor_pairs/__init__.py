"""Which tensors of two forms of one network are the same, whatever they are called.

Start at `pairs.py`.
"""

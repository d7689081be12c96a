"""The model, independent of its file format: layers, tensors, weights.

Start at `model.py`.
"""

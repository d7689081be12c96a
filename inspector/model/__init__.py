"""What a model is, independent of its file format: layers, tensors, weights.

Start at `model.py`.
"""

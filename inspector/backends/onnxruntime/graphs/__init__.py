"""Graphs prepared for the runtime: layer names, shape inference, tensor types.

Start at `layer_names.py`.
"""

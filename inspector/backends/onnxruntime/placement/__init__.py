"""Placement: the device that runs a layer, and the layer that a failure belongs to.

Start at `placement.py`.
"""

"""The Activations tab: layer outputs, step by step.

Start at `tab.py`.
"""

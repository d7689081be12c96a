"""Runtimes that can run a model, each in a folder of its own, and the values they exchange.

Start at `base.py`, the interface of a runtime.
"""

"""Runtimes that can run a model, a folder each. Start at `base.py`, their interface."""

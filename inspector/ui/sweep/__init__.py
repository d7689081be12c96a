"""Sweeps on the Performance tab."""

"""Timing of predictions, for all runtimes: when to stop, CPU speed, memory, turns.

Start at `clean_pass.py`.
"""

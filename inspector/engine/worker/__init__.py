"""The worker side, inside the engine process.

Start at `jobs.py`, the list of jobs.
"""

"""The side that answers, inside the engine process.

Start at `jobs.py`, the list of jobs.
"""

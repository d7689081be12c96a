"""Confinement of child processes that work on files of strangers.

Start at `confinement.py`; what is denied is in docs/confinement.md.
"""

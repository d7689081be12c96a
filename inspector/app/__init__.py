"""The use cases: what the command line, the Python API and the window ask for, each once.

Start at `runner.py` (sweeps); what changes models is in `changing`.
"""

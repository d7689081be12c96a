"""What each command does: one module for each, with `run(options)`, imported once it is chosen.

Start at `info.py`. The options are in `commands/`, which load no numpy.
"""

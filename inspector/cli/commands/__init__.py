"""One module for each command: `add_arguments(parser)` and `run(arguments)`.

Start at `info.py`, the shortest path through the program.
"""

"""The command line: a command has its options in `commands/`, what it does in `runs/`.

Start at `main.py`.
"""

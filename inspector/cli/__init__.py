"""The command line: one file for each command in `commands/`, its text in `render/`.

Start at `main.py`.
"""

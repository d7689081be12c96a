"""The engine process: all code that runs a model runs in it.

`client/` starts and asks it, `worker/` answers inside it, `protocol.py` is what passes between.
"""

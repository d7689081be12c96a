"""Verdicts about reports: matched CPU speed, interleaved runs, pooled process starts.

Start at `interleaved.py`, how two models measured in turns are compared.
"""

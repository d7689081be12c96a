"""Folders whose files are one model: which parts they have, and what their configurations say.

A layout (whose rules a folder follows) is a function in one of these files and an entry of
`reading.LAYOUTS`. Only lists of names and small text files are read, never a graph or a weight.
"""

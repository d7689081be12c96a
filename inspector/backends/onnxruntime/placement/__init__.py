"""Which device takes a layer, and which layer a failure belongs to.

Start at `placement.py`.
"""

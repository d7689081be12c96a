"""What one prediction costs by its shapes: operations, memory traffic, peak memory.

Start at `estimate.py`.
"""

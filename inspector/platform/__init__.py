"""Operating system services: files, memory, work limits, garbage collector policy.

Start at `files.py`: every read is size-limited and every write is atomic.
"""

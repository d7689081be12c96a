"""Core ML models: `.mlmodel` files and `.mlpackage` folders, read without Apple's libraries.

Start at `reader.py`.
"""

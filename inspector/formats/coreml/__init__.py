"""Core ML models, read without Apple's libraries. Start at `reader.py`."""

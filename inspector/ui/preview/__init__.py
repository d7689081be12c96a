"""The Preview tab."""

"""The version of Inspector; pyproject.toml reads it."""

__version__ = "0.2.0"

"""Emulation of other types: tests."""

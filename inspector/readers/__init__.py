"""Readers: a file becomes a Model or a Trace, judged by its first bytes, then its suffix."""

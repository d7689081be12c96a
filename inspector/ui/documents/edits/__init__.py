"""Edits of a document's graph, without blocking the window."""

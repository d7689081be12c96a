"""Tests of the preview room."""

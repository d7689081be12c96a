"""Tests mirror inspector/ file by file; what several of them stand on is imported from here."""

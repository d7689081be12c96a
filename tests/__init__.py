"""Tests mirror inspector/ file by file; what several of them stand on is imported from here."""

import sys

# PYTHONDONTWRITEBYTECODE would have each of a thousand processes compile the package anew, and
# each run of the tests rewrite its assertions and those of hypothesis: half of the time of them
# all. It is here because conftest.py imports hypothesis.
sys.dont_write_bytecode = False

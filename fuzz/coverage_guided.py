"""Coverage-guided fuzzing, run by `python -m fuzz` where atheris is installed."""

import sys

import atheris

with atheris.instrument_imports(include=["inspector.formats.opening"]):
    from fuzz.target import read


def attempt(body: bytes) -> None:
    """Try one file; any exception but the reader's own ends the search."""
    read(body)


atheris.Setup(sys.argv, attempt)
atheris.Fuzz()

"""Runs commands in this process: starting Python with its libraries takes half a second."""

import json
import os
import subprocess
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from typing import Any

import jsonschema

from inspector.cli import main
from inspector.platform import files

_MOST_CHECKED = 300_000  # characters; a check of more would take seconds


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a command; its output includes that of programs that it starts.

    These inherit the file descriptors of the output, not Python's streams.
    """
    given = [*map(str, arguments)]
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as out,
        tempfile.TemporaryFile("w+", encoding="utf-8") as err,
    ):
        own = os.dup(1), os.dup(2)
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        try:
            with redirect_stdout(out), redirect_stderr(err):
                status = main.run(given)
        finally:
            for number, descriptor in enumerate(own, start=1):
                os.dup2(descriptor, number)
                os.close(descriptor)
        out.seek(0)
        err.seek(0)
        text = out.read()
        if "--json" in given:
            check_schemas(text)
        return subprocess.CompletedProcess(given, status, text, err.read())


def output_of(*arguments: object, status: int = 0) -> str:
    """Return what a command prints that ends with a status."""
    done = run(*arguments)
    assert done.returncode == status, done.stderr
    return done.stdout


def json_of(*arguments: object, status: int = 0) -> dict[str, Any]:
    """Return the one JSON object that a command prints that ends with a status."""
    return json.loads(output_of(*arguments, "--json", status=status))


def errors_of(*arguments: object, status: int = 1) -> str:
    """Return what a command says beside its output that ends with a status."""
    done = run(*arguments)
    assert done.returncode == status, done.stdout
    return done.stderr


def check_schemas(text: str) -> None:
    """Hold what a command printed against its published schema."""
    if not text.startswith("{"):
        assert not text.strip(), "with --json, all that is printed is JSON"
        return
    if len(text) > _MOST_CHECKED:
        return
    try:
        bodies = [json.loads(text)]
    except ValueError:
        bodies = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    for body in [*bodies, *(body["comparison"] for body in bodies if "comparison" in body)]:
        error = jsonschema.exceptions.best_match(_validator(body["schema"]).iter_errors(body))
        if error is not None:
            place = "/".join(map(str, error.absolute_path))
            raise AssertionError(
                f"{body['schema']}, {place}: {error.message[:300]}\n"
                "If the change is meant: python -m tools.make_output_schemas"
            )


@cache
def _validator(schema: str) -> jsonschema.Draft202012Validator:
    path = files.resource("schemas", f"{schema.replace('/', '-')}.schema.json")
    return jsonschema.Draft202012Validator(json.loads(path.read_text("utf-8")))

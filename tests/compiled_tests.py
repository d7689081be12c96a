"""Compiles tests as pytest does, once, where several processes would each do it.

pytest rewrites what a test asserts when it collects it, and keeps the result. Workers collect
at the same time: in a fresh checkout each of them rewrote all of them, for eight seconds.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from _pytest.assertion import rewrite

LEAST = 100  # files; fewer, such as those that somebody edited, are left to the workers


def compile_tests(config: pytest.Config, folder: Path) -> None:
    """Compile the tests in a folder and below that pytest has not compiled yet.

    What is used of pytest is not public: where it is gone, workers do it as they did.
    """
    with suppress(AttributeError, TypeError):
        found = [path for path in sorted(folder.rglob("*.py")) if not _compiled(path).exists()]
        tests = [path for path in found if path.name.startswith(("test_", "conftest."))]
        if len(tests) >= LEAST and hasattr(os, "fork"):
            cores = os.cpu_count() or 1
            for process in [_start(config, tests[core::cores]) for core in range(cores)]:
                os.waitpid(process, 0)


def _compiled(path: Path) -> Path:
    return rewrite.get_cache_dir(path) / (path.stem + rewrite.PYC_TAIL)


def _start(config: pytest.Config, paths: Sequence[Path]) -> int:
    """Return the id of a process that compiles these."""
    process = os.fork()
    if process:
        return process
    try:
        for path in paths:
            compiled = _compiled(path)
            rewrite.try_makedirs(compiled.parent)
            source, code = rewrite._rewrite_test(path, config)
            rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, source, compiled)
    finally:
        os._exit(0)  # what failed is told by the worker that collects it

"""What a confined child can do on the system that runs the tests: Linux, macOS or Windows."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.sandbox import confinement, windows_limits
from inspector.sandbox.confinement import FILES_AND_NETWORK, FULL, NO_CHANGES
from tests.sandbox.confined_child import MEMORY_BYTES

ROOT = Path(__file__).parents[2]
CHANGES = ["write a new file", "overwrite a file", "delete a file", "make a folder"]
OTHERS = ["start a program", "open the parent"]
REFUSED = {
    FULL: [*CHANGES, *OTHERS, "read one of the user's files", "connect", "take 2 GiB"],
    FILES_AND_NETWORK: [*CHANGES, *OTHERS, "read one of the user's files", "connect"],
    NO_CHANGES: [*CHANGES, *OTHERS, "take 2 GiB"],
}
WORK = ["write into its folder", "import a module"]


@pytest.fixture(scope="module")
def child(tmp_path_factory):
    """What a child told that tried everything, and the user's file."""
    own = tmp_path_factory.mktemp("own")
    file = tmp_path_factory.mktemp("home") / "secret.txt"
    file.write_text("secret")
    script = Path(__file__).with_name("confined_child.py")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        command, environment = windows_limits.direct_python(
            [sys.executable, str(script), str(own), str(file), str(port), str(os.getpid())],
            confinement.environment(os.environ, PYTHONPATH=str(ROOT)),
        )
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        ) as process:
            job = windows_limits.limit_child(process, MEMORY_BYTES)
            answer, _ = process.communicate(b"\n", timeout=300)
            if job is not None:
                job.close()
    return json.loads(answer), file


def test_the_level_in_force_is_the_one_that_is_announced(child):
    told, _ = child
    assert told["level"] == confinement.available()[0]


def test_a_level_keeps_what_it_promises(child):
    told, file = child
    if told["level"] not in REFUSED:
        pytest.skip(f"this system confines nothing: {confinement.available()[1]}")
    results = told["results"]
    assert {name: results[name] for name in WORK} == dict.fromkeys(WORK, "works")
    assert [name for name in REFUSED[told["level"]] if results[name] == "works"] == []
    assert file.read_text() == "secret"
    assert [path.name for path in file.parent.iterdir()] == ["secret.txt"]

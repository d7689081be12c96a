"""A measurement over a real SSH connection, with a key that is limited to the agent."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from inspector.errors import EngineDied
from inspector.formats.opening import open_model
from inspector.preview.identity import measured_model
from inspector.remote import machines
from inspector.remote.machines import Saved, Target
from inspector.report.run_spec import RunSpec
from tests.engine import small_models

SSHD = shutil.which("sshd") or "/usr/sbin/sshd"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path(SSHD).exists(), reason="needs OpenSSH's server"),
]


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of this machine for `ssh`, with a server, keys and configuration of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for name in ("key", "host_key"):
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / name)]
        subprocess.run(command, check=True)
    folder = tmp_path / "agent"
    agent = f"{sys.executable} -m inspector.remote.agent --folder {folder}"
    key = (tmp_path / "key.pub").read_text()
    (tmp_path / "authorized").write_text(f'restrict,command="{agent}" {key}')
    public = " ".join((tmp_path / "host_key.pub").read_text().split()[:2])
    (tmp_path / "known").write_text(f"[127.0.0.1]:{port} {public}\n")
    (tmp_path / "server").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {tmp_path}/host_key\n"
        f"AuthorizedKeysFile {tmp_path}/authorized\nStrictModes no\nUsePAM no\n"
        f"PidFile none\nSetEnv PYTHONPATH={Path(__file__).parents[2]}\n"
    )
    (tmp_path / "client").write_text(
        f"Host box\n HostName 127.0.0.1\n Port {port}\n IdentityFile {tmp_path}/key\n"
        f" IdentitiesOnly yes\n UserKnownHostsFile {tmp_path}/known\n"
    )
    ssh = tmp_path / "bin" / "ssh"
    ssh.parent.mkdir()
    ssh.write_text(f'#!/bin/sh\nexec {shutil.which("ssh")} -F {tmp_path}/client "$@"\n')
    ssh.chmod(0o755)
    monkeypatch.setenv("PATH", f"{ssh.parent}{os.pathsep}{os.environ['PATH']}")
    Path("/run/sshd").mkdir(exist_ok=True)
    server = subprocess.Popen([SSHD, "-D", "-f", str(tmp_path / "server")])
    try:
        for _ in range(1200):  # a minute
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield "box"
    finally:
        server.terminate()
        server.wait()


def test_a_limited_key_measures_and_does_nothing_else(host, tmp_path):
    model = small_models.linear(tmp_path / "net.onnx")
    identity = measured_model(model, open_model(model))
    feeds = {"x": np.ones((2, 4), np.float32)}
    with Target(Saved("box", host)).engine() as engine:
        report = engine.measure(model, identity, RunSpec(runs=5, profiled_runs=0), feeds)
    assert len(report.prediction_ns) == 5
    assert (tmp_path / "agent" / "files").is_dir()
    asked = [*machines.ssh(host), "cat /etc/passwd"]
    done = subprocess.run(asked, input=b"", capture_output=True, timeout=300)
    assert b"root" not in done.stdout
    assert b"inspector agent" in done.stdout


def test_another_host_key_is_refused(host, tmp_path):
    known = tmp_path / "known"
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / "other")],
        check=True,
    )
    name = known.read_text().split()[0]
    public = " ".join((tmp_path / "other.pub").read_text().split()[:2])
    known.write_text(f"{name} {public}\n")
    line = machines.line_to(Saved("box", host))
    with pytest.raises(EngineDied) as refused:
        line.connect()
    assert "verification failed" in refused.value.why

"""Throughput of a lab over small files with 1, 2 and 4 agents, and with one that dies.

The predictor is simulated: it unpacks each shard and then sleeps until so many files have taken
`--ms` each, so that four agents fit on two cores. The hub, the queue, the store and the
transfers are real. Beside the throughput it prints the processor time that client, hub and
agents take for a thousand files: what more agents would run into (docs/other_machines.md).
"""

import argparse
import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import msgspec
import psutil

from inspector.plugins.lab import hub, membership, worker
from inspector.plugins.lab.machine import LabMachine
from inspector.preview.runs.folder import Row
from inspector.remote import messages, shards
from inspector.remote.agent import Agent
from inspector.remote.blobs import hash_of
from inspector.remote.messages import End, Job, ModelFile
from inspector.units import plural


class Simulated(Agent):
    """An agent whose predictions only take time."""

    seconds_each = 0.001

    def receive(self, message: Any) -> None:
        """Run a shard on a thread."""
        if message.get("type") == "run":
            job = msgspec.convert(message["job"], Job)
            threading.Thread(target=self._sleep, args=(job,), daemon=True).start()
        else:
            super().receive(message)

    def _sleep(self, job: Job) -> None:
        assert job.folder is not None
        until = time.monotonic()
        with tempfile.TemporaryDirectory() as made:
            shards.unpack(self.blobs.path(job.folder.sha256), Path(made))
            names = sorted(path.name for path in Path(made).iterdir())
            until += len(names) * self.seconds_each
            time.sleep(max(0.0, until - time.monotonic()))
            rows = [Row(name, "simulated") for name in names]
            stored = Path(made) / "rows"
            stored.write_bytes(shards.columns_of(rows))
            file = messages.ResultFile(shards.ROWS, *self.blobs.add(stored))
        end = End(job.id, messages.DONE, (file,))
        self._send({"type": "end", **msgspec.to_builtins(end)})


def device(folder: Path, number: int, seconds_each: float) -> None:
    """Be an agent, until the process is ended."""
    Simulated.seconds_each = seconds_each
    settings = worker.Settings(f"agent{number}", folder / f"agent{number}")
    member = membership.read(folder / "hub" / "device.pem")
    made = worker.Worker(
        member, settings, make_agent=lambda send: Simulated(send, settings.folder)
    )
    asyncio.run(made.run())


def measured(
    folder: Path, count: int, paths: list[Path], kills: bool, ms: float, server: hub.Hub
) -> tuple[float, str]:
    """Return the seconds that so many agents take, and the processor time; rows are checked."""
    program = [sys.executable, "-m", "benchmarks.lab_scaling", "--ms", str(ms), "--agent"]
    agents = [subprocess.Popen([*program, str(folder), str(n)]) for n in range(count)]
    member = membership.read(folder / "hub" / "client.pem")
    while sum("status" in each for each in LabMachine(member).connect().values()) < count:
        time.sleep(0.1)
    model = folder / "net.onnx"
    model.write_bytes(os.urandom(64))  # so that no shard is one that was asked before
    sha256, size = hash_of(model)
    base = Job("", "folder", model=(ModelFile("net.onnx", sha256, size),))
    lines = [LabMachine(member) for _ in range(shards.AT_ONCE * count)]
    names = {path: path.name for path in paths}
    processes = {"client": [os.getpid()], "hub": [server._process.pid]}
    processes["agents"] = [agent.pid for agent in agents]
    before = {name: _busy(ids) for name, ids in processes.items()}
    begun, rows = time.monotonic(), []
    for row in shards.predict(lines, base, {sha256: model}, paths, names):
        rows.append(row.file)
        if kills and len(rows) == len(paths) // 4:
            agents[-1].kill()
    seconds = time.monotonic() - begun
    each = 1e6 / len(paths)  # ms in a thousand files
    took = {name: (_busy(ids) - before[name]) * each for name, ids in processes.items()}
    assert rows == [path.name for path in paths], "a file is missing, or is there twice"
    for agent in agents:
        agent.kill()
        agent.wait()
    text = ", ".join(f"{name} {ms:.0f} ms" for name, ms in took.items())
    return seconds, f"processor time of 1,000 files: {text}" if not kills else ""


def _busy(processes: list[int]) -> float:
    """Return the seconds of processor time that processes took; 0 for one that is gone."""
    times = [psutil.Process(each).cpu_times() for each in processes if psutil.pid_exists(each)]
    return float(sum(each.user + each.system for each in times))


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--files", type=int, default=20_000)
    options.add_argument("--ms", type=float, default=1.0, help="simulated time of one file")
    options.add_argument("--agents", default="1,2,4", metavar="N,N", help="how many")
    options.add_argument("--agent", nargs=2, help="be an agent of this folder and number")
    given = options.parse_args()
    if given.agent:
        device(Path(given.agent[0]), int(given.agent[1]), given.ms / 1e3)
    with tempfile.TemporaryDirectory() as made, socket.socket() as free:
        folder = Path(made)
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        running = hub.Hub(hub.prepare(folder / "hub", ["127.0.0.1"], port, 8 << 30))
        (folder / "in").mkdir()
        paths = [folder / "in" / f"{number:07}.png" for number in range(given.files)]
        for path in paths:
            path.write_bytes(os.urandom(700))
        counts = [int(count) for count in given.agents.split(",")]
        alone = given.files * given.ms / 1e3  # seconds of one agent that does nothing else
        print(f"{given.files:,} files of 700 bytes, {given.ms:g} ms each (simulated)")
        for count, kills in (*((count, False) for count in counts), (counts[-1], True)):
            seconds, busy = measured(folder, count, paths, kills, given.ms, running)
            share = alone / seconds / count
            what = plural(count, "agent") + (", one killed after a quarter" if kills else "")
            text = f"{what}: {seconds:.1f} s, {given.files / seconds:,.0f} files/s"
            print(f"{text}, {share:.0%} of the predictors; every file once", flush=True)
            print(f"  {busy}".rstrip(), flush=True)
        running.close()


if __name__ == "__main__":
    main()

"""A lab with a real hub: jobs arrive at devices, end once, and survive what goes away."""

import asyncio
import hashlib
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest

pytest.importorskip("nats")
pytest.importorskip("cryptography")

from inspector.errors import BadInput, Cancelled, InspectorError
from inspector.formats.opening import open_model
from inspector.plugins.lab import hub, link, membership, results, worker
from inspector.plugins.lab.machine import LabMachine, target_of
from inspector.plugins.lab.membership import Membership
from inspector.preview.identity import measured_model
from inspector.remote import messages
from inspector.remote.blobs import Blobs
from inspector.remote.jobs import Spool
from inspector.remote.messages import End, Job, ModelFile, Piece
from inspector.remote.remote_engine import RemoteEngine, client
from inspector.report.report import save
from inspector.report.run_spec import RunSpec
from tests.command_line import run as run_command
from tests.engine import small_models
from tests.engine.watching import wait_for

try:
    hub.find_server()
except InspectorError:
    pytest.skip("needs nats-server", allow_module_level=True)

PATIENCE_S = 60  # for what comes, on a busy machine, long after a fraction of a second
STRICT = "timing-device-strict"  # what waits for the device of that name, as the hub calls it


@pytest.mark.skipif(os.name == "nt", reason="what is a program is told by its suffix there")
def test_a_server_of_another_system_is_told(tmp_path, monkeypatch):
    (tmp_path / "nats-server").write_bytes(b"\x00 no program of this system")
    (tmp_path / "nats-server").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InspectorError, match=r"nats-server cannot be run: Exec format error"):
        hub.find_server()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lab")


@pytest.fixture(scope="module")
def lab(folder: Path) -> Iterator[Membership]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = hub.Hub(hub.prepare(folder / "hub", ["127.0.0.1"], port, 1 << 30))
    yield membership.read(folder / "hub" / "client.pem")
    link.shared(membership.read(folder / "hub" / "client.pem")).close()
    running.close()


class FakeAgent:
    """Ends each job at once, or as `do` says; `do` returns None where it dies with it."""

    def __init__(self, send: Callable[[Any], None], folder: Path, do: Any) -> None:
        self._send, self._do = send, do
        self.blobs, self.spool = Blobs(folder / "files"), Spool(folder / "jobs")

    def hello(self) -> dict[str, Any]:
        return {"type": "hello", "cpu": "none"}

    def load(self) -> dict[str, Any]:
        return {"load": 0.0, "busy": ""}

    def receive(self, message: dict[str, Any]) -> None:
        if message["type"] == "run":
            job = msgspec.convert(message["job"], Job)
            self._send({"type": "progress", "id": job.id, "step": "load"})
            threading.Thread(target=self._run, args=(job,), daemon=True).start()
        elif message["type"] == "cancel":
            self._send({"type": "end", "id": message["id"], "state": messages.CANCELLED})

    def _run(self, job: Job) -> None:
        answer = self._do(job)
        if answer is not None:
            self._send({"type": "end", **msgspec.to_builtins(answer)})

    def close(self) -> None:
        self.blobs.close()


def done(job: Job) -> End:
    return End(job.id, messages.DONE, answer="here")


Join = Callable[..., SimpleNamespace]


@pytest.fixture
def join(lab: Membership, folder: Path) -> Iterator[Join]:
    """Start devices; each is stopped after the test, or at once by `stop`."""
    started = []

    def begin(
        name: str, do: Any = done, labels: tuple[str, ...] = (), own: bool = False
    ) -> Any:
        loop, home = asyncio.new_event_loop(), folder / name
        home.mkdir(exist_ok=True)
        member = membership.read(folder / "hub" / "device.pem")
        settings = worker.Settings(name, home, labels)
        joined = threading.Event()
        make = None if own else lambda send: FakeAgent(send, home, do)

        async def work() -> None:
            made = worker.Worker(member, settings, lambda _: joined.set(), make)
            with pytest.raises(asyncio.CancelledError):
                await made.run()

        task = loop.create_task(work())
        thread = threading.Thread(target=loop.run_until_complete, args=(task,), daemon=True)
        thread.start()
        assert joined.wait(PATIENCE_S)

        def stop() -> None:
            if loop.is_closed():
                return
            loop.call_soon_threadsafe(task.cancel)
            thread.join(PATIENCE_S)
            loop.close()

        started.append(stop)
        return SimpleNamespace(stop=stop)

    yield begin
    for stop in started:
        stop()


def job_for(number: int, kind: str = "measure") -> Job:
    sha256 = hashlib.sha256(b"model").hexdigest()
    job_id = hashlib.sha256(f"{time.time_ns()} {number}".encode()).hexdigest()[:32]
    return Job(job_id, kind, model=(ModelFile("net.onnx", sha256, 5),))


@pytest.fixture
def ask(lab: Membership, tmp_path: Path) -> Callable[..., End]:
    model = tmp_path / "net.onnx"
    model.write_bytes(b"model")
    files = {hashlib.sha256(b"model").hexdigest(): model}

    def run(job: Job, target: str = link.ANY, tell: Any = lambda _: None) -> End:
        found = tmp_path / job.id
        found.mkdir(exist_ok=True)
        return LabMachine(lab, target).run(job, files, found, tell)

    return run


def test_a_real_device_measures_and_predicts_as_here(lab, join, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    join("real", own=True)
    model = small_models.linear(tmp_path / "net.onnx")
    identity, feeds = measured_model(model, open_model(model)), {"x": np.ones((2, 4), "f4")}
    engine = RemoteEngine(LabMachine(lab, "device-real"))
    report = engine.measure(model, identity, RunSpec(runs=5, profiled_runs=0), feeds)
    assert report.model == identity
    assert len(report.prediction_ns) >= 5
    membership.keep(lab)
    shared = results.fetched(lab, tmp_path / "results")
    (there,) = shared.reports
    assert (there.model, there.machine) == ("net.onnx", f"real ({report.environment.cpu})")
    assert shared.authors == {there.path: client()}
    save(replace(report, created="2026-01-01T00:00:00+00:00"), tmp_path / "mine.json")
    assert "shared 1 report" in run_command("lab", "share", tmp_path / "mine.json").stdout
    assert run_command("lab", "results", "-o", tmp_path / "lab.html").returncode == 0
    page = (tmp_path / "lab.html").read_text()
    assert page.count(f">{report.environment.cpu}<") > 0 < page.count(client())
    assert len([*(tmp_path / "lab_reports").iterdir()]) == 2
    said = run_command("predict", model, "--on", "lab/real")
    assert said.returncode == 0, said.stderr
    assert run_command("lab").stdout.count("real") == 1
    assert "no machine of the lab" in run_command("predict", model, "--on", "lab/none").stderr
    with pytest.raises(BadInput, match="does not match"):
        engine.predict(model, RunSpec(), {"x": np.ones((2, 5), "f4")})


@pytest.mark.slow
def test_a_folder_is_predicted_on_devices_as_here(lab, join, samples, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    membership.keep(lab)
    join("folders", own=True)
    digits = [path for path in (samples / "inputs").glob("*.png") if "digit" in path.name]
    (tmp_path / "in").mkdir()
    for path in digits:
        (tmp_path / "in" / path.name).write_bytes(path.read_bytes())
    truth = tmp_path / "truth.csv"
    truth.write_text("\n".join(f"{path.name},{path.stem[-1]}" for path in digits))
    folder_in, model = tmp_path / "in", samples / "digits_float32.onnx"
    asked = ("predict", model, "--folder", folder_in, "--json", "--truth", truth)
    there = run_command(*asked, "--on", "lab/folders")
    assert there.returncode == 0, there.stderr
    rows = [
        [(row["file"], row["right"], round(row["score"], 4)) for row in said["rows"]]
        for said in (msgspec.json.decode(each.stdout) for each in (there, run_command(*asked)))
    ]
    assert rows[0] == rows[1]
    assert len(rows[0]) == len(digits) > 0


def test_jobs_go_to_the_device_or_the_label_that_is_named(lab, join, ask):
    ran: list[str] = []

    def told(name: str) -> Callable[[Job], End]:
        def run(job: Job) -> End:
            ran.append(name)
            return done(job)

        return run

    join("plain", told("plain"))
    join("gpu", told("gpu"), ("cuda",))
    for number, target in enumerate(("device-plain", "label-cuda", "device-gpu")):
        job = job_for(number)
        assert ask(job, target).state == messages.DONE
    assert ran == ["plain", "gpu", "gpu"]
    ask(job, target)  # what was fetched is not given again
    assert len(ran) == 4
    assert target_of(lab, "label:cuda") == "label-cuda"
    assert target_of(lab, "plain") == "device-plain"
    with pytest.raises(BadInput, match="no machine of the lab has this label"):
        target_of(lab, "label:tpu")


def test_what_is_timed_runs_alone(join, ask):
    spans: list[tuple[str, float, float]] = []

    def slow(job: Job) -> End:
        begun = time.monotonic()
        time.sleep(0.1)
        spans.append((job.kind, begun, time.monotonic()))
        return done(job)

    join("one", slow)
    kinds = ("measure", "predict") * 4
    jobs = [job_for(number, kind) for number, kind in enumerate(kinds)]
    with ThreadPoolExecutor(len(jobs)) as together:
        ends = [*together.map(lambda job: ask(job, "device-one"), jobs)]
    assert [end.state for end in ends] == [messages.DONE] * 8, ends
    assert len(spans) == 8
    for kind, begun, ended in spans:
        if kind == "measure":
            others = [one for one in spans if one != (kind, begun, ended)]
            assert not any(b < ended and begun < e for _, b, e in others)


def test_a_device_takes_one_job_ahead_of_those_that_run(lab, join, ask):
    begun, go, ran = threading.Event(), threading.Event(), list[str]()

    def run(job: Job) -> End:
        ran.append(job.id)
        begun.set()
        go.wait()
        return done(job)

    join("ahead", run)
    jobs = [job_for(number, "predict") for number in range(3)]
    machines = [LabMachine(lab, "device-ahead") for _ in jobs]
    ends: list[object] = []

    def asked(machine: LabMachine, job: Job) -> None:
        try:
            ends.append(machine.run(job, {}, Path()).state)
        except Cancelled:
            ends.append(job.id)

    jobs = [msgspec.structs.replace(job, model=()) for job in jobs]
    jobs = [msgspec.structs.replace(job, kind="devices") for job in jobs]
    threads = []
    for machine, job in zip(machines, jobs, strict=True):
        threads.append(threading.Thread(target=asked, args=(machine, job)))
        threads[-1].start()
        assert begun.wait(PATIENCE_S)
    streams = link.shared(lab).streams
    name = "answer-device-ahead"
    wait_for(lambda: link.shared(lab).run(link.queue_counts(streams)).get(name) == (1, 2))
    assert ran == [jobs[0].id]  # the second has arrived, and waits
    for machine in machines[1:]:
        machine.cancel()
    for thread in threads[1:]:
        thread.join(PATIENCE_S)
    assert not any(thread.is_alive() for thread in threads[1:]), "while the first one runs"
    assert ends == [jobs[1].id, jobs[2].id] or ends == [jobs[2].id, jobs[1].id]
    go.set()
    threads[0].join(PATIENCE_S)
    assert ran == [jobs[0].id]
    assert ends[2] == messages.DONE
    assert not any(link.shared(lab).run(link.last_end(streams, job.id)) for job in jobs)


def test_what_is_deleted_or_has_an_end_does_not_run(lab, join, ask):
    go, ran, shared = threading.Event(), list[str](), link.shared(lab)

    def run(job: Job) -> End:
        ran.append(job.id)
        go.wait()
        return done(job)

    def queued() -> tuple[int, int] | None:
        return shared.run(link.queue_counts(shared.streams)).get("answer-device-sure")

    def publish(subject: str, **body: object) -> None:
        shared.run(shared.streams.publish(subject, link.body_of(body)))

    join("sure", run)
    jobs = [Job(job_for(number).id, "devices") for number in range(4)]
    subjects = [f"job.answer.device-sure.{job.id}" for job in jobs]
    for number in range(2):
        publish(subjects[number], job=jobs[number])
        wait_for(lambda count=number + 1: queued() == (0, count))
    shared.run(shared.streams.purge_stream("JOBS", subject=subjects[1]))  # it is at the device
    publish(f"end.{jobs[2].id}", end=done(jobs[2]))
    publish(subjects[2], job=jobs[2])  # by who asked just before it ended
    go.set()
    assert ask(jobs[3], "device-sure").state == messages.DONE
    wait_for(lambda: queued() is None)
    assert ran == [jobs[0].id, jobs[3].id]


def test_who_cancels_does_not_stop_who_asked_for_the_same(lab, join, ask, monkeypatch):
    monkeypatch.setattr("inspector.plugins.lab.machine._TELL_SECONDS", 0.0)
    ran: list[str] = []

    def run(job: Job) -> End | None:
        ran.append(job.id)
        return done(job) if len(ran) > 1 else None  # the first one never ends

    join("both", run)
    job, shared = Job(job_for(1).id, "devices"), link.shared(lab)
    left = {"end": End(job.id, messages.CANCELLED)}  # by an earlier version
    shared.run(shared.streams.publish(f"end.{job.id}", link.body_of(left)))
    canceled, stopped = LabMachine(lab, "device-both"), threading.Event()

    def first() -> None:
        with pytest.raises(Cancelled):
            canceled.run(job, {}, Path())
        stopped.set()

    def cancel(_: object) -> None:
        canceled.cancel()

    threading.Thread(target=first).start()
    wait_for(lambda: bool(ran))
    assert ask(job, "device-both", cancel).state == messages.DONE
    assert stopped.wait(PATIENCE_S)
    assert ran == [job.id, job.id]


def test_a_job_whose_device_dies_goes_to_another(join, ask, monkeypatch):
    monkeypatch.setattr(worker, "ACK_SECONDS", 1.0)
    begun = threading.Event()
    dying = join("dying", lambda job: begun.set(), ("spare",))
    ended: list[End] = []
    asking = threading.Thread(target=lambda: ended.append(ask(job_for(1), "label-spare")))
    asking.start()
    assert begun.wait(PATIENCE_S)
    dying.stop()
    join("heir", labels=("spare",))
    asking.join(PATIENCE_S)
    assert [end.state for end in ended] == [messages.DONE]


def test_who_leaves_and_comes_back_finds_the_end(lab, join, ask):
    ran: list[str] = []
    job = job_for(1)
    shared = link.shared(lab)
    asked = link.body_of({"asked": "earlier", "job": job})
    subject = f"job.timing.device-later.{job.id}"
    shared.run(shared.streams.publish(subject, asked))  # and then the client is gone
    sha256 = job.model[0].sha256
    model = Path(lab.path.parent / "net.onnx")
    model.write_bytes(b"model")
    shared.run(link.send_file(shared.streams, model, sha256))

    def told(each: Job) -> End:
        ran.append(each.id)
        return done(each)

    join("later", told)
    wait_for(lambda: bool(ran))
    assert ask(job, "device-later").answer == "here"
    assert ran == [job.id]


def test_cancel_does_not_wait_for_the_job(lab, join, ask):
    never = threading.Event()
    join("busy", lambda job: never.wait())
    machine = LabMachine(lab, "device-busy")
    job, begun = job_for(1), threading.Event()
    model = lab.path.parent / "net.onnx"
    model.write_bytes(b"model")
    ended = threading.Event()

    def run() -> None:
        with pytest.raises(Cancelled):
            machine.run(job, {job.model[0].sha256: model}, model.parent, lambda _: begun.set())
        ended.set()

    thread = threading.Thread(target=run)
    thread.start()
    assert begun.wait(PATIENCE_S)
    machine.cancel()
    assert ended.wait(PATIENCE_S)
    shared = link.shared(lab)
    assert shared.run(link.last_end(shared.streams, job.id)) is None


def test_a_device_refuses_what_an_agent_refuses(lab, join):
    join("strict")
    shared = link.shared(lab)
    for job in ({"id": "0" * 32, "kind": "__import__"}, {"kind": 3}, "none"):
        body = link.body_of({"asked": str(job), "job": job})
        shared.run(shared.streams.publish("job.timing.device-strict." + "0" * 32, body))
        shared.run(shared.nats.publish("wake", b"timing.device-strict"))
        wait_for(lambda: shared.run(link.last_end(shared.streams, "0" * 32)) is not None)
        end = shared.run(link.last_end(shared.streams, "0" * 32))
        assert end["end"]["state"] == messages.REFUSED
        # It leaves the queue once it is acknowledged.
        wait_for(lambda: STRICT not in shared.run(link.queue_counts(shared.streams)))
        shared.run(shared.streams.purge_stream("ENDS", subject="end." + "0" * 32))


def test_a_device_may_not_ask_for_jobs(lab, folder):
    device = link.Link(membership.read(folder / "hub" / "device.pem"), "test")
    try:
        with pytest.raises(Exception, match="timeout"):
            device.run(device.streams.publish("job.timing.any." + "1" * 32, b"{}", timeout=0.5))
    finally:
        device.close()
    counts = link.shared(lab).run(link.queue_counts(link.shared(lab).streams))
    assert "timing-any" not in counts


def test_a_stranger_is_not_let_in(folder, tmp_path, lab):
    hub.prepare(tmp_path / "other", ["127.0.0.1"], int(lab.hub.rpartition(":")[2]), 1 << 20)
    stranger = membership.read(tmp_path / "other" / "client.pem")
    with pytest.raises(InspectorError, match="Could not reach the hub"):
        link.Link(stranger, "stranger")


def test_a_file_is_sent_once_and_goes_on_where_it_was_cut(lab, tmp_path, monkeypatch):
    monkeypatch.setattr(link, "PART_BYTES", 1 << 20)
    body = np.random.default_rng(0).bytes((5 << 20) // 2)
    (tmp_path / "file").write_bytes(body)
    sha256, streams = hashlib.sha256(body).hexdigest(), link.shared(lab).streams
    run = link.shared(lab).run

    def cut(count: int) -> None:
        raise ConnectionError

    with pytest.raises(ConnectionError):
        run(link.send_file(streams, tmp_path / "file", sha256, cut))
    assert run(link.send_file(streams, tmp_path / "file", sha256))
    assert not run(link.send_file(streams, tmp_path / "file", sha256))
    store = Blobs(tmp_path / "store")
    run(link.fetch_into(streams, store, {sha256: len(body)}))
    assert store.path(sha256).read_bytes() == body


def test_a_file_that_others_send_meanwhile_arrives(lab, tmp_path, monkeypatch):
    monkeypatch.setattr(link, "_ARRIVE_SECONDS", 0.2)
    shared, body = link.shared(lab), b"of all who ask"
    run, sha256, replaced = shared.run, hashlib.sha256(body).hexdigest(), list[str]()
    (tmp_path / "file").write_bytes(body)
    assert run(link.send_file(shared.streams, tmp_path / "file", sha256))
    store = type(run(shared.streams.object_store("files")))
    look = store.get_info

    async def then_replaced(self: Any, name: str, *more: Any) -> Any:
        found = await look(self, name, *more)
        if not replaced:
            replaced.append(name)
            await self.put(name, body)
        return found

    monkeypatch.setattr(store, "get_info", then_replaced)
    pieces: list[Piece] = []
    run(link.fetch_file(shared.streams, sha256, len(body), pieces.append), PATIENCE_S)
    assert [piece.data for piece in pieces] == [body]
    assert len(replaced) == 1


def test_two_jobs_with_the_same_result_do_not_delete_each_other_s(lab, tmp_path):
    shared = link.shared(lab)
    run, streams, body = shared.run, shared.streams, b"the rows of both"
    (tmp_path / "rows").write_bytes(body)
    sha256 = hashlib.sha256(body).hexdigest()
    for job in ("a" * 32, "b" * 32):
        assert run(link.send_file(streams, tmp_path / "rows", sha256, job=job))
    run(link.delete_file(streams, sha256, len(body), "a" * 32))
    pieces: list[Piece] = []
    run(link.fetch_file(streams, sha256, len(body), pieces.append, job="b" * 32))
    assert pieces[0].data == body


def test_names_that_no_subject_can_have_are_refused(folder, lab):
    member = membership.read(folder / "hub" / "device.pem")
    for name in ("pi.5", "", "*", ">", "a b"):
        with pytest.raises(BadInput):
            worker.Worker(member, worker.Settings(name, folder))

"""What an agent accepts, and what it refuses."""

import hashlib
import time
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import msgspec
import onnx
import pytest

from inspector.errors import InspectorError
from inspector.remote import messages
from inspector.remote.agent import Agent
from inspector.remote.blobs import Blobs, hash_of, pieces_of
from inspector.remote.jobs import JobRunner
from inspector.remote.messages import Job, ModelFile, Piece
from inspector.report.run_spec import ProviderOption, RunSpec
from tests.engine import small_models
from tests.remote import hostile


class Talk:
    """An agent in this process, and what it said."""

    def __init__(self, folder: Path, **options: Any) -> None:
        self.said: list[Any] = []
        self.agent = Agent(self.said.append, folder, **options)

    def last(self, kind: str, seconds: float = 60) -> dict[str, Any]:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for message in reversed(self.said):
                if isinstance(message, dict) and message["type"] == kind:
                    return message
            time.sleep(0.01)
        raise AssertionError(self.said)


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Callable[..., Talk]]:
    made: list[Talk] = []

    def make(**options: Any) -> Talk:
        made.append(Talk(tmp_path / "agent", **options))
        return made[-1]

    yield make
    for one in made:
        one.agent.close()


def outside(root: Path) -> list[Path]:
    return [path for path in root.rglob("*") if "agent" not in path.relative_to(root).parts]


def test_hostile_jobs_are_refused_and_leave_nothing(talk, tmp_path):
    one = talk()
    before = sorted((tmp_path / "agent").rglob("*"))
    for name, job in hostile.JOBS.items():
        one.said.clear()
        one.agent.receive({"type": "run", "job": job})
        assert one.last("end", 1)["state"] == messages.REFUSED, name
    for message in ({}, {"type": "get", "sha256": "../x"}, {"type": "forget", "id": ".."},
                    {"type": "cancel", "id": ["a"]}, {"type": ["x"]}):  # fmt: skip
        one.agent.receive(message)
    assert sorted((tmp_path / "agent").rglob("*")) == before
    assert outside(tmp_path) == []


def test_files_are_only_taken_as_announced(talk, tmp_path):
    one, body = talk(quota_bytes=1 << 20), b"weights"
    sha256 = hashlib.sha256(body).hexdigest()

    def refused(*sent: Any) -> bool:
        one.said.clear()
        for message in sent:
            one.agent.receive(message)
        return any(isinstance(m, dict) and m["type"] == "refused" for m in one.said)

    announce = {"type": "have", "blobs": {sha256: len(body)}}
    assert refused(Piece(sha256, 0, body))
    assert refused(announce, Piece(sha256, 3, body))
    assert refused(announce, Piece(sha256, 0, body + b"more"))
    assert refused(announce, Piece(sha256, 0, b"another"))
    assert refused({"type": "have", "blobs": {"../../x": 1}})
    assert refused({"type": "have", "blobs": {sha256: 2 << 20}})
    assert not one.agent.blobs.has(sha256)
    assert not refused(announce, Piece(sha256, 0, body[:3]), Piece(sha256, 3, body[3:]))
    assert one.agent.blobs.path(sha256).read_bytes() == body


def test_a_job_that_has_ended_is_not_run_again(talk, tmp_path):
    one, job = talk(), Job("ab" * 16, "devices")
    asked = {"type": "run", "job": msgspec.to_builtins(job)}
    with one.agent.spool.running(job.id):
        one.agent.spool.keep(messages.End(job.id, messages.DONE, answer=["kept"]))
    one.agent.receive(asked)
    end = one.last("end", 1)
    assert (end["state"], end["answer"], end["spooled"]) == (messages.DONE, ["kept"], True)


def test_an_error_that_nobody_foresaw_ends_the_job_and_not_the_agent(talk, monkeypatch, capfd):
    def fail(*_: Any) -> None:
        raise TypeError("not a dataclass")

    one = talk()
    with monkeypatch.context() as patched:
        patched.setattr(JobRunner, "_done", fail)
        one.agent.receive(
            {"type": "run", "job": msgspec.to_builtins(Job("ac" * 16, "devices"))}
        )
        end = one.last("end")
    assert (end["id"], end["state"]) == ("ac" * 16, messages.FAILED)
    assert "internal error in Inspector: TypeError: not a dataclass" in end["problem"].why
    assert "Traceback" in capfd.readouterr().err
    one.said.clear()
    healthy = Job("ad" * 16, "devices")
    one.agent.receive({"type": "run", "job": msgspec.to_builtins(healthy)})
    assert one.last("end")["state"] == messages.DONE


def test_an_upload_goes_on_where_it_was_cut(tmp_path):
    body = bytes(range(256)) * 4_000
    (tmp_path / "file").write_bytes(body)
    sha256, size = hash_of(tmp_path / "file")
    first = Blobs(tmp_path / "store")
    assert first.missing({sha256: size}) == {sha256: 0}
    pieces = list(pieces_of(tmp_path / "file", sha256))
    assert len(pieces) > 2
    first.write(pieces[0])
    first.close()
    second = Blobs(tmp_path / "store")
    there = second.missing({sha256: size})[sha256]
    assert there == len(pieces[0].data)
    done = [second.write(piece) for piece in pieces_of(tmp_path / "file", sha256, there)]
    assert done[-1]
    assert second.path(sha256).read_bytes() == body


def test_the_quota_drops_what_was_not_used_for_longest(tmp_path):
    store = Blobs(tmp_path / "store", quota_bytes=2_500)
    kept = []
    for number in range(3):
        body = bytes([number]) * 1_000
        sha256 = hashlib.sha256(body).hexdigest()
        store.missing({sha256: len(body)})
        store.write(Piece(sha256, 0, body))
        kept.append(sha256)
        if number == 1:
            store.has(kept[0])
            time.sleep(0.02)
    assert [store.has(sha256) for sha256 in kept] == [True, False, True]


def test_a_model_that_names_files_elsewhere_reads_none_of_them(talk, tmp_path):
    secret = tmp_path / "secret.bin"
    secret.write_bytes(bytes(48))
    model = onnx.load(small_models.linear(tmp_path / "net.onnx"))
    weight = model.graph.initializer[0]
    weight.ClearField("raw_data")
    weight.data_location = onnx.TensorProto.EXTERNAL
    for key, value in (("location", "../../../../secret.bin"), ("length", "48")):
        weight.external_data.add(key=key, value=value)
    (tmp_path / "net.onnx").write_bytes(model.SerializeToString())
    one = talk()
    path = tmp_path / "net.onnx"
    sha256, size = hash_of(path)
    one.agent.receive({"type": "have", "blobs": {sha256: size}})
    for piece in pieces_of(path, sha256):
        one.agent.receive(piece)
    size = (tmp_path / "net.onnx").stat().st_size
    job = Job("1" * 32, "measure", model=(ModelFile("net.onnx", sha256, size),))
    one.agent.receive({"type": "run", "job": msgspec.to_builtins(job)})
    end = one.last("end")
    assert end["state"] == messages.FAILED
    assert "outside" in str(end["problem"]) or "folder" in str(end["problem"])


def test_every_setting_is_sent_or_is_known_not_to_be():
    names = {each.name for each in fields(RunSpec)}
    assert names - {*messages.SENT} == {"inputs", "custom_ops"}


def test_settings_arrive_as_they_were():
    options = (ProviderOption("device_id", "1"),)
    spec = RunSpec(("cuda",), threads=2, provider_options=options, on_cpu=("/head/*",))
    sent = msgspec.json.decode(msgspec.json.encode(messages.settings_of(spec)))
    assert messages.read_spec(sent) == spec
    assert messages.settings_of(RunSpec()) == {}


def test_errors_arrive_as_they_were():
    from inspector.errors import DeviceFailed, MachineBusy

    for error in (MachineBusy("a", "b", "c", "d"), DeviceFailed("a", device="x", layers=(1,))):
        problem = messages.problem_of(error)
        sent = msgspec.json.decode(msgspec.json.encode(problem), type=messages.Problem)
        again = messages.error_of(sent)
        assert type(again) is type(error)
        assert again.args == error.args
    odd = messages.error_of(messages.Problem("SystemExit", "stop"))
    assert isinstance(odd, InspectorError)

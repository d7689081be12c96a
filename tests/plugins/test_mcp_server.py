"""The MCP server, driven by the client of its SDK: in this process, and once over its pipes."""

import asyncio
import shutil
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from inspector.api.measured import Measurement
from inspector.report.report import save
from tests.command_line import run
from tests.engine.watching import ends_within, engines
from tests.language_folders import genai_folder
from tests.reports import example_report

if TYPE_CHECKING:  # the SDK takes a second to import, and each worker collects this file
    from mcp import Client
    from mcp.types import ListRootsResult

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(find_spec("mcp") is None, reason="needs the extra mcp"),
]
SAMPLES = Path(__file__).parents[2] / "sample_models"
MODEL = "digits_float32.onnx"
Ask = Callable[["Client"], Awaitable[Any]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "models"
    place.mkdir()
    shutil.copy(SAMPLES / MODEL, place)
    shutil.copy(SAMPLES / "inputs" / "digit_3.png", place)
    return place


def asked(folder: Path, ask: Ask, write: bool = False, **options: Any) -> Any:
    from mcp import Client

    from inspector.plugins.mcp.server import Tools

    async def main() -> Any:
        async with Client(Tools([folder], write).server(), **options) as client:
            return await ask(client)

    return asyncio.run(main())


def call(folder: Path, tool: str, write: bool = False, **arguments: Any) -> Any:
    """Return what a tool answers; its message if it failed."""
    result = asked(folder, lambda client: client.call_tool(tool, arguments), write)
    return result.content[0].text if result.is_error else result.structured_content


def test_an_assistant_reads_runs_and_measures_a_model(folder):
    info = call(folder, "info", model=MODEL)
    assert (info["layers"], info["operators"]["Conv"]) == (15, 3)
    answer = call(folder, "predict", model=MODEL, inputs={"picture": "digit_3.png"})
    assert answer["top"][0]["class"] == "3"
    (output,) = answer["outputs"]
    assert output["shape"] == [1, 10]
    assert len(output["first_values"]) == 10
    steps: list[str] = []

    async def measure(client: "Client") -> Any:
        async def progress(done: float, total: float | None, message: str | None) -> None:
            steps.append(message or "")

        given = {"model": MODEL, "runs": 5}
        return await client.call_tool("measure", given, progress_callback=progress)

    measured = asked(folder, measure).structured_content
    assert measured["latency"]["all_predictions"]["n"] == 5
    assert measured["slowest_layers"][0]["time_ns"] > 0
    assert "Latency" in measured["summary"]
    assert steps


def test_an_assistant_talks_to_a_language_model(folder):
    shutil.copytree(SAMPLES / "alice", folder / "alice")
    told = call(folder, "chat", model="alice", prompt="Who are you?", max_tokens=6)
    assert (told["stop"], told["new_tokens"]) == ("max tokens", 6)
    assert told["text"]
    assert told["speed_context"] > told["prompt_tokens"]
    refused = call(folder, "chat", model=MODEL, prompt="Who are you?")
    assert "Could not chat with digits_float32.onnx: no input takes token IDs" in refused


def test_an_assistant_scores_a_text(folder):
    shutil.copytree(SAMPLES / "alice", folder / "alice", dirs_exist_ok=True)
    told = call(folder, "score_text", model="alice", against="alice", tokens=512)
    assert (told["level"], told["tokens"]) == ("good", 512)
    assert told["perplexity"]["value"] > 1


def test_the_ten_slowest_layers_of_a_measurement_are_told_slowest_first():
    from inspector.plugins.mcp.server import _measured

    report = example_report()
    slowest = _measured(Measurement(report))["slowest_layers"]
    times = sorted((one.time_ns for one in report.layers if one.time_ns), reverse=True)
    assert [each["time_ns"] for each in slowest] == times[:10]
    assert slowest[0] | {"time_ns": 0} == {
        "index": 13, "name": "head/conv", "operator": "Conv", "time_ns": 0,
    }  # fmt: skip


def test_models_and_reports_are_compared_and_conversions_tried(folder):
    for name in ("a.json", "b.json"):
        save(example_report(), folder / name)
    assert "|" in call(folder, "compare", reports=["a.json", "b.json"])["summary"]
    assert "two or more" in call(folder, "compare", reports=["a.json"])
    assert "identical" in call(folder, "diff", first=MODEL, other=MODEL)["summary"].lower()
    before = set(folder.iterdir())
    tried = call(folder, "preview_conversion", model=MODEL, actions=["float16"])
    assert "float32 tensors" in tried["steps"][0]["effect"]
    assert set(folder.iterdir()) == before
    assert "no such target" in call(folder, "compile", model=MODEL, target="nosuch")
    supported = call(folder, "support", model=MODEL, targets="apple")
    assert supported["apple"]["sentence"]


def test_a_client_that_cancels_or_leaves_ends_the_engine(folder, tmp_path, monkeypatch):
    """The next call does not wait behind the one that was cancelled."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    async def cancelled(client: "Client") -> float:
        running = asyncio.Event()

        async def progress(done: float, total: float | None, message: str | None) -> None:
            if message == "prediction":
                running.set()

        given = {"model": MODEL, "runs": 1_000_000}
        call = client.call_tool("measure", given, progress_callback=progress)
        task = asyncio.create_task(call)
        await asyncio.wait_for(running.wait(), 30)
        assert list(tmp_path.glob("inspector-*"))
        began = time.monotonic()
        task.cancel()
        while list(tmp_path.glob("inspector-*")) and time.monotonic() < began + 60:
            await asyncio.sleep(0.01)
        took = time.monotonic() - began
        measured = await client.call_tool("measure", {"model": MODEL, "runs": 5})
        assert not measured.is_error
        return took

    assert ends_within(0.5, lambda: asked(folder, cancelled))


def test_what_only_commands_have_is_asked_of_them(folder):
    shutil.copy(SAMPLES / "digits_int8_qdq.onnx", folder)
    walked = call(folder, "layers", model=MODEL, against="reference")
    assert (walked["schema"], len(walked["layers"])) == ("layers/1", 15)
    other = "digits_int8_qdq.onnx"
    compared = call(
        folder, "parity", model=MODEL, against_model=other, inputs={"picture": "digit_3.png"}
    )
    assert compared["verdict"]["level"]
    refused = call(folder, "parity", model=MODEL, against="model=/etc/passwd")
    assert "against_model" in refused
    shown = call(folder, "layers", model=MODEL, against_model="../x.onnx")
    assert "outside the allowed folders" in shown
    assert "no test_data_set folder" in call(folder, "verify", model=MODEL)


def test_a_command_that_is_cancelled_leaves_no_process(folder):
    async def cancelled(client: "Client") -> float:
        task = asyncio.create_task(client.call_tool("layers", {"model": MODEL}))
        until = time.monotonic() + 20
        while not engines(word="inspector") and time.monotonic() < until:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.3)
        began = time.monotonic()
        task.cancel()
        while engines(word="inspector") and time.monotonic() < began + 60:
            await asyncio.sleep(0.01)
        return time.monotonic() - began

    assert ends_within(1.0, lambda: asked(folder, cancelled))


@pytest.mark.parametrize("name", ["../secret.onnx", "link.onnx", "/etc/passwd"])
def test_files_outside_the_folders_are_refused(folder, name):
    shutil.copy(SAMPLES / MODEL, folder.parent / "secret.onnx")
    if name == "link.onnx":
        if sys.platform == "win32":
            pytest.skip("links need a privilege there")
        (folder / name).symlink_to(folder.parent / "secret.onnx")
    for tool, arguments in (
        ("info", {"model": name}),
        ("predict", {"model": MODEL, "inputs": {"picture": name}}),
        ("diff", {"first": MODEL, "other": name}),
    ):
        assert "outside the allowed folders" in call(folder, tool, **arguments), tool


def test_roots_of_the_client_narrow_the_folders(folder):
    from mcp.types import ListRootsResult, Root

    (folder / "own").mkdir()
    shutil.copy(SAMPLES / MODEL, folder / "own")

    async def roots(context: Any) -> "ListRootsResult":
        return ListRootsResult(roots=[Root(uri=(folder / "own").as_uri())])

    async def both(client: "Client") -> list[bool]:
        names = (f"own/{MODEL}", MODEL)
        answers = [await client.call_tool("info", {"model": name}) for name in names]
        return [bool(answer.is_error) for answer in answers]

    failed = asked(folder, both, mode="legacy", list_roots_callback=roots)
    assert failed == [False, True]


def test_a_name_that_no_file_can_have_is_a_sentence(folder):
    said = call(folder, "info", model="net\0.onnx")
    assert "Could not open 'net\\x00.onnx': it cannot be the name of a file" in said


def test_a_bug_in_a_tool_is_a_sentence_and_a_file(folder, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))
    monkeypatch.setattr("inspector.plugins.mcp.server._info", lambda path: 1 // 0)
    said = call(folder, "info", model=MODEL)
    assert "Inspector failed: this is a bug (ZeroDivisionError" in said


def test_writing_has_to_be_allowed_and_overwrites_nothing(folder):
    async def names(client: "Client") -> set[str]:
        return {tool.name for tool in (await client.list_tools()).tools}

    writing = {"convert", "save_report"}
    assert not asked(folder, names) & writing
    assert asked(folder, names, write=True) >= writing
    arguments = {"model": MODEL, "actions": ["float16"], "output": "half.onnx"}
    saved = call(folder, "convert", write=True, **arguments)["saved"]
    assert Path(saved) == (folder / "half.onnx").resolve()
    assert "already exists" in call(folder, "convert", write=True, **arguments)
    outside = arguments | {"output": "../half.onnx"}
    assert "outside the allowed folders" in call(folder, "convert", write=True, **outside)


def test_int8_needs_a_folder_of_typical_inputs_and_gives_a_verdict_with_it(folder):
    arguments: dict[str, Any] = {"model": MODEL, "actions": ["int8"]}
    assert "needs typical inputs" in call(folder, "preview_conversion", **arguments)
    (folder / "typical").mkdir()
    for seed in range(9):
        values = np.random.default_rng(seed).random((1, 1, 8, 8), np.float32)
        np.save(folder / "typical" / f"{seed}.npy", values)
    tried = call(folder, "preview_conversion", **arguments, calibration="typical")
    assert "4 typical inputs, not used for calibration" in tried["verdict"]
    assert (tried["saved"], tried["unchanged"]) == (None, False)
    broken = arguments | {"actions": ["sparse:zeros=99"], "output": "no.onnx"}
    message = call(folder, "convert", write=True, **broken, calibration="typical")
    assert "Do not ship this" in message
    assert not (folder / "no.onnx").exists()
    outside = call(folder, "preview_conversion", **arguments, calibration="..")
    assert "outside the allowed folders" in outside


def test_a_failure_is_the_sentence_that_people_read(folder):
    assert "there is no such file" in call(folder, "info", model="none.onnx")
    message = call(folder, "predict", model=MODEL, device="no-such-device")
    assert "no-such-device" in message


def test_the_command_serves_on_its_pipes(folder):
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    command = ["-m", "inspector", "mcp", str(folder)]
    server = StdioServerParameters(command=sys.executable, args=command)

    async def main() -> Any:
        async with Client(stdio_client(server)) as client:
            return await client.call_tool("predict", {"model": MODEL})

    result = asyncio.run(main())
    assert not result.is_error, result.content
    assert result.structured_content["outputs"]


def test_a_folder_that_does_not_exist_and_the_skill():
    done = run("mcp", "no_such_folder")
    assert (done.returncode, "not a folder" in done.stderr) == (1, True)
    assert run("mcp", "--skill").stdout.startswith("---\nname: inspector\n")


def test_the_memory_of_a_language_model_is_told(tmp_path):
    genai_folder(tmp_path / "small")
    found = call(tmp_path, "memory", model="small", contexts=[128], limit_bytes=10**9)
    assert [each["context"] for each in found["estimates"]] == [128] * 3
    assert found["largest_context"] == 512


def test_a_text_is_measured(tmp_path):
    genai_folder(tmp_path / "small")
    given = {"model": "small", "runs": 3, "inputs": {"input_ids": "text:Hello"}}
    measured = call(tmp_path, "measure", **given)
    assert measured["latency"]["all_predictions"]["n"] == 3

"""The server of `inspector mcp`: Inspector's functions as tools of the Model Context Protocol.

Each tool calls the Python API. Paths of files are limited to the folders that the user named,
and to the roots of the client where it declares some; without `--write` no tool writes a file.
"""

import asyncio
import json
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import Any, TypeVar
from urllib.parse import urlsplit
from urllib.request import url2pathname

import anyio
import numpy as np
from anyio import to_thread
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

from inspector import __version__, api
from inspector.api.changed import Converted
from inspector.app.operations import OPERATIONS
from inspector.errors import BadInput, InspectorError
from inspector.model.tensors.element_types import is_recipe
from inspector.platform import crash_report, files, own_processes
from inspector.platform.cancellation import Cancellation
from inspector.units import clip

INSTRUCTIONS = (
    "Inspector opens machine-learning models (ONNX, TensorFlow Lite, Core ML, ...), runs them, "
    "and measures, compares and converts them. Times are integer nanoseconds, sizes are bytes. "
    "Begin with `info`. Measurements take seconds and need a quiet machine; `summary` says how "
    "certain a number is, so repeat its caveats. Numbers that are not known are null."
)
_TEXT = "text:"  # begins an input that is text and no path
_MOST_VALUES = 16  # of an output that are sent
_MOST_OPERATORS = 30
_MOST_ROWS = 60  # of a list that a command prints
_MOST_CHARS = 600  # of what a command says that failed
_MODEL = "model="  # begins another model in the option --against
_END_SECONDS = 5.0  # for a cancelled call to remove its folder; measured: 0.05 s
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
Result = TypeVar("Result")


class Tools:
    """The tools, each a method; its docstring is what the assistant reads.

    folders: in which all files have to be. allow_writing: whether tools may save files.
    """

    def __init__(self, folders: Sequence[Path], allow_writing: bool) -> None:
        self._folders = tuple(folder.resolve() for folder in folders)
        self._allow_writing = allow_writing

    def server(self) -> MCPServer:
        """Return a server with all tools that the user allows."""
        server = MCPServer(
            "inspector",
            title="Inspector",
            version=__version__,
            instructions=INSTRUCTIONS,
            log_level="WARNING",
        )
        for operation in OPERATIONS:
            for name in operation.tools:
                server.add_tool(getattr(self, name), annotations=_READS)
            for name in operation.saving_tools if self._allow_writing else ():
                server.add_tool(getattr(self, name), annotations=_WRITES)
        return server

    async def info(self, model: str, context: Context) -> dict[str, Any]:
        """Read a model file: what it is, its inputs, outputs, operators and size. Quick; the
        model is not run.

        model: path of the file.
        """
        path = await self._path(model, context)
        return await _in_thread(partial(_info, path))

    async def predict(
        self,
        model: str,
        context: Context,
        inputs: dict[str, str | float] | None = None,
        device: str = "cpu",
        dimensions: dict[str, int] | None = None,
    ) -> dict[str, Any]:
        """Run a model once and return its classes and the first values of each output.

        inputs: a value for each input name: a path (image, audio, .npy, .csv, .txt), "zeros",
        "ones", "random:1", a number, or "text:..." for a model with a tokenizer beside it.
        Inputs without a value get a usual one. dimensions: sizes of dynamic axes by name.
        """
        path = await self._path(model, context)
        given = {
            name: await self._input(value, context) for name, value in (inputs or {}).items()
        }
        call = partial(api.predict, path, given or None, device=device, dimensions=dimensions)
        answer = await _in_thread(call)
        return {
            "prediction_ns": answer.prediction_ns,
            "top": [{"class": name, "probability": share} for name, share in answer.top()],
            "outputs": [_output(name, array) for name, array in answer.outputs.items()],
        }

    async def chat(
        self,
        model: str,
        prompt: str,
        context: Context,
        system: str = "",
        max_tokens: int = 128,
        temperature: float = 0.0,
        seed: int = 0,
        device: str = "cpu",
    ) -> dict[str, Any]:
        """Let a language model answer a prompt, and say how fast it was.

        model: path of its folder, or of its decoder with a tokenizer.json beside it. system:
        text in front of the chat. temperature: 0 takes the most probable token each time.
        A speed is that at `speed_context` tokens; it falls as the context grows.
        """
        path = await self._path(model, context)
        call = partial(
            api.generate, path, prompt, system=system, max_tokens=max_tokens,
            temperature=temperature, seed=seed, device=device,
        )  # fmt: skip
        answer = await _in_thread(call)
        return {
            "text": answer.text,
            "stop": answer.stop,
            "prompt_tokens": answer.prompt_tokens,
            "new_tokens": len(answer.tokens),
            "prefill_ns": answer.prefill_ns,
            "first_token_ns": answer.first_token_ns,
            "tokens_per_second": answer.tokens_per_second,
            "speed_context": answer.speed_context,
            "context_limit": answer.context_limit or None,
        }

    async def memory(
        self,
        model: str,
        context: Context,
        contexts: list[int] | None = None,
        batches: list[int] | None = None,
        limit_bytes: int | None = None,
    ) -> dict[str, Any]:
        """Tell how much memory a language model takes by context, batch and type of its cache.
        Quick; the model is not run.

        model: path of its folder, its decoder, or its weights. contexts: tokens, prompt and
        answer together. limit_bytes: adds the largest context that fits, `largest_context`.
        """
        path = await self._path(model, context)
        call = partial(api.memory, path, contexts or (), batches=batches or (1,))
        found = await _in_thread(call)
        plain = found.to_dict()
        if limit_bytes is not None:
            plain["largest_context"] = found.largest_context(limit_bytes)
        return plain

    async def estimate(
        self,
        model: str,
        context: Context,
        targets: list[str] | None = None,
        dimensions: dict[str, int] | None = None,
    ) -> dict[str, Any]:
        """Estimate the latency of a model on devices without running it. Quick.

        targets: ids of devices, by default cpu-1, cpu-2 and openvino-2, which are validated: 9
        of 10 models lay within low_ns and high_ns. Others, such as phones, have a wide
        range from ceilings and no latency_ns: say so, and measure on the device.
        """
        path = await self._path(model, context)
        call = partial(api.estimate, path, targets or (), dimensions=dimensions)
        plain = (await _in_thread(call)).to_dict()
        for device in plain["devices"]:
            layers = sorted(device["layers"], key=lambda layer: -layer["time_ns"])
            device["layers"] = layers[:_MOST_ROWS]
        return plain

    async def evaluate(
        self,
        model: str,
        test: str,
        context: Context,
        truth: str = "",
        against: str = "",
        device: str = "cpu",
        target_column: str = "",
    ) -> dict[str, Any]:
        """Measure a model's accuracy on a folder of inputs with true answers: top-1, F1, mAP,
        mIoU, RMSE or WER with 95% intervals, the confusion matrix, and the worst inputs.

        test: a folder, or a table (.csv) with an input in each row; target_column: of its true
        answers, by default recognized. truth: a CSV or JSON file, or a folder, by default what
        is found in `test`; "folders" for the names of subfolders. against: path of another
        model, for a verdict which of the two is more accurate.
        """
        path, folder = await self._path(model, context), await self._path(test, context)
        source: str | Path = truth
        if truth not in ("", "folders"):
            source = await self._path(truth, context)
        other = await self._path(against, context) if against else ""
        call = partial(
            api.evaluate, path, folder, truth=source, against=other, device=device,
            target_column=target_column, progress=_reporting(context),
        )  # fmt: skip
        plain = (await _in_thread(call)).to_dict()
        plain["rows"] = plain["rows"][:_MOST_ROWS]
        return plain

    async def score_text(
        self,
        model: str,
        context: Context,
        against: str = "",
        text: str = "",
        sensitivity: bool = False,
        tokens: int = 8192,
    ) -> dict[str, Any]:
        """Score how well a language model predicts a text: perplexity, and beside another
        version of it whether that is still good (KL divergence), with 95% intervals.

        model, against: paths of folders, or of decoders with a tokenizer.json beside them.
        text: path of a UTF-8 file; by default a text that comes with Inspector. sensitivity:
        rank the blocks and layers of `against` by what each alone does.
        """
        path, other = await self._path(model, context), None
        if against:
            other = await self._path(against, context)
        file = await self._path(text, context) if text else None
        call = partial(
            api.score_text, path, file, against=other, sensitivity=sensitivity, tokens=tokens
        )
        return (await _in_thread(call)).to_dict()

    async def measure(
        self,
        model: str,
        context: Context,
        runs: int | None = None,
        seconds: float | None = None,
        device: str = "cpu",
        dimensions: dict[str, int] | None = None,
        settings: dict[str, Any] | None = None,
        inputs: dict[str, str | float] | None = None,
    ) -> dict[str, Any]:
        """Measure latency, memory and the time of each layer. Takes seconds.

        runs, seconds: how long; by default until the median is stable. settings: such as
        {"threads": 2, "optimization": "basic"}. inputs: as in `predict`. Returns the latency
        with its confidence interval, the ten slowest layers, and a summary with caveats.
        """
        path = await self._path(model, context)
        return _measured(
            await self._measurement(
                path, context, runs, seconds, device, dimensions, settings, inputs
            )
        )

    async def compare(self, reports: list[str], context: Context) -> dict[str, Any]:
        """Compare saved reports with the first: what became faster or slower, and how sure that
        is.

        reports: two or more paths of report files (JSON), as `inspector measure -o` saves them.
        """
        if len(reports) < 2:
            raise ToolError("Could not compare: name two or more reports")
        paths = [await self._path(name, context) for name in reports]
        result = await _in_thread(partial(api.compare, *paths))
        return {"summary": result._repr_markdown_()}

    async def diff(self, first: str, other: str, context: Context) -> dict[str, Any]:
        """Compare two model files: layers, attributes, types, shapes and values of weights."""
        one, two = await self._path(first, context), await self._path(other, context)
        result = await _in_thread(partial(api.diff, one, two))
        return {"summary": result.summary, "details": result._repr_markdown_()}

    async def parity(
        self,
        model: str,
        context: Context,
        against: str = "reference",
        against_model: str = "",
        device: str = "cpu",
        inputs: dict[str, str | float] | None = None,
    ) -> dict[str, Any]:
        """Run one input in two ways and compare the outputs, with a verdict.

        against: "reference" (ONNX's own implementation), "level=none", "device=ID" or
        "float16". against_model: path of another model, instead. inputs: as in `predict`.
        """
        path = await self._path(model, context)
        other = await self._against(against, against_model, context)
        given = await self._given(inputs, context)
        return await _command("parity", path, f"--device={device}", other, *given)

    async def layers(
        self,
        model: str,
        context: Context,
        against: str = "",
        against_model: str = "",
        layer: str = "",
        device: str = "cpu",
        inputs: dict[str, str | float] | None = None,
    ) -> dict[str, Any]:
        """Show the statistics of each layer's outputs in one run, and where a second run first
        differs (key "divergence"), or where NaN and infinity begin.

        against, against_model: the second run, as in `parity`; none by default. layer: only
        this one, by name or number. inputs: as in `predict`.
        """
        path = await self._path(model, context)
        options = [f"--device={device}", *await self._given(inputs, context)]
        if against or against_model:
            options.append(await self._against(against, against_model, context))
        if layer:
            options.append(f"--layer={layer}")
        return await _command("layers", path, *options)

    async def verify(
        self, model: str, context: Context, data: list[str] | None = None, device: str = "cpu"
    ) -> dict[str, Any]:
        """Check a model's outputs against expected outputs.

        data: test_data_set folders, or .npz files with inputs and outputs; by default those
        next to the model.
        """
        path = await self._path(model, context)
        named = [await self._path(each, context) for each in data or ()]
        return await _command("verify", path, *named, f"--device={device}", failing=True)

    async def trace(
        self, files: list[str], context: Context, by: str = "name", find: str = ""
    ) -> dict[str, Any]:
        """Add up what traces or reports hold: time by name, layer, operator or track.

        find: only events whose name has this text.
        """
        paths = [await self._path(name, context) for name in files]
        search = [f"--find={find}"] if find else []
        return await _command("trace", *paths, f"--by={by}", *search)

    async def prepare(self, model: str, context: Context) -> dict[str, Any]:
        """Tell how the inputs of a model are prepared: order, scale, mean, size, sound."""
        return await _command("prepare", await self._path(model, context))

    async def devices(self, context: Context) -> dict[str, Any]:
        """List the devices that run models here, and what could be installed."""
        return await _command("devices")

    async def history(self, context: Context, model: str = "") -> dict[str, Any]:
        """List saved measurements of a model, or of all, and when latency changed."""
        named = [await self._path(model, context)] if model else []
        return await _command("history", *named)

    async def sweep(
        self,
        models: list[str],
        settings: dict[str, list[Any]],
        context: Context,
        runs: int = 30,
        processes: int = 2,
    ) -> dict[str, Any]:
        """Measure models with every combination of settings. Takes seconds per combination.

        settings: values by name, such as {"threads": [1, 2], "optimization": ["all", "basic"]}.
        """
        paths = [await self._path(name, context) for name in models]
        call = partial(
            api.sweep, *paths, settings=settings, runs=runs, processes=processes,
            progress=_reporting(context),
        )  # fmt: skip
        return {"rows": (await _in_thread(call)).rows()}

    async def tune(
        self, model: str, context: Context, seconds: float = 60.0, device: str = "cpu"
    ) -> dict[str, Any]:
        """Search for the settings with the lowest latency, for so many seconds."""
        path = await self._path(model, context)
        call = partial(
            api.tune, path, seconds=seconds, device=device, progress=_reporting(context)
        )
        result = await _in_thread(call)
        return {"settings": result.settings, "sentences": [str(s) for s in result.sentences]}

    async def improve(
        self,
        model: str,
        test: str,
        context: Context,
        calibration: str = "",
        recipes: list[str] | None = None,
        truth: str = "",
        goal: str = "p50",
        keep: str = "",
    ) -> dict[str, Any]:
        """Try recipes for a smaller or faster model, and prove each on test inputs. Takes
        minutes; nothing is saved, `convert` saves the best.

        test, calibration: folders of inputs without a file in common. recipes: such as
        ["simplify float16"]; by default the usual ones. truth: "folders", a CSV file, or
        "none". goal: "p50" or "size". keep: how much accuracy may drop, such as "-1%".
        """
        path, folder = await self._path(model, context), await self._path(test, context)
        held = await self._path(calibration, context) if calibration else None
        call = partial(
            api.improve, path, folder, *(recipes or ()), calibration=held, truth=truth,
            goal=goal, keep=keep, progress=_reporting(context),
        )  # fmt: skip
        result = await _in_thread(call)
        return {"headline": result.headline, "summary": result._repr_markdown_()}

    async def support(
        self, model: str, context: Context, targets: str = "all"
    ) -> dict[str, Any]:
        """Estimate which phones, GPUs, NPUs and browsers would run a model, from tables of what
        their runtimes support. Nothing is run.

        targets: "all" or names such as "apple,android,nvidia".
        """
        path = await self._path(model, context)
        result = await _in_thread(partial(api.support, path, targets))
        return result.to_dict()

    async def compile(
        self,
        model: str,
        context: Context,
        target: str = "",
        dimensions: dict[str, int] | None = None,
    ) -> dict[str, Any]:
        """Compile a model for a device or a chip that need not be here, and say which layers
        compiled and why others did not. Nothing is saved, and nothing runs on the chip.

        target: such as "Snapdragon 8 Gen 3", or an id that `compile_targets` lists; by default
        the first device here that compiles. dimensions: sizes of dynamic axes by name.
        """
        path = await self._path(model, context)
        work = partial(api.compile_model, path, target, dimensions=dimensions)
        return (await _in_thread(work)).to_dict()

    async def compile_targets(self) -> dict[str, Any]:
        """List what models are compiled for: devices of this machine, and chips."""
        return await _in_thread(api.compile_targets)

    async def save_compiled(
        self,
        model: str,
        output: str,
        context: Context,
        target: str = "",
        dimensions: dict[str, int] | None = None,
    ) -> dict[str, Any]:
        """Compile a model as `compile` does, and save it to a new file.

        output: path of a file that does not exist yet; key "output" is null if no layer
        compiled, so that there is none.
        """
        path = await self._path(model, context)
        file = await self._path(output, context)
        work = partial(api.compile_model, path, target, output=file, dimensions=dimensions)
        return (await _in_thread(work)).to_dict()

    async def preview_conversion(
        self, model: str, actions: list[str], context: Context, calibration: str = ""
    ) -> dict[str, Any]:
        """Try a conversion and say what each step did, and whether the outputs are still right.
        The result is checked and discarded.

        actions: such as ["float16"], ["int8"], ["opset:21"] or ["simplify"], in order.
        calibration: folder of typical inputs. int8 requires it, and only with it there is a
        verdict on the outputs.
        """
        path = await self._path(model, context)
        inputs = await self._path(calibration, context) if calibration else ()

        def convert() -> Converted:
            with files.private_folder() as folder:
                return api.convert(
                    path, *actions, output=Path(folder, path.name), calibration=inputs,
                    accept=True,
                )  # fmt: skip

        result = await _in_thread(convert)
        return {**_outcome(actions, result), "saved": None}

    async def convert(
        self,
        model: str,
        actions: list[str],
        output: str,
        context: Context,
        calibration: str = "",
        accept: bool = False,
    ) -> dict[str, Any]:
        """Convert a model, check the result and save it to a new file.

        actions, calibration: as for `preview_conversion`. output: path of a file that does not
        exist yet. accept: save it even if its outputs are mostly different.
        """
        path = await self._path(model, context)
        target = await self._path(output, context)
        inputs = await self._path(calibration, context) if calibration else ()
        work = partial(
            api.convert, path, *actions, output=target, calibration=inputs, accept=accept
        )
        result = await _in_thread(work)
        saved = None if result.path is None else str(result.path)
        return {**_outcome(actions, result), "saved": saved}

    async def save_report(
        self,
        model: str,
        output: str,
        context: Context,
        runs: int | None = None,
        seconds: float | None = None,
        device: str = "cpu",
    ) -> dict[str, Any]:
        """Measure a model, and save the report to a new file.

        output: .json to compare or open later, or .html, .md, .csv, .pdf.
        """
        path = await self._path(model, context)
        target = await self._path(output, context)
        if target.exists():
            raise ToolError(f"Could not save {target.name}: it already exists")
        measurement = await self._measurement(path, context, runs, seconds, device)
        await _in_thread(partial(measurement.save, target))
        return _measured(measurement) | {"saved": str(target)}

    async def _measurement(
        self,
        path: Path,
        context: Context,
        runs: int | None,
        seconds: float | None,
        device: str,
        dimensions: Mapping[str, int] | None = None,
        settings: Mapping[str, Any] | None = None,
        inputs: Mapping[str, str | float] | None = None,
    ) -> Any:
        given = {
            name: await self._input(value, context) for name, value in (inputs or {}).items()
        }
        call = partial(
            api.measure,
            path,
            given or None,
            runs=runs,
            seconds=seconds,
            device=device,
            dimensions=dimensions,
            settings=settings,
            progress=_reporting(context),
        )
        return await _in_thread(call)

    async def _given(
        self, inputs: Mapping[str, str | float] | None, context: Context
    ) -> list[str]:
        """Return the options of a command for values of inputs."""
        values = {
            name: await self._input(each, context) for name, each in (inputs or {}).items()
        }
        return [f"--input={name}={value}" for name, value in values.items()]

    async def _against(self, against: str, model: str, context: Context) -> str:
        """Return the option of a command for the second run. Raises ToolError: a path in it."""
        if model:
            return f"--against=model={await self._path(model, context)}"
        if against.startswith(_MODEL):
            raise ToolError("Could not compare: name the other model in against_model")
        return f"--against={against}"

    async def _input(self, value: str | float, context: Context) -> str | float:
        if isinstance(value, str) and not is_recipe(value) and not value.startswith(_TEXT):
            return str(await self._path(value, context))
        return value

    async def _path(self, name: str, context: Context) -> Path:
        """Return a path that the user and the client allow, with links resolved.

        Raises ToolError: it is outside of all folders.
        """
        try:
            path = Path(name)
            path = (path if path.is_absolute() else self._folders[0] / path).resolve()
        except (ValueError, OSError, RuntimeError) as error:  # a NUL, a loop of links
            why = f"it cannot be the name of a file ({error})"
            raise ToolError(f"Could not open {clip(repr(name), 80)}: {why}") from error
        roots = await _roots(context)
        inside = any(path.is_relative_to(folder) for folder in self._folders)
        if not inside or not (roots is None or any(map(path.is_relative_to, roots))):
            allowed = ", ".join(map(str, self._folders if not inside else roots or ()))
            raise ToolError(
                f"Could not open {path.name}: it is outside the allowed folders ({allowed}). "
                "Ask the user to start `inspector mcp` with its folder."
            )
        return path


async def _roots(context: Context) -> tuple[Path, ...] | None:
    """Return the folders that the client allows; None where it declares none."""
    capabilities = context.client_capabilities
    if capabilities is None or capabilities.roots is None:
        return None
    try:
        with warnings.catch_warnings():  # deprecated since the protocol of 2026-07-28
            warnings.simplefilter("ignore")
            listed = await context.session.list_roots()
    except Exception:  # noqa: BLE001 - a client that declares roots but cannot be asked
        return None
    urls = (urlsplit(str(root.uri)) for root in listed.roots)
    return tuple(Path(url2pathname(url.path)).resolve() for url in urls if url.scheme == "file")


async def _in_thread(call: Callable[[], Result]) -> Result:
    """Run a function of the API on a thread, until the assistant cancels; its failure is a
    sentence for the assistant."""
    job = Cancellation()
    try:
        return await to_thread.run_sync(job.run, call, abandon_on_cancel=True)
    except anyio.get_cancelled_exc_class():
        job.cancel()
        with anyio.CancelScope(shield=True):
            await to_thread.run_sync(job.ended.wait, _END_SECONDS)
        raise
    except InspectorError as error:
        raise ToolError(str(error)) from error
    except Exception as error:
        raise ToolError(crash_report.sentence(error, crash_report.save(error))) from error


def _reporting(context: Context) -> Callable[[str, float], None]:
    """Return what tells the assistant of progress, from any thread; it waits for nobody."""
    loop = asyncio.get_running_loop()

    def report(step: str, done: float) -> None:
        if done >= 0 and not loop.is_closed():
            telling = context.report_progress(done, 1.0, step)
            asyncio.run_coroutine_threadsafe(telling, loop)

    return report


async def _command(name: str, *arguments: Path | str, failing: bool = False) -> dict[str, Any]:
    """Return what a command prints with --json, long lists cut.

    It runs in a process, which ends when the assistant cancels. failing: a failure after its
    answer is a part of that. Raises ToolError: it failed.
    """
    command = own_processes.command("inspector", name, *map(str, arguments), "--json")
    async with await anyio.open_process(command, stdin=DEVNULL, stderr=PIPE) as process:
        said: list[bytes] = []
        told: list[bytes] = []

        async def read(stream: Any, into: list[bytes]) -> None:
            into.extend([piece async for piece in stream])

        try:
            async with anyio.create_task_group() as group:
                group.start_soon(read, process.stdout, said)
                group.start_soon(read, process.stderr, told)
            await process.wait()
        except anyio.get_cancelled_exc_class():
            process.terminate()  # it ends its engine, and removes its files
            with anyio.CancelScope(shield=True), anyio.move_on_after(_END_SECONDS):
                await process.wait()
            raise
    try:
        body = json.loads(b"".join(said))
    except ValueError as error:
        raise ToolError(b"".join(told).decode("utf-8", "replace")[-_MOST_CHARS:]) from error
    if body["schema"] == "error/1":
        raise ToolError(f"{body['what']}: {body['why']}\n{body['hint']}".strip())
    if process.returncode and not failing:
        raise ToolError(b"".join(told).decode("utf-8", "replace")[-_MOST_CHARS:])
    return _cut(body)  # type: ignore[no-any-return]


def _cut(value: Any) -> Any:
    """Return a value of JSON with long lists cut; an assistant reads no thousand rows."""
    if isinstance(value, dict):
        return {name: _cut(each) for name, each in value.items() if name != "histogram"}
    if isinstance(value, list):
        more = [f"{len(value) - _MOST_ROWS} more"] if len(value) > _MOST_ROWS else []
        return [*map(_cut, value[:_MOST_ROWS]), *more]
    return value


def _info(path: Path) -> dict[str, Any]:
    opened = api.open_model(path)
    operators = Counter(layer.operator for layer in opened.model.layers)
    return opened.to_dict() | {
        "format": opened.model.format_text,
        "operators": dict(operators.most_common(_MOST_OPERATORS)),
    }


def _output(name: str, array: Any) -> dict[str, Any]:
    flat = np.asarray(array).reshape(-1)
    row: dict[str, Any] = {"name": name, "dtype": str(array.dtype), "shape": list(array.shape)}
    row["first_values"] = flat[:_MOST_VALUES].tolist()
    if flat.size and flat.dtype.kind in "iuf":
        finite = flat[np.isfinite(flat)]
        known = finite.size > 0
        row["min"] = finite.min().item() if known else None
        row["max"] = finite.max().item() if known else None
        row["not_finite"] = int(flat.size - finite.size)
    return row


def _measured(measurement: Any) -> dict[str, Any]:
    rows = measurement.layers()
    timed = [row for row in rows if isinstance(row.get("time_ns"), int | float)]
    slowest = sorted(timed, key=lambda row: row["time_ns"], reverse=True)[:10]
    keys = ("index", "name", "operator", "time_ns")
    return {
        "latency": measurement.latency(),
        "slowest_layers": [{key: row.get(key) for key in keys} for row in slowest],
        "summary": measurement._repr_markdown_(),
    }


def _outcome(actions: Sequence[str], result: Converted) -> dict[str, Any]:
    pairs = zip(actions, result.effects, strict=False)
    steps = [{"action": action, "effect": effect} for action, effect in pairs]
    notes = [*result.conversion.notes, *result.checked.notes]
    outcome = {"verdict": result.verdict, "unchanged": result.unchanged}
    return {**outcome, "steps": steps, "notes": notes}


def serve(folders: Sequence[Path], allow_writing: bool) -> None:
    """Serve on standard input and output until the client closes them.

    Raises BadInput: a folder does not exist.
    """
    for folder in folders:
        if not folder.is_dir():
            hint = "Specify the folders in which assistants may open files."
            raise BadInput("Could not start the MCP server", f"{folder} is not a folder", hint)
    anyio.run(Tools(folders, allow_writing).server().run_stdio_async)

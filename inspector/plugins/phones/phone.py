"""An Android phone or board on a cable: reached by adb, measured by a runtime's own program.

No Python runs there. The user gives onnxruntime_perf_test or benchmark_model, built for the
phone; it and the model are pushed once, by SHA-256, and what it prints and writes becomes a
report as any other. Nothing here was tried on a real phone so far: the tests speak with a
program that answers as adb does.
"""

import os
import re
import shlex
import shutil
import subprocess
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec.structs import replace

from inspector import __version__
from inspector.backends.measuring.benchmark_program import ProgramRun
from inspector.engine.client import machine_lock
from inspector.errors import BadInput, Cancelled, EngineDied, EngineFailed, InspectorError
from inspector.formats import opening
from inspector.platform import files, own_processes
from inspector.remote.blobs import hash_of
from inspector.remote.machines import Saved
from inspector.remote.messages import DONE, End, Job, ResultFile
from inspector.remote.other_machine import Event, MeasuringMachine, OnEvent
from inspector.report.environment import Environment
from inspector.report.report import Device
from inspector.report.run_spec import RunSpec
from inspector.units import clip, plural
from inspector.wording import stored

PERF_TEST = "onnxruntime_perf_test"
BENCHMARK_MODEL = "benchmark_model"
REQUEST = "request.json"  # what is measured, for the process that makes the report
REPORT = "report"  # the file that it makes
_REPORT_MODULE = "inspector.plugins.phones.phone_report"
_FOLDER = "/data/local/tmp/inspector"
_MOST_BYTES = 64 << 20  # of the list of runs that a program writes
_SERIAL = re.compile(r"[A-Za-z0-9._:-]{1,100}")
_ANSWER_SECONDS = 20.0
_PUSH_SECONDS = 3_600.0
_RUN_SECONDS = 1_800.0
_MOST_LIBRARIES = 60  # beside a program: more is another folder, such as that of a system
_STARTS = 20
_LEAST = 10
# Ids of devices, and what `-e` of onnxruntime_perf_test calls them.
_PROVIDERS = ("cpu", "xnnpack", "nnapi", "qnn", "webgpu")
_QNN = {"backend_path": "libQnnHtp.so"}
_LEVELS = {"none": "0", "basic": "1", "extended": "2", "layout": "3", "all": "99"}
_DELEGATES = ("cpu", "gpu", "nnapi")
# Settings that the programs have.
_KNOWN = {
    PERF_TEST: frozenset({
        "devices", "optimization", "threads", "runs", "seconds", "warmup", "profiled_runs",
        "dimensions", "provider_options", "inter_threads", "execution_mode", "arena",
        "memory_pattern",
    }),
    BENCHMARK_MODEL: frozenset({
        "devices", "threads", "runs", "seconds", "warmup", "profiled_runs", "xnnpack",
    }),
}  # fmt: skip
_THERMAL = ("none", "light", "moderate", "severe", "critical", "emergency", "shutdown")
_ABOUT = (
    "getprop ro.product.manufacturer; getprop ro.product.model; getprop ro.soc.model; "
    "getprop ro.build.version.release; getprop ro.product.cpu.abi; nproc; "
    "head -n 1 /proc/meminfo; cat /proc/loadavg; "
    "cat /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
)
_STATE = (
    "dumpsys thermalservice | grep -m 1 'Thermal Status'; "
    "dumpsys battery | grep -m 1 temperature; "
    "cat /sys/devices/system/cpu/cpu*/cpufreq/scaling_cur_freq; echo of; "
    "cat /sys/devices/system/cpu/cpu*/cpufreq/scaling_max_freq"
)


class ReportRequest(msgspec.Struct):
    """What to make a report of. model: path of the model. sha256: of it."""

    model: str
    sha256: str
    spec: RunSpec
    run: ProgramRun


def line_to(machine: Saved) -> "Phone":
    """Return what measures on a phone."""
    return Phone(machine.name, machine.host.partition(":")[2], machine.program)


class Adb:
    """Runs `adb` for one phone. Raises BadInput: there is no adb, or no valid serial number."""

    def __init__(self, serial: str) -> None:
        if not _SERIAL.fullmatch(serial):
            why = f"'{clip(serial, 60)}' is not a serial number"
            hint = "`adb devices` lists those of connected phones."
            raise BadInput("Could not reach the phone", why, hint)
        self.serial = serial
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = threading.Event()

    def shell(self, command: str, seconds: float = _ANSWER_SECONDS) -> str:
        """Return what a command there prints. Raises EngineFailed: it ends with an error."""
        return self._run("shell", command, seconds=seconds)

    def push(self, own: Path, there: str) -> None:
        """Copy a file there, unless it is there already. Raises EngineDied, EngineFailed."""
        sha256, _ = hash_of(own)
        with suppress(EngineFailed):
            line = self.shell(f"sha256sum {shlex.quote(there)}", 120)
            if line.partition(" ")[0] == sha256:
                return
        self.shell(f"mkdir -p {shlex.quote(there.rpartition('/')[0])}")
        self._run("push", str(own), there, seconds=_PUSH_SECONDS)

    def pull(self, there: str, own: Path) -> None:
        """Copy a file here. Raises EngineDied, EngineFailed."""
        self._run("pull", there, str(own), seconds=_PUSH_SECONDS)

    def stop(self) -> None:
        """End what runs, from any thread; it raises Cancelled."""
        self._stopped.set()
        process = self._process
        if process is not None:
            process.terminate()

    def begin(self) -> None:
        """Forget an earlier `stop`."""
        self._stopped.clear()

    @property
    def stopped(self) -> bool:
        """Return whether `stop` was called."""
        return self._stopped.is_set()

    def _run(self, *arguments: str, seconds: float) -> str:
        self._process = subprocess.Popen(
            [_adb(), "-s", self.serial, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        try:
            if self.stopped:
                self._process.terminate()
            output, errors = self._process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired as error:
            self._process.kill()
            why = f"there was no answer for {seconds:.0f} s"
            raise EngineDied(f"Could not reach the phone {self.serial}", why) from error
        code, self._process = self._process.returncode, None
        if self.stopped:
            raise Cancelled("Stopped")
        text = output.decode("utf-8", "replace")
        if code:
            last = (errors.decode("utf-8", "replace").strip() or text.strip()).split("\n")[-2:]
            why = clip("; ".join(last), 300) or f"it ended with {code}"
            # adb's own errors begin so; others are those of the command there.
            if last[-1].startswith(("error:", "adb:")):
                hint = "Check that `adb devices` lists it as 'device', and unlock the phone."
                raise EngineDied(f"Could not reach the phone {self.serial}", why, hint)
            raise EngineFailed("Could not run a program on the phone", why)
        return text


def _adb() -> str:
    """Return the path of adb. Raises BadInput."""
    path = shutil.which("adb")
    for name in ("ANDROID_HOME", "ANDROID_SDK_ROOT"):
        folder = os.environ.get(name)
        if path is None and folder:
            path = shutil.which("adb", path=str(Path(folder) / "platform-tools"))
    if path is None:
        hint = "Install Android's platform tools, such as: apt install adb, brew install adb."
        raise BadInput("Could not reach the phone", "adb is not installed", hint)
    return path


class Phone(MeasuringMachine):
    """Measures on a phone.

    program: of the user: a benchmark program built for Android, or a folder with such programs
    and the libraries that they need.
    """

    title = "a phone that is reached by adb"
    without = MeasuringMachine.without | {"synchronize"}

    def __init__(self, name: str, serial: str, program: str) -> None:
        super().__init__(name)
        self._program = Path(program).expanduser()
        self._adb = Adb(serial)

    def connect(self) -> Event:
        """Return what the phone is. Raises InspectorError."""
        lines = [line.strip() for line in self._adb.shell(f"{_ABOUT}; true").split("\n")]
        lines += [""] * 9
        maker, model, soc, release, abi, cores, memory, load, governor = lines[:9]
        kib = re.search(r"\d+", memory)
        programs = self._programs()
        return self.described(
            f"Android {release or 'unknown'} {abi}".strip(),
            ", ".join(filter(None, (f"{maker} {model}".strip(), soc))) or "unknown",
            tuple(programs),
            cores=int(cores) if cores.isdecimal() else 0,
            memory_bytes=1024 * int(kib[0]) if kib else 0,
            load=float(load.split()[0]) if re.match(r"\d+(\.\d+)? ", load) else 0.0,
            governor=governor if re.fullmatch(r"\w{1,40}", governor) else "",
        )

    def run(
        self,
        job: Job,
        own_files: Mapping[str, Path],
        target: Path,
        on_event: OnEvent = lambda _: None,
    ) -> End:
        """Run a job, after an earlier `cancel` as well."""
        self._adb.begin()
        return super().run(job, own_files, target, on_event)

    def measured(
        self, job: Job, own_files: Mapping[str, Path], target: Path, on_event: OnEvent
    ) -> End:
        """Measure while nobody else does on this phone."""

        def waiting() -> None:
            on_event({"type": "waiting", "behind": "another measurement on this machine"})

        lock = machine_lock.default_file().with_name(
            f"phone-{re.sub(r'[^A-Za-z0-9]', '_', self._adb.serial)}.lock"
        )
        what = f"Could not measure on {self.name}"
        with machine_lock.exclusive_use(
            lock, job.wait, waiting, lambda: self._adb.stopped, what
        ):
            return _Measuring(self, self._adb, job, own_files, target, on_event).end()

    def cancel(self) -> None:
        """Stop the job that runs, from any thread."""
        super().cancel()
        self._adb.stop()

    def program(self, kind: str) -> Path:
        """Return the user's program of a kind. Raises BadInput: it is not there."""
        program = self._programs().get(kind)
        if program is None:
            why = f"{self._program} has no {kind}"
            hint = (
                f"Build {kind} for Android, and add the phone again with --program and the "
                "file or its folder."
            )
            raise BadInput(f"Could not measure on {self.name}", why, hint)
        return program

    def _programs(self) -> dict[str, Path]:
        """Return the programs by kind. Raises BadInput: there is no such file."""
        if not files.exists(self._program):
            why = f"{self._program} does not exist"
            raise BadInput(f"Could not use {self.name}", why, "Specify --program.")
        one = self._program
        listed = sorted(one.iterdir()) if one.is_dir() else [one]
        plain = [path for path in listed if path.is_file() and path.suffix != ".so"]
        kinds = (("perf_test", PERF_TEST), ("benchmark_model", BENCHMARK_MODEL))
        return {kind: path for word, kind in kinds for path in plain[::-1] if word in path.name}

    def devices(self) -> tuple[Device, ...]:
        """Return the devices that the programs may have; only a run shows which are there."""
        devices, source = dict[str, Device](), "only a run shows whether it is there"
        for kind, ids in ((PERF_TEST, _PROVIDERS), (BENCHMARK_MODEL, _DELEGATES)):
            if kind not in self._programs():
                continue
            for unit in ids:
                sort = "gpu" if unit in ("gpu", "webgpu") else "npu"
                sort = "cpu" if unit in ("cpu", "xnnpack") else sort
                device = Device(unit, unit.upper(), sort, kind, source=f"{kind}: {source}")
                devices.setdefault(unit, device)
        return tuple(devices.values())


class _Measuring:
    """One measurement on a phone, from its files to its report."""

    def __init__(
        self,
        phone: Phone,
        adb: Adb,
        job: Job,
        own_files: Mapping[str, Path],
        target: Path,
        on_event: OnEvent,
    ) -> None:
        self._phone, self._adb, self._job, self._target = phone, adb, job, target
        self._own, self._on_event = own_files, on_event
        suffix = Path(job.model[0].name).suffix.lower()
        self._kind = BENCHMARK_MODEL if suffix == ".tflite" else PERF_TEST
        spec = self._phone.expected(self._job, self._kind, _KNOWN[self._kind])
        ids = _PROVIDERS if self._kind == PERF_TEST else _DELEGATES
        others = [device for device in spec.devices if device != "cpu"]
        if len(others) > 1 or not set(others) <= set(ids):
            why = f"'{', '.join(others)}' is not a device of {self._kind}"
            what = f"Could not measure on {self._phone.name}"
            raise BadInput(what, why, f"Choose one of {', '.join(ids)}.")
        self._device = others[0] if others else "cpu"
        self._spec = spec
        self._there = f"{_FOLDER}/models/{job.model[0].sha256[:32]}"
        self._model = job.model[0].name
        self._notes: list[str] = []

    def end(self) -> End:
        """Return the end, with the report in the folder. Raises InspectorError."""
        self._push()
        before = self._state()
        try:
            run = self._perf_test() if self._kind == PERF_TEST else self._benchmark_model()
        except Cancelled:
            self._adb.begin()
            with suppress(InspectorError):
                self._adb.shell(f"kill $(cat {shlex.quote(self._there)}/running.pid)")
            raise
        self._notes += [f"Before: {before}.", f"After: {self._state()}."]
        self._notes += self._phone.ignored(self._job, self._kind)
        self._notes.append(f"{self._kind} made its own inputs.")
        model = self._lay_out()
        run = replace(run, notes=tuple(self._notes))
        request = ReportRequest(str(model), self._job.model[0].sha256, self._spec, run)
        (self._target / REQUEST).write_bytes(stored.encode(request))
        self._tell("layers")
        command = own_processes.command(_REPORT_MODULE, str(self._target))
        done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL)
        if done.returncode:
            lines = done.stderr.decode("utf-8", "replace").strip().split("\n")
            why = clip(lines[-1], 300)
            raise EngineFailed("Could not read what the phone measured", why)
        path = self._target / REPORT
        return End(self._job.id, DONE, (ResultFile(path.name, *hash_of(path)),))

    # Files.

    def _push(self) -> None:
        """Send program, libraries and model. Raises BadInput: there are too many libraries."""
        program = self._phone.program(self._kind)
        libraries = [p for p in sorted(program.parent.iterdir()) if p.suffix == ".so"]
        self._program = f"{_FOLDER}/programs/{hash_of(program)[0][:16]}"
        self._executable = f"{self._program}/{program.name}"
        if len(libraries) > _MOST_LIBRARIES:
            why = (
                f"{program.parent} has {len(libraries)} libraries (.so); "
                f"at most {_MOST_LIBRARIES} are sent to a phone"
            )
            hint = (
                f"Copy {program.name} and the libraries that it needs to an empty folder, and "
                "add the phone again with --program and that folder."
            )
            raise BadInput(f"Could not measure on {self._phone.name}", why, hint)
        for path in (program, *libraries):
            self._tell("sending", part=path.name)
            self._adb.push(path, f"{self._program}/{path.name}")
        self._adb.shell(f"chmod 755 {shlex.quote(self._executable)}")
        for file in self._job.model:
            self._tell("sending", part=file.name)
            self._adb.push(self._own[file.sha256], f"{self._there}/{file.name}")

    def _lay_out(self) -> Path:
        """Return the model in a folder as the job names its files."""
        folder = self._target / "model"
        for file in self._job.model:
            path = folder / file.name
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                own = self._own[file.sha256].resolve()
                try:
                    os.link(own, path)
                except OSError:  # another file system
                    shutil.copyfile(own, path)
        return folder / self._model

    # Programs.

    def _shell(self, *arguments: str) -> str:
        """Run the program in the folder of the model, and return what it prints."""
        run = " ".join(map(shlex.quote, (self._executable, *arguments)))
        there, libraries = shlex.quote(self._there), shlex.quote(self._program)
        # Its number is kept, so that Cancel can end it: the end of adb does not.
        command = (
            f"cd {there} && echo $$ > running.pid && LD_LIBRARY_PATH={libraries} exec {run}"
        )
        return self._adb.shell(command, _RUN_SECONDS)

    def _perf_test(self) -> ProgramRun:
        spec, runs = self._spec, max(self._spec.runs, _LEAST)
        self._adb.shell(f"rm -f {shlex.quote(self._there)}/result.csv")
        self._tell("prediction")
        log = self._shell(*self._options(runs), self._model, "result.csv")
        samples = self._samples()
        missing = spec.seconds - sum(samples) / 1e9
        if missing > 0 and samples:
            more = min(100_000, int(missing / (sum(samples) / 1e9 / len(samples))) + 1)
            self._tell("prediction")
            self._shell(*self._options(more), self._model, "result.csv")
            samples = self._samples()
        if not samples:
            last = clip("; ".join(log.strip().split("\n")[-2:]), 300)
            raise EngineFailed("Could not measure on the phone", last or "it wrote no result")
        lengths = (runs, len(samples) - runs) if len(samples) > runs else (len(samples),)
        profiled = optimized = ""
        if spec.profiled_runs:
            profiled, optimized = self._profiled()
        return ProgramRun(
            PERF_TEST,
            self._device,
            self._environment("ONNX Runtime"),
            samples,
            lengths,
            _number(log, r"Session creation time cost:\s*([\d.eE+-]+) s", 1e9),
            _number(log, r"First inference time cost:\s*([\d.eE+-]+) ms", 1e6),
            _number(log, r"Peak working set size:\s*(\d+) bytes", 1),
            (),
            profiled,
            optimized,
        )

    def _options(self, runs: int) -> list[str]:
        spec = self._spec
        arguments = ["-I", "-m", "times", "-r", str(runs), "-e", self._device]
        arguments += ["-o", _LEVELS.get(spec.optimization, "99")]
        arguments += ["-x", str(spec.threads)] if spec.threads else []
        arguments += ["-y", str(spec.inter_threads)] if spec.inter_threads else []
        arguments += ["-P"] if spec.execution_mode == "parallel" else []
        arguments += [] if spec.arena else ["-A"]
        arguments += [] if spec.memory_pattern else ["-M"]
        for each in spec.dimensions:
            arguments += ["-f", f"{each.name}:{each.size}"]
        options = dict(_QNN) if self._device == "qnn" else {}
        options |= {each.key: each.value for each in spec.provider_options}
        arguments += ["-i", " ".join(f"{k}|{v}" for k, v in options.items())] if options else []
        return arguments

    def _samples(self) -> tuple[int, ...]:
        """Return the nanoseconds of all predictions in the result file."""
        own = self._target / "result.csv"
        self._adb.pull(f"{self._there}/result.csv", own)
        samples = []
        for line in files.read_capped(own, _MOST_BYTES).decode("utf-8", "replace").split("\n"):
            cells = line.rsplit(",", 4)  # model, nanoseconds, memory, processor, number
            if len(cells) == 5 and cells[1].isdecimal():
                samples.append(int(cells[1]))
        return tuple(samples)

    def _profiled(self) -> tuple[str, str]:
        """Profile the model with recognizable names; return names of files here."""
        # onnx, which the window does without until a phone profiles a model
        from inspector.backends.onnxruntime.graphs.layer_names import rename

        self._tell("profile")
        # Its large weights stay in the model's own file, beside it.
        renamed = self._target / "renamed.onnx"
        body = rename(opening.skeleton(self._lay_out()))[0].SerializeToString()
        renamed.write_bytes(body)
        self._adb.push(renamed, f"{self._there}/{renamed.name}")
        there = shlex.quote(self._there)
        clean = f"rm -f {there}/profile* {there}/optimized*"
        self._adb.shell(clean)
        base = [*self._options(self._spec.profiled_runs + 1), "-p", "profile"]
        writes = [
            "-u", "optimized.onnx", "-C",
            "session.optimized_model_external_initializers_file_name|optimized.bin "
            "session.optimized_model_external_initializers_min_size_in_bytes|1024",
        ]  # fmt: skip
        optimized = "optimized.onnx"
        try:
            self._shell(*base, *writes, renamed.name)
        except EngineFailed:  # what a device compiled cannot be written
            self._adb.shell(clean)
            self._shell(*base, renamed.name)
            optimized = ""
        names = self._adb.shell(f"cd {there} && ls profile*").split()
        if not names:
            self._notes.append("Layers are not timed: the program wrote no profile.")
            return "", ""
        self._adb.pull(f"{self._there}/{names[-1]}", self._target / "profile.json")
        if optimized:
            self._adb.pull(f"{self._there}/{optimized}", self._target / optimized)
        self._adb.shell(clean)
        return "profile.json", optimized

    def _benchmark_model(self) -> ProgramRun:
        """Start the program several times: it reports only the mean of the runs of a start."""
        spec = self._spec
        arguments = [f"--graph={self._model}", f"--warmup_runs={max(1, spec.warmup)}"]
        arguments += [f"--num_threads={spec.threads}"] if spec.threads else []
        arguments += [f"--use_xnnpack={'true' if spec.xnnpack else 'false'}"]
        arguments += [f"--use_{self._device}=true"] if self._device != "cpu" else []
        once = ["--num_runs=1", "--min_secs=0", "--warmup_min_secs=0"]
        starts = min(_STARTS, max(spec.runs, 1))
        logs, samples = list[str](), list[int]()
        for number in range(starts):
            self._tell("prediction", number / starts)
            logs.append(self._shell(*arguments, *once))
            samples.append(_number(logs[-1], r"Inference \(avg\): ([\d.eE+]+)", 1e3))
        if not all(samples):
            last = clip("; ".join(logs[-1].strip().split("\n")[-2:]), 300)
            raise EngineFailed("Could not measure on the phone", last or "it printed nothing")
        self._notes.append(
            "benchmark_model reports the mean of its runs, not each run: it was started "
            f"{plural(starts, 'time')}, each time for one run after "
            f"{plural(max(1, spec.warmup), 'warm-up run')}."
        )
        if self._device != "cpu" and not re.search(r"delegate", logs[0], re.I):
            self._notes.append(f"The program does not say that {self._device} ran anything.")
        profiled = ""
        if spec.profiled_runs:
            self._tell("profile")
            profile = ["--enable_op_profiling=true", f"--num_runs={spec.profiled_runs}"]
            log = self._shell(*arguments, *profile, "--min_secs=0")
            profiled = "profile.log"
            (self._target / profiled).write_text(log, "utf-8")
        first = logs[0]
        peak = _number(first, r"overall=([\d.eE+-]+)", float(1 << 20))
        return ProgramRun(
            BENCHMARK_MODEL,
            self._device,
            self._environment("LiteRT"),
            tuple(samples),
            (1,) * len(samples),
            _number(first, r"Init: ([\d.eE+]+)", 1e3),
            _number(first, r"First inference: ([\d.eE+]+)", 1e3),
            peak,
            (),
            profiled,
        )

    # The phone.

    def _environment(self, runtime: str) -> Environment:
        hello = self._phone.hello
        return Environment(
            inspector=__version__,
            onnxruntime="",
            packages=(self._kind,),
            python="none",
            system=str(hello["system"]),
            cpu=str(hello["cpu"]),
            cores=int(hello["cores"]),
            memory_bytes=int(hello["memory_bytes"]),
            load_average=float(hello["load"]),
            governor=str(hello["governor"]),
            runtime=f"{runtime} unknown",
        )

    def _state(self) -> str:
        """Return thermal state, battery temperature and clocks as a sentence's part."""
        text = self._adb.shell(f"{_STATE}; true")
        thermal = re.search(r"Thermal Status: (\d+)", text)
        battery = re.search(r"temperature: (\d+)", text)
        now, _, most = text.rpartition("of\n")
        clocks = [int(line) for line in now.split("\n") if line.strip().isdecimal()]
        limits = [int(line) for line in most.split("\n") if line.strip().isdecimal()]
        level = int(thermal[1]) if thermal else -1
        named = _THERMAL[level] if 0 <= level < len(_THERMAL) else "unknown"
        parts = [f"thermal throttling {named}"]
        parts.append(f"battery {int(battery[1]) / 10:.1f} °C" if battery else "battery unknown")
        if clocks and len(clocks) == len(limits):
            pairs = zip(clocks, limits, strict=True)
            cores = ", ".join(f"{a / 1e6:.2f} of {b / 1e6:.2f}" for a, b in pairs)
            parts.append(f"CPU clocks {cores} GHz")
        else:
            parts.append("CPU clocks unknown")
        return ", ".join(parts)

    def _tell(self, step: str, done: float = -1.0, part: str = "") -> None:
        if self._adb.stopped:
            raise Cancelled("Stopped")
        self._on_event({"type": "progress", "step": step, "done": done, "part": part})


def _number(text: str, pattern: str, scale: float) -> int:
    """Return the number that a pattern finds, in our unit; 0: there is none."""
    match = re.search(pattern, text)
    try:
        return round(float(match[1]) * scale) if match else 0
    except ValueError:
        return 0

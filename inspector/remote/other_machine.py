"""A machine on which jobs run, by whatever it is reached: what all kinds have in common.

`connection.Machine` has an agent of Inspector, reached by SSH or on this machine; plugins add
others. One without an agent measures with a program of its own: it is a `MeasuringMachine`.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from inspector import __version__
from inspector.errors import BadInput, Cancelled
from inspector.remote import messages
from inspector.remote.messages import DONE, End, Job
from inspector.report.report import PerformanceReport
from inspector.report.report_values import Device
from inspector.report.run_spec import RunSpec

Event = dict[str, Any]
OnEvent = Callable[[Event], None]

# Settings that ask for more than a program measures; without them its times are the same.
_MORE = frozenset({
    "steady", "layer_precision", "until", "most_seconds", "roofline", "check", "predict",
    "loads", "phases", "starts", "around_failures", "load_from",
})  # fmt: skip
_BY_DEFAULT = ("steady", "layer_precision")  # of those: defaults, which nobody asked for


class OtherMachine:
    """Runs jobs elsewhere, one at a time.

    name: what the user calls it. hello: what is known of it; empty before it is reached.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.hello: Event = {}

    @property
    def place(self) -> str:
        """Return which machine ran the last job, for people."""
        return self.name

    def connect(self) -> Event:
        """Reach it, and return its hello. Raises InspectorError."""
        raise NotImplementedError

    def run(
        self,
        job: Job,
        own_files: Mapping[str, Path],
        target: Path,
        on_event: OnEvent = lambda _: None,
    ) -> End:
        """Run a job, and put the files of its result into a folder, named as in the end.

        own_files: by SHA-256, those that are sent if the machine lacks them. target: the
        folder. on_event: told what arrives about the job, and "sending", "offline".
        Raises InspectorError: Cancelled; EngineDied if it cannot be reached; what it refused.
        """
        raise NotImplementedError

    def cancel(self) -> None:
        """Stop the job that runs, from any thread; `run` raises Cancelled."""

    def stop(self) -> None:
        """Let the text that is being generated end with what it has, from any thread; a machine
        that cannot be told goes on to the end."""

    def share(self, report: PerformanceReport) -> None:
        """Show a report of the last job to others who use this machine, if there are any."""

    def close(self) -> None:
        """End the connection, if there is one."""


class MeasuringMachine(OtherMachine):
    """Lists devices and measures with what is there; it has no agent and no Python.

    title: what it is, at the start of an error ("a phone that is reached by adb").
    without: settings that are ignored there, with a note: they ask for more than is measured.
    """

    title = "this machine"
    without = _MORE

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.cancelled = False

    def devices(self) -> Sequence[Device]:
        """Return the devices that it may have."""
        raise NotImplementedError

    def measured(
        self, job: Job, own_files: Mapping[str, Path], target: Path, on_event: OnEvent
    ) -> End:
        """Return the end of a measurement, with its report in the folder."""
        raise NotImplementedError

    def run(
        self,
        job: Job,
        own_files: Mapping[str, Path],
        target: Path,
        on_event: OnEvent = lambda _: None,
    ) -> End:
        """List devices, or measure. Raises BadInput for any other job."""
        self.cancelled = False
        if not self.hello:
            self.connect()
        match job.kind:
            case "devices":
                return End(job.id, DONE, answer=msgspec.to_builtins(tuple(self.devices())))
            case "measure":
                return self.measured(job, own_files, target, on_event)
        why = f"{self.title} runs no job of the kind '{job.kind}'"
        raise BadInput(f"Could not use {self.name}", why, "Use `measure` or `sweep`.")

    def cancel(self) -> None:
        """Stop the job that runs, from any thread."""
        self.cancelled = True

    def expect_going_on(self) -> None:
        """Raise Cancelled once the job was stopped."""
        if self.cancelled:
            raise Cancelled("Stopped")

    def described(self, system: str, cpu: str, runtimes: Sequence[str], **more: Any) -> Event:
        """Keep and return a hello. more: what else is known of it."""
        self.hello = {
            "type": "hello",
            "protocol": messages.PROTOCOL,
            "inspector": __version__,
            "python": "none",
            "runtimes": dict.fromkeys(runtimes, "unknown version"),
            "kinds": ("measure", "devices"),
            "system": system,
            "cpu": cpu,
            "labels": (),
            **more,
        }
        return self.hello

    def expected(self, job: Job, program: str, known: frozenset[str]) -> RunSpec:
        """Return the settings of a job. Raises BadInput: the program has not all of them."""
        unknown = [name for name in job.spec if name not in known | self.without]
        if unknown:
            why = f"{program} has no setting for '{unknown[0]}'"
            raise BadInput(f"Could not measure on {self.name}", why, "Omit that option.")
        return messages.read_spec(job.spec)

    def ignored(self, job: Job, program: str) -> list[str]:
        """Return a note on the settings of a job that the program does not have, if any."""
        names = [name for name in job.spec if name in self.without.difference(_BY_DEFAULT)]
        return [f"{program} has no setting for {', '.join(names)}."] if names else []

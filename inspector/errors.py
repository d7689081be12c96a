"""Everything that can go wrong for a user, said so that they can act on it."""

from collections.abc import Callable


class InspectorError(Exception):
    """A failure the user can understand; every other exception is a bug.

    what: what did not happen, in the user's words ("Could not open mobilenet.onnx").
    why: the cause as far as it is known.
    hint: the next thing to try; empty when there is none.
    phase: what was under way ("load", "prediction", ...); empty when it does not matter.
    """

    def __init__(self, what: str, why: str = "", hint: str = "", phase: str = "") -> None:
        super().__init__(what, why, hint, phase)
        self.what, self.why, self.hint, self.phase = what, why, hint, phase

    def __str__(self) -> str:
        return self.said()

    def said(self, translate: Callable[[str], str] = str) -> str:
        """Return what, why and hint as text, in the language that `translate` translates to."""
        texts = (self.what, self.why, self.hint)
        what, why, hint = (_in_one_line(translate(text)) for text in texts)
        because = f"{what}: {why}" if why else what
        return f"{because}\n{hint}" if hint else because


def _in_one_line(text: str) -> str:
    """Return a text in one line; names of files and texts of others may contain line breaks."""
    return text.replace("\n", "\\u000a")


class UnreadableFile(InspectorError):
    """The file is not one this program can read."""


class BadInput(InspectorError):
    """A value given for a model's input, an option or a setting does not fit."""


class EngineFailed(InspectorError):
    """The runtime refused the model, the inputs or the device.

    layer: the name of the layer that the runtime blames; empty where it names none.
    """

    def __init__(
        self, what: str, why: str = "", hint: str = "", phase: str = "", layer: str = ""
    ) -> None:
        super().__init__(what, why, hint, phase)
        self.layer = layer


class DeviceFailed(EngineFailed):
    """A device took layers of the model, and then its session or its prediction failed.

    device: its id. layers: indices of those to blame. reason: of the runtime, without a name.
    before: failures that were gone around before this one.
    """

    def __init__(
        self,
        what: str,
        why: str = "",
        hint: str = "",
        phase: str = "",
        device: str = "",
        layers: tuple[int, ...] = (),
        reason: str = "",
    ) -> None:
        super().__init__(what, why, hint, phase)
        self.device, self.layers, self.reason = device, layers, reason
        self.before: tuple[DeviceFailed, ...] = ()


class OutputsDestroyed(InspectorError):
    """The outputs of a changed model are mostly different; it was not saved."""


class EngineDied(InspectorError):
    """The engine process ended, hung or babbled in the middle of a job.

    crash: what the system calls the end of a process that crashed, such as "SIGSEGV"; else "".
    """

    crash = ""


class EngineKilled(EngineDied):
    """Another program ended the engine process, which says nothing about the model."""


class EngineLate(EngineDied):
    """The engine process was ended because a job took longer than it was allowed."""


class MachineBusy(InspectorError):
    """Another measurement is under way on this machine, and nobody wanted to wait."""


class NotSaved(InspectorError):
    """A file could not be written; the earlier one, if any, is untouched."""


class Cancelled(InspectorError):
    """The user stopped the job; nobody needs to be told."""

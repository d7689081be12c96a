"""Inspector: what an ONNX model is, what it answers, how fast it runs and on what."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.recorder.recording_context import recording as recording


__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Load `recording` when it is first asked for, so that the door stays light."""
    if name == "recording":
        from inspector.recorder.recording_context import recording

        return recording
    raise AttributeError(f"module 'inspector' has no attribute {name!r}")

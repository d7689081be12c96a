"""The library onnx for what few programs ask of it: loaded with its first use, 0.1 s."""

from typing import TYPE_CHECKING

from inspector.platform.late_modules import LateModule

__all__ = ["onnx"]

if TYPE_CHECKING:
    import onnx
else:
    onnx = LateModule("onnx")  # the window and most predictions start without it

"""ONNX Runtime on the CPU, to see that what was written answers as it should."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray


def run(path: Path, feeds: Mapping[str, NDArray[np.generic]]) -> dict[str, NDArray[np.generic]]:
    """Outputs by name."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(names, dict(feeds)), strict=True))

"""NVIDIA's libraries, which the providers of its cards need and the runtime does not bring.

pip installs them beside the runtime (`onnxruntime-gpu[cuda,cudnn]`), where no system looks; the
runtime finds them there when it is asked to.
"""

import contextlib
import io
import re
from functools import cache

import onnxruntime

PROVIDERS = ("CUDAExecutionProvider", "TensorrtExecutionProvider")
IDS = ("cuda", "tensorrt")
HINT = (
    "pip install 'onnxruntime-gpu[cuda,cudnn]' brings them, or install CUDA and cuDNN; "
    "the card's own driver has to be there besides."
)


@cache
def absent() -> tuple[str, ...]:
    """Load the libraries, once for this process, and name those that are nowhere to be found.

    Nothing for a runtime that was built without them. Source: onnxruntime.preload_dlls, which
    prints what it does not find.
    """
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        onnxruntime.preload_dlls(msvc=False)
    return tuple(re.findall(r"Failed to load ([\w.-]+):", said.getvalue()))


def reason(provider: str) -> str:
    """Why a provider of NVIDIA's cannot start, as far as its libraries tell; else nothing."""
    missing = absent() if provider in PROVIDERS else ()
    return f"{', '.join(missing)} cannot be found" if missing else ""

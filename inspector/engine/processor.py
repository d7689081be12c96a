"""What the processor of this machine is called, found without a runtime."""

import platform
from pathlib import Path


def machine() -> list[str]:
    """System, architecture and processor: what is measured here, is measured on these."""
    return [platform.system(), platform.machine(), _name()]


def _name() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text("utf-8", "replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor()

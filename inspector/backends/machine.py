"""The machine and its software, for the report of any backend; nothing that names its owner."""

import os
import platform
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import psutil

from inspector import __version__
from inspector.report.environment import Environment

_FREQUENCY = Path("/sys/devices/system/cpu/cpu0/cpufreq")


def environment(packages: Iterable[str], runtime: str, onnxruntime: str = "") -> Environment:
    """Describe this machine.

    packages: name and version of each package that brought the runtime or a device, the
    runtime's first. runtime: its name and version ("ONNX Runtime 1.31.1"). onnxruntime: version
    of ONNX Runtime if that is the backend.
    """
    return Environment(
        inspector=__version__,
        onnxruntime=onnxruntime,
        runtime=runtime,
        packages=tuple(dict.fromkeys(filter(None, packages))),
        python=platform.python_version(),
        system=f"{platform.system()} {platform.machine()}",
        cpu=processor_name(),
        cores=os.cpu_count() or 1,
        memory_bytes=int(psutil.virtual_memory().total),
        load_average=round(psutil.getloadavg()[0], 2),
        governor=frequency_setting("scaling_governor"),
        frequency_driver=frequency_setting("scaling_driver"),
    )


@cache
def processor_name() -> str:
    """Return the processor's name as its maker writes it ("AMD EPYC 7763 64-Core")."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        for line in cpuinfo.read_text("utf-8", "replace").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name" and value.strip():
                return value.strip()
    return platform.processor() or platform.machine() or "CPU"


def frequency_setting(name: str, folder: Path = _FREQUENCY) -> str:
    """Return a cpufreq file of Linux's first core; empty where there is none (most VMs)."""
    try:
        return (folder / name).read_text("ascii", "replace").strip()
    except OSError:
        return ""

"""Machine and software of a measurement, without anything that names its owner."""

import os
import platform
from collections.abc import Iterable
from pathlib import Path

import onnxruntime
import psutil

from inspector import __version__
from inspector.engine.sessions import devices, providers
from inspector.report import Environment

_FREQUENCY = Path("/sys/devices/system/cpu/cpu0/cpufreq")


def environment(sources: Iterable[str] = ()) -> Environment:
    """Describe this machine; `sources`: packages and versions that brought devices."""
    packages = dict.fromkeys((providers.runtime_source(), *filter(None, sources)))
    return Environment(
        inspector=__version__,
        onnxruntime=onnxruntime.__version__,
        packages=tuple(packages),
        python=platform.python_version(),
        system=f"{platform.system()} {platform.machine()}",
        cpu=devices.processor_name(),
        cores=os.cpu_count() or 1,
        memory_bytes=int(psutil.virtual_memory().total),
        load_average=round(psutil.getloadavg()[0], 2),
        governor=_told("scaling_governor"),
        frequency_driver=_told("scaling_driver"),
    )


def _told(name: str, folder: Path = _FREQUENCY) -> str:
    """What Linux says of the first core's frequency; a virtual machine mostly says nothing."""
    try:
        return (folder / name).read_text("ascii", "replace").strip()
    except OSError:
        return ""

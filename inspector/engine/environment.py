"""Machine and software of a measurement, without anything that names its owner."""

import os
import platform
from collections.abc import Iterable

import onnxruntime
import psutil

from inspector import __version__
from inspector.engine import devices, providers
from inspector.report import Environment


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
    )

"""The machine and its software, for the report of any backend; nothing that names its owner."""

import os
import platform
import subprocess
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from inspector import __version__
from inspector.analysis.facts.quantization import adds_int8_products
from inspector.backends.hardware import cards
from inspector.model.model import Model
from inspector.platform.late_modules import psutil
from inspector.report.environment import Environment
from inspector.report.report_values import Hardware

if sys.platform == "win32":
    import winreg

# Verified with a model whose recorded outputs an AVX2 processor missed in 678 of 1,000 numbers,
# and met in all with its int8 weights written as uint8. ONNX Runtime has a setting against it
# (session.x64quantprecision), with which version 1.31 did not load that model.
_INT8_NOTE = (
    "This CPU has no int8 dot product (VNNI), so kernels for int8 weights can saturate sums at "
    "16 bits, and outputs can differ from those of other CPUs by some quantization steps."
)
_CPU_INFO = Path("/proc/cpuinfo")
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
        load_average=round(load_average(), 2),
        governor=frequency_setting("scaling_governor"),
        frequency_driver=frequency_setting("scaling_driver"),
    )


@cache
def hardware() -> tuple[Hardware, ...]:
    """Return the CPU and what else can compute on this machine."""
    memory = int(psutil.virtual_memory().total)
    return (Hardware("", processor_name(), "", memory, "cpu"), *cards())


def processor_name() -> str:
    """Return the processor's name as its maker writes it ("AMD EPYC 7763 64-Core")."""
    name = _cpu_info("model name") or _windows_name() or _macos_name()
    return name or platform.processor() or platform.machine() or "CPU"


def _windows_name() -> str:
    """Return the name from the registry; `platform` only knows family and model there."""
    if sys.platform == "win32":
        place = r"HARDWARE\DESCRIPTION\System\CentralProcessor\0"
        try:
            with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, place) as key:
                return str(winreg.QueryValueEx(key, "ProcessorNameString")[0]).strip()
        except OSError:
            return ""
    return ""


def _macos_name() -> str:
    """Return the name that sysctl has; `platform` only says "arm" or "i386" there."""
    if sys.platform != "darwin":
        return ""
    command = ["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def load_average() -> float:
    """Return the load average of the last minute; 0.0 where the system does not tell it.

    Windows has none: psutil counts from its first call on, by performance counters that fail on
    some machines.
    """
    try:
        return float(psutil.getloadavg()[0])
    except (AttributeError, OSError, RuntimeError):
        return 0.0


def int8_notes(sides: Iterable[tuple[Model, Sequence[str]]]) -> tuple[str, ...]:
    """Return why outputs of quantized models may differ on this CPU; empty if they need not.

    sides: each model that ran, and the devices of its session, first choice first. Only Linux
    says which instructions an x86 processor has; elsewhere there is no note.
    """
    flags = _cpu_info("flags")
    if not flags or "vnni" in flags:
        return ()
    on_cpu = (model for model, devices in sides if tuple(devices[:1]) == ("cpu",))
    return (_INT8_NOTE,) if any(map(adds_int8_products, on_cpu)) else ()


def _cpu_info(name: str) -> str:
    """Return a field of the first processor in Linux's list; empty where there is none."""
    try:
        lines = _CPU_INFO.read_text("utf-8", "replace").splitlines()
    except OSError:
        return ""
    for line in lines:
        key, _, value = line.partition(":")
        if key.strip() == name and value.strip():
            return value.strip()
    return ""


def frequency_setting(name: str) -> str:
    """Return a cpufreq file of Linux's first core; empty where there is none (most VMs)."""
    try:
        return (_FREQUENCY / name).read_text("ascii", "replace").strip()
    except OSError:
        return ""

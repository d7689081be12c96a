"""Builds the library into the wheel, whose tag says the C library and processor it needs."""

import os
import platform
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class LibraryHook(BuildHookInterface):
    """Compiles the recorder."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Put the library beside the package."""
        root = Path(self.root)
        place = root.parent / "inspector" / "recorder" / "native"
        sources, flags = sorted(place.glob("*.c")), (place / "flags.txt").read_text().split()
        made = root / "onnx_inspector_native" / "libinspector-recorder.so"
        compiler = os.environ.get("CC", "cc")  # such as aarch64-linux-gnu-gcc
        subprocess.run(
            [compiler, *flags, "-o", made, *sources, "-ldl", "-lpthread"], check=True
        )
        told = subprocess.run([compiler, "-dumpmachine"], capture_output=True, text=True)
        machine, (_, libc) = told.stdout.partition("-")[0], platform.libc_ver()
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-manylinux_{libc.replace('.', '_')}_{machine}"

"""Write resources/confinement/system_calls.json: the numbers of Linux's system calls by name.

Run it on a Linux with the kernel's headers (Debian: linux-libc-dev):
    python tools/system_calls.py /usr/include
x86_64 comes from asm/unistd_64.h, aarch64 from asm-generic/unistd.h, which is its table.
"""

import json
import re
import sys
from pathlib import Path

DEFINITION = re.compile(r"^#define __NR(?:3264)?_(\w+)\s+(\d+)", re.MULTILINE)
# The generic table has one number for both names; 64-bit systems use the shorter one.
SHORT_NAMES = {"fstatat": "newfstatat"}
LEFT_OUT = {"syscalls", "arch_specific_syscall"}


def numbers(header: Path) -> dict[str, int]:
    """Return the number of each system call that a header defines."""
    system_calls = {
        name: int(number) for name, number in DEFINITION.findall(header.read_text())
    }
    return {
        SHORT_NAMES.get(name, name): system_calls[name]
        for name in sorted(system_calls.keys() - LEFT_OUT)
    }


def main() -> None:
    """Read the two headers below the folder that was named."""
    include = Path(sys.argv[1])
    (x86_64,) = include.glob("**/asm/unistd_64.h")
    tables = {
        "x86_64": numbers(x86_64),
        "aarch64": numbers(include / "asm-generic" / "unistd.h"),
    }
    target = Path(__file__).parents[1] / "resources" / "confinement" / "system_calls.json"
    target.write_text(json.dumps(tables, indent=0) + "\n", "ascii")


if __name__ == "__main__":
    main()

"""A child that confines itself as decoders and engines do, then tries things.

python confined_child.py FOLDER FILE PORT PARENT: prints the level in force and what came of
each attempt as JSON. FOLDER: its own; FILE: of the user; PORT: where the parent listens.
"""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

from inspector.sandbox import confinement

MEMORY_BYTES = 1 << 30


def main() -> None:
    folder, user_file, port, parent = sys.argv[1:]
    sys.stdin.readline()  # until the parent has put its limits on this process
    confinement.take_no_more_than(MEMORY_BYTES)
    level = confinement.confine_this_process([], folder)
    file = Path(user_file)

    def connect() -> None:
        socket.create_connection(("127.0.0.1", int(port)), timeout=10).close()

    def start_a_program() -> None:
        subprocess.run([sys.executable, "-S", "-c", "pass"], check=True, timeout=300)

    def open_the_parent() -> None:
        if os.name != "nt":
            os.kill(int(parent), 0)
            return
        import ctypes

        terminate, write_memory = 0x1, 0x20
        access = terminate | write_memory
        if not vars(ctypes)["WinDLL"]("kernel32").OpenProcess(access, 0, int(parent)):
            raise PermissionError("OpenProcess")

    def import_a_module() -> None:
        import colorsys

        assert colorsys

    attempts = {
        "write into its folder": lambda: Path(folder, "own").write_text("mine"),
        "import a module": import_a_module,
        "read one of the user's files": file.read_bytes,
        "write a new file": lambda: file.with_name("new").write_text("theirs"),
        "overwrite a file": lambda: file.write_text("theirs"),
        "delete a file": file.unlink,
        "make a folder": file.with_name("made").mkdir,
        "connect": connect,
        "start a program": start_a_program,
        "open the parent": open_the_parent,
        "take 2 GiB": lambda: bytearray(2 << 30),
    }
    results = {}
    for name, attempt in attempts.items():
        try:
            attempt()
            results[name] = "works"
        except Exception as error:  # noqa: BLE001 - whatever refuses it
            results[name] = type(error).__name__
    sys.stdout.write(json.dumps({"level": level, "results": results}))


if __name__ == "__main__":
    main()

"""Where the nets come from: exported by a Python with torch, else built node by node.

`python -m benchmarks.corpus.making [--torch PYTHON] [FOLDER]` fills the folder, by default
out/corpus in this checkout, and says what could not be made. PYTHON: one that has torch and
onnxscript; by default this one, or the one that INSPECTOR_TORCH names.
"""

import argparse
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from benchmarks.corpus import built
from benchmarks.corpus.variants import variants

FOLDER = Path(__file__).parents[2] / "out" / "corpus"
NETS = Path(__file__).with_name("nets.py")


def fill(folder: Path, python: str | None) -> None:
    """Make all nets and their variants, in place of what the folder has."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.onnx"):
        old.unlink()
    if python is None:
        print("torch is not here: nets are built as exporters write them, without exporters.")
        made = built.write(folder)
    else:
        subprocess.run([python, str(NETS), str(folder)], check=True)
        made = tuple(sorted(folder.glob("*.onnx")))
    count = sum(1 for path in made for _ in variants(path))
    print(f"{len(made)} nets and {count} variants")


def torch_python() -> str | None:
    """Find a Python that has torch."""
    named = os.environ.get("INSPECTOR_TORCH")
    return named or (sys.executable if find_spec("torch") else None)


def corpus() -> tuple[Path, ...]:
    """List the nets, which are made once."""
    if not any(FOLDER.glob("*.onnx")):
        fill(FOLDER, torch_python())
    return tuple(sorted(FOLDER.glob("*.onnx")))


def main() -> None:
    """Make the nets again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--torch", default=torch_python())
    options = parser.parse_args()
    fill(options.folder, options.torch)


if __name__ == "__main__":
    main()

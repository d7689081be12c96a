"""Write the tables of numbers of GGUF's kinds IQ1, IQ2 and IQ3: python -m tools.make_gguf_grids

The tables are facts of the format, defined in ggml-common.h of ggml (MIT license). The package
gguf of the same authors has them; it has to be installed in the Python that runs this, in no
other.
"""

import json
import zlib
from base64 import b85encode
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

KINDS = ("IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ3_XXS", "IQ3_S", "IQ1_S")
TARGET = Path(__file__).parents[1] / "inspector" / "formats" / "weight_files"


def main() -> None:
    """Write `gguf_grids.json`."""
    quants = import_module("gguf.quants")
    grids = {}
    for name in KINDS:
        kind = getattr(quants, name)
        kind.init_grid()
        grid = kind.grid.reshape(kind.grid_shape).astype("int8")
        packed = b85encode(zlib.compress(grid.tobytes(), 9)).decode()
        grids[name] = {"numbers": grid.shape[1], "packed": packed}
    about = f"ggml-common.h of ggml (MIT license), by gguf {version('gguf')}"
    body = json.dumps({"source": about, "grids": grids}, indent=1) + "\n"
    (TARGET / "gguf_grids.json").write_text(body, "utf-8")


if __name__ == "__main__":
    main()

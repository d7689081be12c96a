"""Predicts, does something to the files of its own recording, and goes on."""

import os
import shutil
import sys
import time
from pathlib import Path

import numpy as np
import onnxruntime

session = onnxruntime.InferenceSession(sys.argv[1])
picture = np.ones((1, 1, 8, 8), np.float32)
place, victim = Path(os.environ["INSPECTOR_RECORD"]), Path(sys.argv[3])


def predict() -> None:
    """Call the runtime 40 times."""
    for _ in range(40):
        session.run(None, {"picture": picture})


def files(suffix: str = "") -> list[Path]:
    """The files of this recording."""
    return list(place.glob(f"part-*{suffix}"))


predict()
time.sleep(1)  # what is told every 0.2 s is on the disk
match sys.argv[2]:
    case "folder":
        shutil.rmtree(place)
    case "folder and back":
        shutil.rmtree(place)
        place.mkdir()
    case "moved":
        place.rename(victim.with_name("moved"))
    case "facts":
        for path in files(".facts"):
            path.unlink()
    case "spans":
        for path in files(".spans"):
            path.unlink()
    case "cut off":
        for path in files(".facts"):
            os.truncate(path, 0)
    case "overwritten":
        for path in files(".facts"):
            path.write_bytes(b"\xff" * 100_000)
    case "links":
        for path in files():
            path.unlink()
            path.symlink_to(victim)
    case "pipes":
        for path in files():
            path.unlink()
            os.mkfifo(path)
    case "folders":
        for path in files():
            path.unlink()
            path.mkdir()
    case "spans cut off":
        for path in files(".spans"):
            os.truncate(path, 0)
predict()

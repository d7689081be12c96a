"""Frames ask the system for no memory anew."""

import subprocess
import sys

import pytest

_PROGRAM = """
import resource
import numpy as np
from inspector.ui.timeline.model.state import keep_pages

keep_pages()


def frame():
    arrays = [np.ones(100_000) for _ in range(8)]
    return sum(float(one[0]) for one in arrays)


for turn in range(30):
    if turn == 10:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    frame()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc gives pages back so soon")
def test_what_one_frame_frees_serves_the_next_one():
    told = subprocess.run(
        [sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=True
    )
    assert int(told.stdout) < 400  # of 20 frames of 1,600 pages

"""Processor time of commands on ONNX models, in turns with another tree of this project.

    python -m benchmarks.other_tree TREE [ROUNDS]

TREE: a checkout of an earlier commit (`git worktree add --detach TREE COMMIT`). Both run with
this Python and its packages, each command as a process of its own. Processor time counts, of
the command and its engines: on a busy machine elapsed time says nothing. Each pair of neighbors
gives a ratio; the interval is of their mean logarithm. Bound: no ratio surely above 1.1.
"""

import compileall
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).parents[1]
MODEL, IMAGE = "digits_float32.onnx", "inputs/digit_3.png"
LIMIT = 1.1
COMMANDS = {
    "info": ("info", MODEL),
    "predict": ("predict", MODEL, "--input", IMAGE),
    "measure": ("measure", MODEL, "--runs", "200", "--no-layers"),
    "measure, layers": ("measure", MODEL, "--runs", "200"),
    "layers": ("layers", MODEL),
    "parity": ("parity", MODEL, "--against", "level=none"),
}


def main() -> None:
    """Print for each command both medians and the ratio; exit with 1 if one is too slow."""
    trees = [Path(sys.argv[1]).resolve(), HERE]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    too_slow = []
    print(f"{'command':<16} {'before':>8} {'now':>8}  ratio (95% interval), {rounds} pairs")
    with tempfile.TemporaryDirectory() as scratch:
        for name, command in COMMANDS.items():
            for tree in trees:
                compileall.compile_dir(tree / "inspector", quiet=1)  # as pip does
                _seconds(tree, command, scratch)  # writes caches
            pairs = []
            for number in range(rounds):
                order = (0, 1) if number % 2 else (1, 0)
                spent = {side: _seconds(trees[side], command, scratch) for side in order}
                pairs.append((spent[0], spent[1]))
            before, now = np.array(pairs).T
            logs = np.log(now / before)
            half = 2.26 * logs.std(ddof=1) / rounds**0.5  # Student's t of ten pairs
            low, middle, high = np.exp([logs.mean() - half, logs.mean(), logs.mean() + half])
            print(
                f"{name:<16} {np.median(before):6.2f} s {np.median(now):6.2f} s  "
                f"{middle:.2f} ({low:.2f} to {high:.2f})",
                flush=True,
            )
            if low > LIMIT:
                too_slow.append(name)
    if too_slow:
        sys.exit(f"slower than {LIMIT}: {', '.join(too_slow)}")


def _seconds(tree: Path, command: tuple[str, ...], scratch: str) -> float:
    """Return the processor time of a command and the processes that it started."""
    own = f"{scratch}/{tree.name}"
    environment = {
        **os.environ,
        "PYTHONPATH": str(tree),
        "XDG_CACHE_HOME": own,
        "XDG_CONFIG_HOME": own,
        "XDG_DATA_HOME": own,
    }
    samples = HERE / "sample_models"
    given = [str(samples / part) if part in (MODEL, IMAGE) else part for part in command]
    begun = _children()
    subprocess.run(
        [sys.executable, "-m", "inspector", *given],
        cwd=tree,
        env=environment,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return _children() - begun


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()

"""Run the commands of the pages in docs/how_to and write what they print below them.

    python -m tools.make_how_to_pages             # all pages, on an idle machine
    python -m tools.make_how_to_pages report.md   # these pages

A block of commands has no language. A block of the language `text` that follows it holds what
the last command printed; `<!-- first 12 lines -->` or `<!-- last 12 lines -->` before it keeps
it short.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "how_to"
# Commands, words between, an optional length, and the output.
_EXAMPLE = re.compile(
    r"^```\n(?P<commands>(?:inspector [^\n]*\n)+)```\n"
    r"(?P<between>\n(?:<!-- (?P<end>first|last) (?P<lines>\d+) lines -->\n)?)"
    r"```text\n(?P<output>.*?)^```\n",
    re.DOTALL | re.MULTILINE,
)
_WIDTH = "150"  # columns of the terminal that the commands believe in


def with_outputs(page: str, folder: Path) -> str:
    """Return a page with the outputs of its commands, which are run in a folder.

    Raises RuntimeError if a command fails.
    """

    def example(match: re.Match[str]) -> str:
        for command in match["commands"].splitlines():
            printed = _printed(command, folder)
        lines = printed.strip("\n").splitlines()
        most = int(match["lines"] or len(lines))
        if len(lines) > most:
            lines = [*lines[:most], "…"] if match["end"] == "first" else ["…", *lines[-most:]]
        text = "".join(f"{line.rstrip()}\n" for line in lines)
        return f"```\n{match['commands']}```\n{match['between']}```text\n{text}```\n"

    return _EXAMPLE.sub(example, page)


def _printed(command: str, folder: Path) -> str:
    program = f'"{sys.executable}" -m inspector'
    line = command.replace("inspector", program, 1).replace("-- python", f"-- {sys.executable}")
    run = subprocess.run(
        line,
        shell=True,
        cwd=folder,
        capture_output=True,
        text=True,
        env=os.environ | {"COLUMNS": _WIDTH, "PYTHONPATH": str(ROOT)},
    )
    if run.returncode not in {0, 3}:  # 3: a condition was met
        raise RuntimeError(f"{command}: status {run.returncode}\n{run.stdout}{run.stderr}")
    return run.stdout


def main(names: list[str]) -> None:
    """Rewrite the pages of these names, or all of them."""
    for path in sorted(FOLDER.glob("*.md")):
        if names and path.name not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "sample_models", Path(folder) / "sample_models")
            page = path.read_text("utf-8")
            path.write_text(with_outputs(page, Path(folder)), "utf-8")
        sys.stdout.write(f"{path.name}\n")


if __name__ == "__main__":
    main(sys.argv[1:])

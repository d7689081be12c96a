"""Models as they were in a commit of a git repository: "HEAD~1:net.onnx"."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from inspector.errors import UnreadableFile
from inspector.formats.archive import side_files
from inspector.formats.folders.reading import main_file
from inspector.formats.opening import located
from inspector.platform import files
from inspector.units import clip

_HINT = "Specify a commit and a path in its repository, such as HEAD~1:net.onnx."


@contextmanager
def located_at(path: Path) -> Iterator[Path]:
    """Yield the path of a model as a file: one that `located` takes, or one in a commit.

    REVISION:PATH is a file or a folder as it was in a commit. A relative PATH counts from the
    top of the repository, as git has it, or else from the current folder; an absolute one names
    a file of any repository. The external data files of the model, and all files of a folder,
    come with it. Filters of the repository are applied, so that files kept outside of git (LFS)
    come whole. Raises UnreadableFile: there is no git, commit or file.
    """
    revision, colon, name = str(path).partition(":")
    if not colon or len(revision) < 2 or not name or path.exists():  # "C:" is a drive
        with located(path) as file:
            yield main_file(file)
        return
    what = f"Could not open {clip(revision, 60)}:{clip(name, 120)}"
    if revision.startswith("-"):
        raise UnreadableFile(what, "a revision must not start with '-'")
    with files.temporary_folder("inspector-", what) as folder:
        commit = _Commit(revision, what)
        with located(commit.copied(name, Path(folder))) as file:
            yield main_file(file)


class _Commit:
    """Copies files of a commit."""

    def __init__(self, revision: str, what: str) -> None:
        self._revision, self._what = revision, what
        self._git: list[str] = ["git"]

    def copied(self, name: str, folder: Path) -> Path:
        """Copy a model with all that belongs to it, and return the copy."""
        inside = self._inside(name)
        target = folder / (PurePosixPath(name).name or "model.onnx")
        kind = self._asked("cat-file", "-t", f"{self._revision}:{inside}").strip()
        if kind == b"tree":
            listed = self._asked(
                "ls-tree", "-r", "-z", "--name-only", "--full-tree", self._top(inside)
            )
            for each in filter(None, listed.decode(errors="surrogateescape").split("\0")):
                self._copy(f"{inside.rstrip('/')}/{each}", target / each)
            return target
        self._copy(inside, target)
        home = inside.rpartition("/")[0]
        for each in self._side_files(target):
            beside = f"{home}/{each}" if home else each
            if not files.exists(folder / each) and self._has(beside):
                self._copy(beside, folder / each)
        return target

    def _side_files(self, model: Path) -> list[str]:
        try:
            return side_files(model)
        except UnreadableFile:  # whoever opens it says so
            return []

    def _top(self, inside: str) -> str:
        return f"{self._revision}:{inside.rstrip('/')}"

    def _inside(self, name: str) -> str:
        """Return the path for git, and choose the repository that it is in."""
        path = Path(name)
        if path.is_absolute():
            self._git = ["git", "-C", str(path.parent)]
            return f"./{path.name}"
        return name if self._has(name) or not self._has(f"./{name}") else f"./{name}"

    def _has(self, inside: str) -> bool:
        return self._run("cat-file", "-e", f"{self._revision}:{inside}").returncode == 0

    def _copy(self, inside: str, target: Path) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as out:
            command = [*self._git, "cat-file", "--filters", f"{self._revision}:{inside}"]
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.PIPE,
                check=False,
            )
        if done.returncode:
            raise self._failure(done.stderr)

    def _asked(self, *command: str) -> bytes:
        done = self._run(*command)
        if done.returncode:
            raise self._failure(done.stderr)
        return done.stdout

    def _run(self, *command: str) -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(
                [*self._git, *command],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
            )
        except FileNotFoundError as error:
            raise UnreadableFile(self._what, "git is not installed") from error

    def _failure(self, told: bytes) -> UnreadableFile:
        why = told.decode(errors="replace").strip().removeprefix("fatal: ")
        return UnreadableFile(self._what, clip(why or "git failed", 300), _HINT)

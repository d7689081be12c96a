"""A folder of inputs in shards: a thousand files are one job for the same command there.

A shard travels as one archive of numbered files, and comes back as the rows of a table.
"""

import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import msgspec

from inspector.errors import BadInput, Cancelled, EngineDied, EngineFailed
from inspector.platform import files
from inspector.preview.runs.folder import Row
from inspector.remote import messages
from inspector.remote.blobs import hash_of
from inspector.remote.connection import Runs
from inspector.remote.messages import Job, ModelFile
from inspector.units import clip

FILES = 1_000  # of one shard
_MOST_FILES, _MOST_BYTES = 10_000, 4 << 30  # of a shard, unpacked
ROWS, LABELS = "rows", "labels.txt"


class _Answer(msgspec.Struct):
    rows: tuple[Row, ...]


def predict(
    machines: Sequence[Runs],
    base: Job,
    own_files: Mapping[str, Path],
    paths: Sequence[Path],
    names: Mapping[Path, str],
    size: int = FILES,
) -> Iterator[Row]:
    """Yield a row for each file, in order. Raises InspectorError: a shard has no answer.

    machines: as many shards are under way at once. base: the job without its files. own_files:
    those of the model, by SHA-256. names: what a row calls a file.
    """
    parts = [paths[at : at + size] for at in range(0, len(paths), size)]
    free = list(machines)
    lock = threading.Lock()
    stopped = threading.Event()

    def one(part: Sequence[Path]) -> list[Row]:
        if stopped.is_set():
            raise Cancelled("Stopped")
        with lock:
            machine = free.pop()
        try:
            rows = _answered(machine, base, own_files, part)
        finally:
            with lock:
                free.append(machine)
        return [replace(row, file=names[p]) for p, row in zip(part, rows, strict=True)]

    with ThreadPoolExecutor(len(machines)) as pool:
        asked = [pool.submit(one, part) for part in parts]
        try:
            for each in asked:
                yield from each.result()
        except BaseException:
            stopped.set()
            for machine in machines:
                machine.cancel()
            raise


def _answered(
    machine: Runs, base: Job, own_files: Mapping[str, Path], part: Sequence[Path]
) -> list[Row]:
    with files.temporary_folder("inspector-", "Could not send the files") as made:
        archive = Path(made) / "files.zip"
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as packed:
            for number, path in enumerate(part):
                # The time of a file is no part of it: the same files are the same archive.
                info = zipfile.ZipInfo(f"{number:06}{path.suffix.lower()}")
                packed.writestr(info, files.read_capped(path, _MOST_BYTES))
        sha256, count = hash_of(archive)
        job = msgspec.structs.replace(base, folder=ModelFile("files.zip", sha256, count))
        job = msgspec.structs.replace(job, id=messages.job_id(job, machine.name))
        end = machine.run(job, {**own_files, sha256: archive}, Path(made))
        if end.state != messages.DONE:
            problem = end.problem or messages.Problem("EngineDied", "A shard has no answer")
            raise messages.error_of(problem)
        try:
            rows = msgspec.json.decode((Path(made) / ROWS).read_bytes(), type=_Answer).rows
            found = {int(Path(row.file).stem): row for row in rows}
            return [found[number] for number in range(len(part))]
        except (OSError, ValueError, KeyError) as error:
            what, why = "Could not read the answer of a shard", clip(str(error), 200)
            raise EngineDied(what, why, "Install the same version on all machines.") from error


# There.


def answer(
    model: Path,
    archive: Path,
    options: Mapping[str, str],
    folder: Path,
    began: Callable[[subprocess.Popen[bytes]], None],
) -> bytes:
    """Run the model on the files of an archive, and return the rows as JSON.

    began: told the process, to stop it. Raises BadInput: the archive is none that `predict`
    makes; EngineFailed: the command failed.
    """
    unpack(archive, folder)
    words = [f"--{name}={value}" if value else f"--{name}" for name, value in options.items()]
    if (model.parent / LABELS).exists():
        words.append(f"--labels={model.parent / LABELS}")
    command = [sys.executable, "-m", "inspector", "predict", str(model), "--folder"]
    command += [str(folder), "--truth", "none", "--json", *words]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    began(process)
    said, log = process.communicate()
    if process.returncode:
        why = clip(log.decode("utf-8", "replace").strip().replace("\n", "; "), 300)
        raise EngineFailed("Could not run predictions on the files of a shard", why)
    return said


def unpack(archive: Path, folder: Path) -> None:
    """Unpack numbered files. Raises BadInput: anything else is in the archive."""
    what = "Could not unpack a shard"
    try:
        with zipfile.ZipFile(archive) as packed:
            members = packed.infolist()
            total = sum(member.file_size for member in members)
            if len(members) > _MOST_FILES or total > _MOST_BYTES:
                raise BadInput(what, "it has too many files, or they are too large")
            for member in members:
                stem, _, suffix = member.filename.partition(".")
                plain = stem.isascii() and stem.isdecimal() and len(stem) == 6
                if not plain or not (suffix == "" or (suffix.isalnum() and len(suffix) < 9)):
                    raise BadInput(
                        what, f"'{clip(member.filename, 60)}' is not a numbered file"
                    )
                (folder / member.filename).write_bytes(packed.read(member))
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise BadInput(what, clip(str(error), 200)) from error

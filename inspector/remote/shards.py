"""A folder of inputs in shards: a thousand files are one job for the same command there.

A shard travels as one archive of numbered files, and comes back as one .npz file with the
columns of a table (see `columns_of`).
"""

import io
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from inspector.errors import BadInput, Cancelled, EngineDied, EngineFailed
from inspector.platform import files
from inspector.preview.runs.folder import Row
from inspector.remote import messages
from inspector.remote.blobs import hash_of
from inspector.remote.messages import Job, ModelFile
from inspector.remote.other_machine import OtherMachine
from inspector.units import clip

FILES = 1_000  # of one shard
# of a shard, unpacked
_MOST_FILES = 10_000
_MOST_BYTES = 4 << 30
AT_ONCE = 3  # shards on the way for each machine: one runs, one waits there, one is packed
_SMALLEST = 4  # the smallest shards are such a part of a whole one
ROWS = "rows.npz"
LABELS = "labels.txt"
_MOST_COLUMN = 256 << 20  # bytes


class _Row(msgspec.Struct):
    """What a shard needs of a row of `inspector predict --folder --json`."""

    file: str
    answer: str
    score: float | None
    top: tuple[str, ...]
    prediction_ns: int
    problem: str


class _Answer(msgspec.Struct):
    rows: tuple[_Row, ...]


def predict(
    machines: Sequence[OtherMachine],
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
    parts = _parts(paths, size, len(machines))
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


def _parts(paths: Sequence[Path], size: int, machines: int) -> list[Sequence[Path]]:
    """Divide files into shards, smaller ones towards the end: no machine is waited for long."""
    parts, at = [], 0
    while at < len(paths):
        rest = len(paths) - at
        count = min(size, max(size // _SMALLEST, rest // machines, 1))
        parts.append(paths[at : at + count])
        at += count
    return parts


def _answered(
    machine: OtherMachine, base: Job, own_files: Mapping[str, Path], part: Sequence[Path]
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
            return rows_of((Path(made) / ROWS).read_bytes(), len(part))
        except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
            what, why = "Could not read the answer of a shard", clip(str(error), 200)
            raise EngineDied(what, why, "Install the same version on all machines.") from error


def columns_of(rows: Sequence[Row]) -> bytes:
    """Return rows as an .npz file, in the order of the numbers of their files.

    Its arrays are `number`, `score` (NaN: unknown), `prediction_ns`, and texts in UTF-8:
    `answer`, `problem` and `top` have the bytes of all rows, arrays named after them with
    "_ends" say where each text ends, and `top_count` how many of `top` belong to a row.
    """
    listed = sorted(rows, key=lambda row: row.file)
    columns: dict[str, Any] = {
        "number": np.array([int(Path(row.file).stem) for row in listed], np.int32),
        "score": np.array([np.nan if r.score is None else r.score for r in listed], np.float64),
        "prediction_ns": np.array([row.prediction_ns for row in listed], np.int64),
        "top_count": np.array([len(row.top) for row in listed], np.int32),
    }
    texts = {
        "answer": [row.answer for row in listed],
        "problem": [row.problem for row in listed],
        "top": [name for row in listed for name in row.top],
    }
    for name, values in texts.items():
        encoded = [value.encode("utf-8", "replace") for value in values]
        columns[name] = np.frombuffer(b"".join(encoded), np.uint8)
        columns[f"{name}_ends"] = np.cumsum([len(each) for each in encoded], dtype=np.int64)
    held = io.BytesIO()
    np.savez_compressed(held, **columns)
    return held.getvalue()


def rows_of(body: bytes, count: int) -> list[Row]:
    """Return the rows of so many files. Raises ValueError, KeyError, BadZipFile: not theirs."""
    with zipfile.ZipFile(io.BytesIO(body)) as packed:
        if any(member.file_size > _MOST_COLUMN for member in packed.infolist()):
            raise ValueError("a column is too large")
    with np.load(io.BytesIO(body), allow_pickle=False) as columns:
        if columns["number"].tolist() != list(range(count)):
            raise ValueError(f"it does not have the rows of {count} files")
        answers, problems, tops = (_texts(columns, n) for n in ("answer", "problem", "top"))
        top_ends = np.cumsum(columns["top_count"], dtype=np.int64).tolist()
        top_begins = [0, *top_ends][:-1]
        scores, times = columns["score"].tolist(), columns["prediction_ns"].tolist()
    return [
        Row(
            str(number),
            answers[number],
            None if score != score else score,
            tuple(tops[top_begins[number] : top_ends[number]]),
            prediction_ns=took,
            problem=problems[number],
        )
        for number, (score, took) in enumerate(zip(scores, times, strict=True))
    ]


def _texts(columns: Mapping[str, NDArray[np.generic]], name: str) -> list[str]:
    body, ends = columns[name].tobytes(), columns[f"{name}_ends"].tolist()
    begins = [0, *ends][:-1]
    return [body[a:b].decode("utf-8") for a, b in zip(begins, ends, strict=True)]


def answer(
    model: Path,
    archive: Path,
    options: Mapping[str, str],
    folder: Path,
    began: Callable[[subprocess.Popen[bytes]], None],
) -> bytes:
    """Run the model on the files of an archive, and return the columns of the rows.

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
    read = msgspec.json.decode(said, type=_Answer).rows
    return columns_of([Row(**msgspec.structs.asdict(row)) for row in read])


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
                    name = clip(member.filename, 60)
                    raise BadInput(what, f"'{name}' is not named by a number, as in 000012.png")
                (folder / member.filename).write_bytes(packed.read(member))
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise BadInput(what, clip(str(error), 200)) from error

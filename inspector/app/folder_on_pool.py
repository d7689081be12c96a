"""Run a model on each file of a folder on a pool of machines, a thousand files in one job."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from msgspec import structs

from inspector.app.evaluate import FolderTest
from inspector.platform import files
from inspector.preview.families import output_meanings
from inspector.preview.outputs import labels
from inspector.preview.preprocessing import saved
from inspector.preview.runs import data_set
from inspector.preview.runs.folder import Row
from inspector.remote import machines, remote_engine, shards
from inspector.remote.blobs import hash_of
from inspector.remote.machines import Target
from inspector.remote.messages import NO_LABELS, Job, ModelFile

_MOST_SHARDS = 300  # on the way at once
_SENT = ("order", "scale", "mean", "std", "resize", "filter")  # of ImageOptions


def rows_of_pool(test: FolderTest, target: Target, device: str) -> Iterator[Row]:
    """Yield the rows of files that the machines of a pool predict, a thousand of them in one
    job.

    The preprocessing travels as the file that is saved next to a model, so that all shards
    have the same one. Raises InspectorError.
    """
    subject, image = test.subject, test.subject.image
    values = {name: getattr(image, name) for name in _SENT}
    job_options = {
        name: ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
        for name, value in values.items()
        if value is not None
    }
    job_options |= {"cast": ""} if image.cast else {}
    job_options["device"] = target.device or device
    names = subject.labels.names
    with files.private_folder() as made:
        listed = remote_engine.files_of(subject.path, subject.model)
        sidecar = Path(made) / saved.sidecar_path(subject.path).name
        preprocessing, preparation = subject.saved_preprocessing, image.preparation(test.info)
        preprocessing = structs.replace(
            preprocessing, outputs=output_meanings.of_outputs(subject.model)
        )
        if preparation is not None:
            preprocessing = structs.replace(
                preprocessing, pictures={**preprocessing.pictures, test.info.name: preparation}
            )
        sidecar.write_bytes(saved.encode(preprocessing, subject.path.name))
        listed[sidecar.name] = sidecar
        if not names:
            job_options["labels"] = NO_LABELS  # nor those in the file
        elif tuple(names) != labels.of_model(subject.model):
            listed[shards.LABELS] = Path(made) / shards.LABELS
            listed[shards.LABELS].write_text("\n".join(names), "utf-8")
        hashed = {name: (path, *hash_of(path)) for name, path in listed.items()}
        model = tuple(ModelFile(name, sha, size) for name, (_, sha, size) in hashed.items())
        own = {sha: path for path, sha, _ in hashed.values()}
        base = Job(
            "", "folder", model=model, options=job_options, client=remote_engine.client()
        )
        width = target.width()
        count = min(_MOST_SHARDS, shards.AT_ONCE * width)
        lines = [machines.line_to(target.machine) for _ in range(count)]
        relative = {
            path: data_set.relative_path(test.data.place, path) for path in test.data.paths
        }
        size = max(1, min(shards.FILES, -(-len(test.data.paths) // width)))
        rows = shards.predict(lines, base, own, test.data.paths, relative, size)
        for path, row in zip(test.data.paths, rows, strict=True):
            yield replace(row, wanted=test.data.classes.get(path, ""))

"""Models in several safetensors files: the index that says which tensor is in which file.

Hugging Face's libraries write such an index, model.safetensors.index.json: the names of
tensors with those of files beside it. All files together are one model.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from inspector.errors import UnreadableFile
from inspector.formats.budget import MALFORMED, Parts, json_value
from inspector.formats.onnx.tensors import ExternalFiles
from inspector.formats.source import Source, open_source
from inspector.formats.weight_files import safetensors
from inspector.formats.weight_files.weight_findings import weight_findings
from inspector.model.model import Finding, FormatDetails, Model, WeightInfo

_LARGEST_INDEX = 64 << 20  # bytes; 100,000 tensors take 10 MB
_MOST_SHARDS = 10_000
_SHOWN = 120  # characters of a name
_MOST_NAMES = 3  # of tensors in a finding, and of missing files


def read(source: Source, path: Path | None = None) -> Model:
    """Read an index and the headers of the files that it names. Raises UnreadableFile: damaged.

    path: of the index, beside which the files lie. One that is missing is a finding.
    """
    if source.size > _LARGEST_INDEX:
        raise source.failure(f"it is larger than {_LARGEST_INDEX >> 20} MiB")
    try:
        plain = json_value(source, source.read(0, source.size))
        listed = {str(name): str(file) for name, file in plain["weight_map"].items()}
        total = plain.get("metadata", {}).get("total_size")
    except MALFORMED as error:
        why = "it is not an index of safetensors files"
        raise source.failure(why, "It is damaged: download it again.") from error
    shards = _Shards(source, path, listed)
    weights, findings = shards.weights(), [*shards.findings()]
    stored = sum(weight.size_bytes or 0 for weight in weights)
    if isinstance(total, int) and total != stored and not shards.missing:
        why = f"it says that all tensors take {total:,} B, but they take {stored:,} B"
        findings.append(Finding("total_size", why))
    count = len(shards.names)
    present = count - len(shards.missing)
    facts = (
        ("Files", f"{count:,}" if present == count else f"{present:,} of {count:,}"),
        *safetensors.facts(weights, shards.metadata),
    )
    model = Model(
        name=source.name, format="safetensors", size_bytes=source.size + shards.size_bytes,
        ir_version=0, opsets=(), producer="", producer_version="", domain="", version=0, doc="",
        graph_name="", metadata=shards.metadata, inputs=(), outputs=(), layers=(),
        weights=weights,
        details=FormatDetails(title="safetensors in several files, weights only", facts=facts),
    )  # fmt: skip
    reachable = tuple(w for w in weights if listed.get(w.name) not in shards.missing)
    others = weight_findings(replace(model, weights=reachable))
    return replace(model, findings=(*findings, *others))


class _Shards:
    """The files that an index names, and what was read of their headers.

    missing: why each one that cannot be read cannot be.
    """

    def __init__(self, source: Source, path: Path | None, listed: dict[str, str]) -> None:
        self._listed = listed
        self.names = tuple(dict.fromkeys(listed.values()))
        if len(self.names) > _MOST_SHARDS:
            raise source.failure(f"it names more than {_MOST_SHARDS:,} files")
        self.missing: dict[str, str] = {}
        self.size_bytes = 0
        self.metadata: tuple[tuple[str, str], ...] = ()
        self._layout: list[Finding] = []
        self._stored: dict[str, WeightInfo] = {}
        self._twice: list[str] = []
        parts, near = Parts(source), ExternalFiles(path)
        parts.add(len(listed))
        for name in self.names:
            self._add(name, near, parts)

    def _add(self, name: str, near: ExternalFiles, parts: Parts) -> None:
        """Read the header of a file."""
        file = near.look_up(name)
        if file.path is None:
            self.missing[name] = file.problem
            return
        try:
            with open_source(file.path) as shard:
                weights, metadata, findings = safetensors.contents(shard, name)
        except UnreadableFile as error:
            self.missing[name] = error.why
            return
        parts.add(len(weights))
        self.size_bytes += file.size_bytes
        self.metadata = self.metadata or metadata
        for each in findings:
            subject = f"{name[:_SHOWN]}: {each.subject}" if each.subject else name[:_SHOWN]
            self._layout.append(Finding(subject, each.text))
        for weight in weights:
            if weight.name in self._stored:
                self._twice.append(weight.name)
            self._stored.setdefault(weight.name, weight)

    def weights(self) -> tuple[WeightInfo, ...]:
        """Return all tensors: those of the index in its order, then those that it lacks."""
        listed = [self._weight(name, file) for name, file in self._listed.items()]
        others = [each for name, each in self._stored.items() if name not in self._listed]
        return (*listed, *others)

    def _weight(self, name: str, file: str) -> WeightInfo:
        stored = self._stored.get(name)
        if stored is not None:
            return stored
        shown = file[:_SHOWN]
        problem = (
            f"its values are in '{shown}', but {self.missing[file]}"
            if file in self.missing
            else f"the index names '{shown}' for it, which does not have it"
        )
        return WeightInfo(name, "unknown", (0,), None, None, problem=problem)

    def findings(self) -> Iterator[Finding]:
        """Yield where the index and the files differ."""
        count, lost = len(self.names), Counter(self._listed.values())
        for name in list(self.missing)[:_MOST_NAMES]:
            tensors = "1 tensor is" if lost[name] == 1 else f"{lost[name]:,} tensors are"
            why = f"this file of {count:,} cannot be read: {self.missing[name]}"
            yield Finding(name[:_SHOWN], f"{why}; {tensors} in it")
        if len(self.missing) > _MOST_NAMES:
            why = f"{len(self.missing):,} files of {count:,} cannot be read"
            yield Finding("", why)
        unlisted = [name for name in self._stored if name not in self._listed]
        if unlisted:
            yield Finding(_few(unlisted), "these tensors are in a file, but not in the index")
        elsewhere = [
            name
            for name, weight in self._stored.items()
            if weight.place is not None
            and self._listed.get(name, weight.place.file) != weight.place.file
        ]
        if elsewhere:
            yield Finding(
                _few(elsewhere), "these tensors are in another file than the index says"
            )
        if self._twice:
            yield Finding(_few(self._twice), "these tensors are in several files")
        yield from self._layout


def _few(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_NAMES:,} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(name[:_SHOWN] for name in names[:_MOST_NAMES]) + more

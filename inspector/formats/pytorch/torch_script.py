"""TorchScript (torch.jit.save): its code as text. No pickle is run; so tensors lack names."""

import re
from collections import Counter
from pathlib import Path, PurePosixPath

from inspector.formats.source import Source
from inspector.formats.zip_members import Members
from inspector.model.model import FormatDetails, Model

_LARGEST_CODE = 16 << 20  # of one file
_MOST_CODE = 64 << 20  # of all together
_CALL = re.compile(r"\b(?:torch|ops\.\w+)\.(\w+)\(")
_FORWARD = "def forward(self"
_RETURNS = re.compile(r"\s*->\s*[^:\n]+")
_HELPERS = {"unchecked_cast", "format", "len", "append", "warn", "dim", "size", "annotate"}
_MOST_CALLS = 12


def read(source: Source, path: Path | None = None) -> Model:
    """Read a TorchScript archive. Raises UnreadableFile: damaged.

    path: unused, since all of it is in the archive.
    """
    members = Members(source)
    names = [n for n in members.names if "/code/" in n and n.endswith(".py")]
    names.sort(key=lambda name: (name.count("/"), len(name)))  # the outermost module first
    texts, room = [], _MOST_CODE
    for name in names:
        if members.size(name) > min(_LARGEST_CODE, room):
            continue
        body = members.read(name, _LARGEST_CODE)
        room -= len(body)
        texts.append((name.partition("/code/")[2], body.decode("utf-8", "replace")))
    calls: Counter[str] = Counter()
    for _, text in texts:
        calls.update(name for name in _CALL.findall(text) if name not in _HELPERS)
    top = calls.most_common(_MOST_CALLS)
    shown = ", ".join(f"{name} {count:,}" for name, count in top)
    stored = [n for n in members.names if PurePosixPath(n).parent.name in ("data", "constants")]
    size = sum(map(members.size, stored))
    signature = next((found for _, text in texts if (found := _signature(text))), "")
    version = members.ending("/version")
    facts = (
        ("Code files", f"{len(names):,}"),
        ("Calls in the code", shown + (", …" if len(calls) > len(top) else "")),
        ("Forward", " ".join(signature.removeprefix("def ").split())[:400]),
        ("Stored tensors", f"{len(stored):,}, {size:,} B; their names are in a pickle"),
    )
    return Model(
        name=source.name, format="torchscript", size_bytes=source.size, ir_version=0, opsets=(),
        producer="pytorch", producer_version="", domain="", version=0, doc="", graph_name="",
        metadata=(), inputs=(), outputs=(), layers=(), weights=(),
        details=FormatDetails(
            title="TorchScript",
            version=f"version {members.read(version, 64).decode('ascii', 'replace').strip()}"
            if version
            else "",
            facts=tuple((name, value) for name, value in facts if value),
            texts=tuple(texts),
            weights_known=False,
        ),
    )  # fmt: skip


def _signature(code: str) -> str:
    """Return the first signature of `forward` with the type that it returns; empty for none.

    No part of the code is looked at twice: a pattern that looks for the bracket from each
    beginning would take hours for a text of beginnings.
    """
    at = code.find(_FORWARD)
    while at >= 0:
        end = code.find(")", at) + 1
        if not end:
            return ""
        returns = _RETURNS.match(code, end)
        if returns is not None:
            return code[at : returns.end()]
        at = code.find(_FORWARD, end)
    return ""

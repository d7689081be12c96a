"""What a lab measured: reports in a store of the hub, which its members give and read.

$O.results.>   the reports, by the SHA-256 of their JSON; the description of each says who
               measured and on which machine, as the member who gave it says
"""

import hashlib
import io
import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from inspector.analysis.measured.history import History
from inspector.app.sharing.site import Shared
from inspector.errors import BadInput, InspectorError
from inspector.platform import files
from inspector.plugins.lab import link
from inspector.plugins.lab.link import nats
from inspector.plugins.lab.membership import Membership
from inspector.remote.remote_engine import client
from inspector.report.report import PerformanceReport, load, to_json
from inspector.units import clip

_MOST_BYTES = 32 << 20  # of one report; larger ones have a trace that no page shows
_SECONDS = 60.0  # for one report to arrive
_LONGEST = 80  # letters of what a member says of itself


def give(member: Membership, report: PerformanceReport, machine: str) -> None:
    """Put a report into the store; one that is there stays. Raises InspectorError."""
    body = to_json(report.without_picture)
    if len(body) > _MOST_BYTES:
        why = f"it has {len(body):,} bytes, and a lab takes reports of at most {_MOST_BYTES:,}"
        raise BadInput(f"Could not share the report on {clip(report.model.name, 60)}", why)
    shared = link.shared(member)
    try:
        shared.run(
            _put(shared.streams, body, {"author": client(), "machine": machine}), _SECONDS
        )
    except Exception as error:
        raise link.explain(error) from error


def give_files(member: Membership, paths: Sequence[Path]) -> None:
    """Put reports into the store. Raises InspectorError: one cannot be read or sent."""
    for report in [load(path) for path in paths]:
        give(member, report, "")


def fetched(member: Membership, folder: Path) -> Shared:
    """Return all reports of a lab, kept in a folder, where only new ones have to be fetched.

    Raises InspectorError: the hub cannot be reached, or the folder cannot be written.
    """
    files.make_folder(folder)
    shared = link.shared(member)
    try:
        said = shared.run(_fetch(shared.streams, folder), _SECONDS * 10)
    except InspectorError:
        raise
    except Exception as error:
        raise link.explain(error) from error
    reports = []
    authors = dict[Path, str]()
    for each in History(folder).reports():
        about = said.get(each.path.name.partition(".")[0])
        if about is not None:
            authors[each.path] = _word(about, "author")
            machine = _word(about, "machine")
            name = f"{machine} ({each.machine})" if machine else each.machine
            reports.append(replace(each, machine=name))
    return Shared(reports, authors)


async def _put(streams: Any, body: bytes, about: dict[str, str]) -> None:
    store = await streams.object_store("results")
    name = hashlib.sha256(body).hexdigest()
    with suppress(nats.js.errors.NotFoundError):
        if not (await store.get_info(name)).deleted:
            return
    meta = nats.js.api.ObjectMeta(name=name, description=json.dumps(about))
    await store.put(name, body, meta)


async def _fetch(streams: Any, folder: Path) -> dict[str, Any]:
    """Fetch what is missing, and return what is said of each report, by its SHA-256."""
    store = await streams.object_store("results")
    listed = await link.last_of_each(streams, "OBJ_results", "$O.results.M.>")
    said = dict[str, Any]()
    for each in listed.values():
        name = str(each.get("name"))
        if each.get("deleted") or not name.isalnum() or each.get("size", 0) > _MOST_BYTES:
            continue
        path = folder / f"{name}.report.json"
        if not files.exists(path):
            held = io.BytesIO()
            await store.get(name, writeinto=held)
            if hashlib.sha256(held.getvalue()).hexdigest() != name:
                continue  # what it says of itself is not true
            files.write_atomic(path, held.getvalue())
        said[name] = link.as_event(str(each.get("description", "")).encode())
    return said


def _word(about: dict[str, Any], field: str) -> str:
    return clip(str(about.get(field, "")), _LONGEST)

"""A connection to a hub: its subjects, its queue of jobs, and its store of files.

    job.LANE.TARGET.ID   a job in the queue. LANE: "timing", one at a time on a device, or
                         "answer". TARGET: "any", "label-NAME" or "device-NAME"
    end.ID               how a job ended; there is at most one until the client has it
    progress.ID          events while a job runs, and that it was canceled; who does not listen
                         misses them
    cancel.ID            to the device that has a job that is no longer in the queue
    wake                 to all devices: there is a job in the queue, at "LANE.TARGET"
    ping                 to all devices: answer with a status
    status.NAME          of a device, every few seconds
    $KV.devices.NAME     what a device said when it joined
    $O.results.>         reports that members share; see `results`

Files lie in the object store by SHA-256, in parts, so that a transfer that is cut goes on with
the next part.
"""

import asyncio
import io
import json
import logging
import threading
import time
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from inspector.errors import BadInput, EngineDied, InspectorError
from inspector.platform.extras import install_hint
from inspector.platform.late_modules import LateModule
from inspector.plugins.lab.membership import Membership
from inspector.remote.blobs import Blobs
from inspector.remote.messages import Job, Piece
from inspector.units import clip
from inspector.wording import stored

nats: Any = LateModule("nats")  # of the extra lab; few use one
TIMING = "timing"
ANSWER = "answer"
LANES = (TIMING, ANSWER)
_TIMING_KINDS = ("measure", "measure_pair", "ceiling", "alone")
ANY = "any"
KEEP_SECONDS = 7 * 86_400.0  # of an end that nobody fetched, and of files
_FRESH_SECONDS = 6 * 86_400.0  # of a file that is there and need not be sent again
PART_BYTES = 32 << 20
_CHUNK_BYTES = 512 << 10  # of the object store, in one message
STATUS_SECONDS = 3.0
GONE_SECONDS = 10.0  # without a status, a device counts as gone
TAKEN = 10077  # error code: there is such a message already
_CONNECT_SECONDS = 8.0
_ARRIVE_SECONDS = 10.0  # for a message that the hub has
_FETCH_TRIES = 4  # of a part that is replaced meanwhile

Result = TypeVar("Result")
Event = dict[str, Any]


def lane_of(job: Job) -> str:
    """Return the lane of a job."""
    return TIMING if job.kind in _TIMING_KINDS else ANSWER


class Link:
    """A connection with an event loop on a thread of its own. Raises EngineDied.

    name: of this side, in the log of the hub.
    """

    def __init__(self, member: Membership, name: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="lab", daemon=True)
        self._thread.start()
        try:
            self.nats, self.streams = self.run(connect(member, name), _CONNECT_SECONDS + 5)
        except BaseException:
            self.close()
            raise

    def run(self, work: Coroutine[Any, Any, Result], seconds: float | None = None) -> Result:
        """Run a coroutine on the loop, and return what it returns."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(seconds)

    def close(self) -> None:
        """End the connection."""
        connection = getattr(self, "nats", None)
        if connection is not None:
            with suppress(Exception):
                self.run(connection.close(), 2)
        with suppress(Exception):
            self.run(_end_others(), 2)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(2)
        if not self._thread.is_alive():
            self._loop.close()


async def _end_others() -> None:
    """Cancel what still runs on this loop, such as attempts to connect."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


_links: dict[tuple[Path, str], Link] = {}
_links_lock = threading.Lock()


def shared(member: Membership) -> Link:
    """Return the connection of this process as a client. Raises EngineDied."""
    with _links_lock:
        key = member.path, member.hub
        found = _links.get(key)
        if found is None or found.nats.is_closed:
            found = _links[key] = Link(member, "client")
        return found


async def connect(member: Membership, name: str) -> tuple[Any, Any]:
    """Connect, and return the connection and its streams. Raises EngineDied, BadInput.

    A connection that is lost later is made again for as long as it takes.
    """
    try:
        connect_to = nats.connect
    except ImportError as error:
        why = "nats-py is not installed"
        raise BadInput("Could not use the lab", why, install_hint("lab")) from error
    # It warns each time that a connection with TLS ends.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    refused: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def failed(error: Exception) -> None:
        if not refused.done():
            refused.set_result(str(error) or type(error).__name__)

    connecting = asyncio.ensure_future(
        connect_to(
            member.hub,
            tls=member.tls(),
            name=name,
            max_reconnect_attempts=-1,
            reconnect_time_wait=1,
            ping_interval=3,
            max_outstanding_pings=2,
            connect_timeout=5,
            pending_size=64 << 20,
            error_cb=failed,
        )
    )
    ways = (connecting, refused)
    await asyncio.wait(ways, timeout=_CONNECT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    if connecting.done() and connecting.exception() is None:
        found = connecting.result()
        return found, found.jetstream(timeout=5)
    connecting.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.wait([connecting])
    why = clip(refused.result() if refused.done() else "there was no answer", 200)
    hint = "Is the hub running (`inspector lab hub`), and its port open to this machine?"
    raise EngineDied(f"Could not reach the hub {member.hub}", why, hint)


def make_streams(member: Membership) -> None:
    """Make what a hub holds, where it is missing. Raises EngineDied."""
    link = Link(member, "hub")
    try:
        link.run(_make_streams(link.streams), 30)
    finally:
        link.close()


async def _make_streams(streams: Any) -> None:
    # One message a subject: who asks for the same job again joins who asked before, and of two
    # ends of a job that ran twice the first one counts.
    once: dict[str, Any] = {
        "max_msgs_per_subject": 1,
        "discard": nats.js.api.DiscardPolicy.NEW,
        "discard_new_per_subject": True,
        "max_age": KEEP_SECONDS,
    }
    queue = nats.js.api.RetentionPolicy.WORK_QUEUE
    made = (
        nats.js.api.StreamConfig(name="JOBS", subjects=["job.>"], retention=queue, **once),
        nats.js.api.StreamConfig(
            name="ENDS", subjects=["end.>"], duplicate_window=3_600, **once
        ),
    )
    for each in made:
        await streams.add_stream(each)
    await streams.create_key_value(bucket="devices", history=1, ttl=90 * 86_400)
    await streams.create_object_store("files", ttl=KEEP_SECONDS)
    await streams.create_object_store("results")


async def send_file(
    streams: Any,
    path: Path,
    sha256: str,
    told: Callable[[int], None] = lambda _: None,
    job: str = "",
) -> bool:
    """Put a file into the store, part by part; returns False where it was there.

    job: the id of the job whose result it is. Two jobs may have the same result, and who has
    fetched one deletes it.
    """
    store = await streams.object_store("files")
    size, sent = path.stat().st_size, False
    for number in range(max(1, -(-size // PART_BYTES))):
        name = _name(sha256, number, job)
        if not await _is_fresh(store, name):
            body = await asyncio.to_thread(_part, path, number)
            options = nats.js.api.ObjectMetaOptions(max_chunk_size=_CHUNK_BYTES)
            await store.put(name, body, nats.js.api.ObjectMeta(name=name, options=options))
            sent = True
        told(min(size, (number + 1) * PART_BYTES))
    return sent


async def fetch_file(
    streams: Any,
    sha256: str,
    size: int,
    take: Callable[[Piece], Any],
    offset: int = 0,
    job: str = "",
) -> None:
    """Get a file from the store, from an offset on; `take` gets its pieces.

    job: as for `send_file`. Raises EngineDied: a part is missing or damaged.
    """
    store = await streams.object_store("files")
    for number in range(offset // PART_BYTES, max(1, -(-size // PART_BYTES))):
        try:
            whole = await _part_of(store, _name(sha256, number, job))
        except (nats.errors.Error, TimeoutError) as error:
            why = str(error) or "there was no answer"
            what = f"Could not fetch the file {sha256[:12]} from the hub"
            raise EngineDied(what, clip(why, 200), "Run it again.") from error
        begin = number * PART_BYTES
        body = whole[max(0, offset - begin) :]
        take(Piece(sha256, max(begin, offset), body))


async def _part_of(store: Any, name: str) -> bytes:
    """Return a part of a file. Raises an error of nats, TimeoutError.

    It is asked for again where nothing arrives: who sends the same file at the same time has
    replaced what began to arrive.
    """
    for left in reversed(range(_FETCH_TRIES)):
        held, before = io.BytesIO(), -1
        getting = asyncio.ensure_future(store.get(name, writeinto=held))
        try:
            while not getting.done() and held.tell() > before:
                before = held.tell()
                await asyncio.wait([getting], timeout=_ARRIVE_SECONDS)
            if getting.done():
                getting.result()
                return held.getvalue()
        except nats.errors.Error:
            if not left:
                raise
        finally:
            getting.cancel()
    raise TimeoutError


async def fetch_into(streams: Any, blobs: Blobs, wanted: Mapping[str, int]) -> None:
    """Get what is missing of some files, each checked. Raises InspectorError."""
    missing = blobs.missing(wanted)
    for sha256, offset in missing.items():
        await fetch_file(streams, sha256, wanted[sha256], blobs.write, offset)


async def delete_file(streams: Any, sha256: str, size: int, job: str = "") -> None:
    """Delete a file from the store; what is gone already is no error. job: as in send_file."""
    store = await streams.object_store("files")
    for number in range(max(1, -(-size // PART_BYTES))):
        with suppress(Exception):
            await store.delete(_name(sha256, number, job))


def _name(sha256: str, number: int, job: str) -> str:
    return f"{job}-{sha256}.{number}" if job else f"{sha256}.{number}"


def _part(path: Path, number: int) -> bytes:
    with path.open("rb") as file:
        file.seek(number * PART_BYTES)
        return file.read(PART_BYTES)


async def _is_fresh(store: Any, name: str) -> bool:
    try:
        info = await store.get_info(name)
    except nats.js.errors.NotFoundError:
        return False
    with suppress(ValueError, TypeError):
        age = time.time() - datetime.fromisoformat(str(info.mtime)).timestamp()
        return not info.deleted and age < _FRESH_SECONDS
    return False


async def last_end(streams: Any, job_id: str) -> Event | None:
    """Return how a job ended; None where it has not, or the client has it already."""
    try:
        found = await streams.get_last_msg("ENDS", f"end.{job_id}")
    except nats.js.errors.NotFoundError:
        return None
    return as_event(found.data)


async def is_queued(streams: Any, number: int) -> bool:
    """Return whether a message of the queue is still there: no end or client deleted it."""
    try:
        await streams.get_msg("JOBS", seq=number)
    except nats.js.errors.NotFoundError:
        return False
    return True


def as_event(body: bytes | None) -> Event:
    """Return a message as an object; an empty one for anything else."""
    try:
        found = stored.decode(body or b"{}", msgspec.json.Decoder())
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def body_of(event: Any) -> bytes:
    """Return an object as a message. Raises BadInput: it is too long for one."""
    body = stored.encode(event)
    if len(body) > 7 << 20:
        why = f"a message of {len(body):,} bytes is too long for the hub"
        raise BadInput("Could not send the job to the lab", why)
    return body


async def known_devices(
    connection: Any, streams: Any, seconds: float = 0.4
) -> dict[str, Event]:
    """Return what each device said when it joined, with "status" of those that answer now.

    seconds: to wait for answers; 0: ask for none.
    """
    last = await last_of_each(streams, "KV_devices", "$KV.devices.>")
    found = {subject.rpartition(".")[2]: said for subject, said in last.items()}
    for status in await statuses(connection, seconds) if seconds else ():
        name = str(status.get("name", ""))
        found.setdefault(name, {})["status"] = status
    return found


async def last_of_each(streams: Any, stream: str, subjects: str) -> dict[str, Event]:
    """Return the last message of each subject. Stores have a list, too, that is at times empty:
    it ends where all messages have left the hub, whether or not they were read."""
    info = await streams.stream_info(stream, subjects_filter=subjects)
    if not info.state.subjects:
        return {}
    policy = nats.js.api.DeliverPolicy.LAST_PER_SUBJECT
    arriving = await streams.subscribe(
        subjects, stream=stream, ordered_consumer=True, deliver_policy=policy
    )
    found, left = dict[str, Event](), 1
    try:
        while left:
            message = await arriving.next_msg(_ARRIVE_SECONDS)
            found[message.subject] = as_event(message.data)
            left = message.metadata.num_pending
    finally:
        await arriving.unsubscribe()
    return found


async def statuses(connection: Any, seconds: float = 0.4) -> list[Event]:
    """Ask all devices how they are, and return what arrives within a time."""
    inbox = connection.new_inbox()
    heard: list[Event] = []

    async def hear(message: Any) -> None:
        heard.append(as_event(message.data))

    listening = await connection.subscribe(inbox, cb=hear)
    await connection.publish("ping", b"", reply=inbox)
    await asyncio.sleep(seconds)
    await listening.unsubscribe()
    return heard


async def queue_counts(streams: Any) -> dict[str, tuple[int, int]]:
    """Return for each part of the queue how many jobs wait, and how many run."""
    found = {}
    for info in await streams.consumers_info("JOBS"):
        waiting, running = info.num_pending or 0, info.num_ack_pending or 0
        if waiting or running:
            found[info.name] = waiting, running
    return found


def explain(error: Exception) -> InspectorError:
    """Return an error of the connection as one for the user."""
    if isinstance(error, InspectorError):
        return error
    why = str(error) or type(error).__name__
    with suppress(ValueError, TypeError):
        why = str(json.loads(why).get("description", why))
    hint = "Is the hub running? `inspector lab` lists its machines."
    return EngineDied("Could not use the lab", clip(why, 200), hint)

"""A lab as a client sees it: a machine whose jobs stay when the client leaves."""

import hashlib
import queue
import secrets
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from inspector.errors import BadInput, Cancelled, EngineDied, InspectorError
from inspector.platform import files
from inspector.plugins.lab import link, membership, results
from inspector.plugins.lab.link import ANY, Event
from inspector.plugins.lab.membership import Membership
from inspector.remote import messages
from inspector.remote.machines import Saved
from inspector.remote.messages import End, Job, Piece
from inspector.remote.other_machine import OnEvent, OtherMachine
from inspector.report.report import PerformanceReport
from inspector.units import clip

_WAIT_SECONDS = 0.5  # for something to arrive; Cancel does not wait for it
_LOOK_SECONDS = 2.0  # between two looks at the hub while nothing arrives
_TELL_SECONDS = 2.0
_STOP_SECONDS = 1.0  # for a device to say that it stopped
_PUBLISH_SECONDS = 10.0
_HOST = "lab:"  # before the part of the queue that devices take jobs from
_SENDERS = threading.BoundedSemaphore(8)  # who sends holds a part of a file in memory
_SENDING: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)  # a file, once for all


def line_to(machine: Saved) -> "LabMachine":
    """Return what runs jobs on machines of the lab that this user is a member of."""
    target = machine.host.removeprefix(_HOST)
    return LabMachine(membership.own(), target, machine.name)


class LabMachine(OtherMachine):
    """Runs jobs on devices of a lab.

    target: "any", "label-NAME" or "device-NAME". A job stays at the hub when this program ends;
    who asks for the same one again gets what became of it.
    """

    def __init__(self, member: Membership, target: str = ANY, name: str = "lab") -> None:
        super().__init__(name)
        self._member, self._target = member, target
        self._place = ""
        self._cancelled = False
        self._asking: _Asking | None = None

    @property
    def place(self) -> str:
        """Return which device ran the last job."""
        return self._place or self.name

    def connect(self) -> Event:
        """Return what devices there are, by name. Raises EngineDied."""
        shared = link.shared(self._member)
        try:
            self.hello = shared.run(link.known_devices(shared.nats, shared.streams), 20)
        except Exception as error:
            raise link.explain(error) from error
        return self.hello

    def run(
        self,
        job: Job,
        own_files: Mapping[str, Path],
        target: Path,
        on_event: OnEvent = lambda _: None,
    ) -> End:
        """Run a job on a device of the lab; its connection is shared by all of this program."""
        self._cancelled = False
        try:
            self._asking = _Asking(self, job, own_files, target, on_event)
            return self._asking.end()
        except InspectorError:
            raise
        except Exception as error:
            raise link.explain(error) from error
        finally:
            self._asking = None

    def share(self, report: PerformanceReport) -> None:
        """Put a report into the results of the lab; a hub that takes none is no failure."""
        with suppress(InspectorError):
            results.give(self._member, report, self.place)

    def cancel(self) -> None:
        """Stop the job that runs, from any thread; `run` raises Cancelled."""
        asking = self._asking
        if asking is not None:
            self._cancelled = True
            asking.wake()

    @property
    def cancelled(self) -> bool:
        """Return whether the job that runs was stopped."""
        return self._cancelled


class _Asking:
    """One job, from its files to its end."""

    def __init__(
        self,
        machine: LabMachine,
        job: Job,
        own_files: Mapping[str, Path],
        target: Path,
        on_event: OnEvent,
    ) -> None:
        self._machine, self._job, self._files = machine, job, own_files
        self._folder, self._on_event = target, on_event
        self._link = link.shared(machine._member)
        self._nonce = secrets.token_hex(8)
        self._heard: queue.Queue[Event] = queue.Queue()
        self._listening: list[Any] = []
        self._device = ""
        self._seen = time.monotonic()

    def end(self) -> End:
        """Return the end, with its files in the folder. Raises InspectorError.

        One that says "canceled" is of who asked for the same job: this one is asked again.
        """
        run, job_id = self._link.run, self._job.id
        self._listen(f"end.{job_id}", f"progress.{job_id}")
        try:
            found = run(link.last_end(self._link.streams, job_id), _PUBLISH_SECONDS)
            while found is None or (end := _read_end(found)).state == messages.CANCELLED:
                if found is not None:
                    run(_forget_end(self._link.streams, job_id), _PUBLISH_SECONDS)
                with _SENDERS:
                    self._send_files()
                lane = link.lane_of(self._job)
                subject = f"job.{lane}.{self._machine._target}.{self._job.id}"
                asked = {"asked": self._nonce, "job": msgspec.to_builtins(self._job)}
                body = link.body_of(asked)
                try:
                    self._link.run(self._link.streams.publish(subject, body), _PUBLISH_SECONDS)
                except Exception as error:
                    # One that waits there already is joined.
                    if getattr(error, "err_code", None) != link.TAKEN:
                        raise
                woken = f"{lane}.{self._machine._target}".encode()
                self._link.run(self._link.nats.publish("wake", woken), 5)
                found = self._wait()
            self._machine._place = str(found.get("device", ""))
            self._fetch_files(end)
            return end
        except (KeyboardInterrupt, Cancelled):
            self._stop()
            raise
        finally:
            for each in self._listening:
                with suppress(Exception):
                    run(each.unsubscribe(), 2)

    def wake(self) -> None:
        """Have `end` look at once whether it was canceled, from any thread."""
        self._heard.put({})

    def _listen(self, *subjects: str) -> None:
        async def hear(message: Any) -> None:
            self._heard.put(link.as_event(message.data))

        for subject in subjects:
            listening = self._link.nats.subscribe(subject, cb=hear)
            self._listening.append(self._link.run(listening, 10))

    def _send_files(self) -> None:
        sizes = {sha256: path.stat().st_size for sha256, path in self._files.items()}
        total, before = sum(sizes.values()), 0
        for sha256, path in self._files.items():
            done = before

            def told(count: int, done: int = done) -> None:
                if self._machine.cancelled:
                    raise Cancelled("Stopped")
                if total > link.PART_BYTES:
                    self._on_event({"type": "sending", "sent": done + count, "total": total})

            with self._turn(_SENDING[sha256]):
                self._link.run(link.send_file(self._link.streams, path, sha256, told))
            before += sizes[sha256]

    @contextmanager
    def _turn(self, lock: threading.Lock) -> Iterator[None]:
        """Hold a lock, once others have given it back. Raises Cancelled."""
        while not lock.acquire(timeout=_WAIT_SECONDS):
            if self._machine.cancelled:
                raise Cancelled("Stopped")
        try:
            yield
        finally:
            lock.release()

    def _wait(self) -> Event:
        """Return the message with the end; tells meanwhile what happens."""
        looked = told = time.monotonic()
        while True:
            if self._machine.cancelled:
                raise Cancelled("Stopped")
            now = time.monotonic()
            try:
                event = self._heard.get(timeout=_WAIT_SECONDS)
            except queue.Empty:
                event = {}
            if "end" in event:
                return event
            if event:
                if event.get("id") == self._job.id:
                    device = str(event.get("device", ""))
                    if device and device != self._device:
                        self._device = device
                        self._listen(f"status.{device}")
                    self._seen = time.monotonic()
                    if event.get("type") != "started":
                        self._on_event(event)
                elif self._device and event.get("name") == self._device:
                    self._seen = time.monotonic()
            if now - looked > _LOOK_SECONDS:
                looked = now
                with suppress(Exception):  # the hub is away: the job is in its store
                    look = link.last_end(self._link.streams, self._job.id)
                    found = self._link.run(look, _LOOK_SECONDS)
                    if found is not None:
                        return found
            if now - told > _TELL_SECONDS:
                told = now
                self._tell_where()

    def _tell_where(self) -> None:
        """Say what is waited for, if it is not for the job to end."""
        if not self._link.nats.is_connected:
            self._on_event({"type": "offline", "why": "the hub does not answer"})
            return
        if self._device:
            silent = time.monotonic() - self._seen
            if silent > link.GONE_SECONDS:
                self._on_event({"type": "offline", "seconds": silent})
            return
        with suppress(Exception):
            asked, target = link.statuses(self._link.nats), self._machine._target
            here = [each for each in self._link.run(asked, 5) if _is_for(target, each)]
            busy = [f"{each['name']}: {each['now'][0]}" for each in here if each.get("now")]
            if not here:
                self._on_event({"type": "offline", "why": "no such machine is connected"})
                return
            self._on_event({"type": "waiting", "behind": "; ".join(busy[:3])})

    def _fetch_files(self, end: End) -> None:
        """Fetch the files of an end, and tell the hub that it can be deleted."""
        run, streams = self._link.run, self._link.streams
        for file in end.files:
            if not messages.is_plain_name(file.name) or "/" in file.name:
                why = "it named a file outside the folder"
                raise EngineDied("Could not use the answer of the lab", why)
            with _Checked(self._folder / file.name, file.sha256) as taken:
                fetch = link.fetch_file(
                    streams, file.sha256, file.size_bytes, taken.take, job=end.id
                )
                run(fetch)
        run(_forget(streams, end), 30)

    def _stop(self) -> None:
        """Take the job out of the queue, and stop it where it runs.

        In this order, no device takes it after it was told that it is canceled.
        """
        run, connection, job_id = self._link.run, self._link.nats, self._job.id
        with suppress(Exception):
            run(_forget_job(self._link.streams, job_id), 2)
            run(connection.publish(f"cancel.{job_id}", b""), 1)
            run(connection.flush(1), 1)
        if self._device:
            until = time.monotonic() + _STOP_SECONDS
            while time.monotonic() < until:
                with suppress(queue.Empty):
                    if "end" in self._heard.get(timeout=0.05):
                        break
        with suppress(Exception):
            run(_forget_end(self._link.streams, job_id), 2)
            said = link.body_of({"end": End(job_id, messages.CANCELLED)})  # to who also waits
            run(connection.publish(f"progress.{job_id}", said), 1)


class _Checked:
    """A file that is written piece by piece and must have a SHA-256 in the end."""

    def __init__(self, path: Path, sha256: str) -> None:
        self._path, self._sha256, self._hash = path, sha256, hashlib.sha256()

    def __enter__(self) -> "_Checked":
        self._file = self._path.open("wb")
        return self

    def take(self, piece: Piece) -> None:
        """Write the next piece."""
        self._hash.update(piece.data)
        self._file.write(piece.data)

    def __exit__(self, failed: object, *_: object) -> None:
        self._file.close()
        if failed is None and self._hash.hexdigest() != self._sha256:
            why = f"the bytes of {self._path.name} do not match its SHA-256"
            raise EngineDied("Could not use the answer of the lab", why, "Run it again.")


def _read_end(found: Event) -> End:
    """Return the end in a message. Raises EngineDied."""
    try:
        return msgspec.convert(found["end"], End)
    except (msgspec.ValidationError, KeyError) as error:
        what, why = "Could not read what a machine of the lab sent", clip(str(error), 200)
        raise EngineDied(what, why, "Install the same version on all machines.") from error


async def _forget_job(streams: Any, job_id: str) -> None:
    await streams.purge_stream("JOBS", subject=f"job.*.*.{job_id}")


async def _forget_end(streams: Any, job_id: str) -> None:
    await streams.purge_stream("ENDS", subject=f"end.{job_id}")


async def _forget(streams: Any, end: End) -> None:
    """Delete a job, its end and its files from the hub; devices rely on this order."""
    await _forget_job(streams, end.id)
    await _forget_end(streams, end.id)
    for file in end.files:
        await link.delete_file(streams, file.sha256, file.size_bytes, end.id)


def _is_for(target: str, status: Event) -> bool:
    kind, _, name = target.partition("-")
    if kind == "label":
        return name in status.get("labels", ())
    return kind == ANY or name == status.get("name")


def target_of(member: Membership, text: str) -> str:
    """Return the part of the queue for "", "DEVICE" or "label:NAME". Raises BadInput."""
    if not text:
        return ANY
    shared = link.shared(member)
    try:
        devices = shared.run(link.known_devices(shared.nats, shared.streams, 0), 20)
    except Exception as error:
        raise link.explain(error) from error
    label = text.removeprefix("label:")
    if text.startswith("label:"):
        labels = {word for each in devices.values() for word in each.get("labels", ())}
        if label in labels:
            return f"label-{label}"
        known, what = ", ".join(sorted(labels)), "no machine of the lab has this label"
    elif text in devices:
        return f"device-{text}"
    else:
        known, what = ", ".join(sorted(devices)), "no machine of the lab has this name"
    hint = f"Known: {known}." if known else "Add one: inspector lab join device.pem"
    raise BadInput(f"Could not find '{clip(text, 60)}'", what, hint)


class LabPool:
    """The machines of the lab that this user is a member of."""

    def joined(self) -> bool:
        """Return whether this user is a member of a lab."""
        return files.exists(membership.default_file())

    def host(self, text: str) -> str:
        """Return the host for "", "DEVICE" or "label:NAME". Raises BadInput."""
        return _HOST + target_of(membership.own(), text)

    def width(self, host: str) -> int:
        """Return how many devices answer that take jobs of a host; at least 1."""
        target = host.removeprefix(_HOST)
        shared = link.shared(membership.own())
        try:
            found = shared.run(link.statuses(shared.nats), 10)
        except Exception as error:
            raise link.explain(error) from error
        return max(1, sum(_is_for(target, each) for each in found))

    def machines(self) -> list[tuple[Saved, bool]]:
        """Return the machines, and whether each is connected to the hub. Raises EngineDied."""
        found = []
        for name, said in sorted(LabMachine(membership.own()).connect().items()):
            now = said.get("status") or {}
            state = {"load": now.get("load"), "busy": now.get("busy", "")} if now else {}
            host = f"{_HOST}device-{name}"
            found.append((Saved(f"lab/{name}", host, hello={**said, **state}), bool(now)))
        return found


POOL = LabPool()

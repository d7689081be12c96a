"""A device of a lab: takes jobs from the hub and has an agent run them. Nothing listens here.

One lane takes what is timed, one job at a time and while nothing else runs; the others take
what only has to be answered.
"""

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from inspector.errors import BadInput, InspectorError
from inspector.platform import files
from inspector.plugins.lab import link
from inspector.plugins.lab.link import ANSWER, TIMING, Event, nats
from inspector.plugins.lab.membership import Membership
from inspector.remote import messages
from inspector.remote.agent import Agent
from inspector.remote.messages import LOST, REFUSED, End, Problem
from inspector.units import clip

QUOTA_BYTES = 20 << 30
MOST_TRIES = 4  # of a job whose devices died with it, or were cut off
ACK_SECONDS = 10.0  # without a sign of life, the hub gives a job to another device
_ALIVE_SECONDS = 2.5
_POLL_SECONDS = 1.0  # between two looks at the queue, if nothing wakes us
_FETCH_SECONDS = 0.4
_RETRY_SECONDS = 1.0
_AHEAD_SECONDS = 0.3  # a machine that is busy leaves the next job so long to one that is free
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,47}")

Send = Callable[[Any], None]


def expect_word(text: str, what: str) -> str:
    """Return a name that can be part of a subject. Raises BadInput."""
    if not _WORD.fullmatch(text):
        why = f"'{clip(text, 60)}' is not a {what}"
        hint = "Use letters, digits, - and _, such as pi5."
        raise BadInput("Could not join the lab", why, hint)
    return text


class Settings(Struct, frozen=True):
    """What the owner of a device decides.

    name: of the device, unique in the lab. answers: jobs at once that are not timed. quota: of
    files, in bytes; keep: of unused ones, in seconds.
    """

    name: str
    folder: Path
    labels: tuple[str, ...] = ()
    answers: int = 1
    quota: int = QUOTA_BYTES
    keep: float = 7 * 86_400.0

    @property
    def targets(self) -> tuple[str, ...]:
        """Return which parts of the queue are for this device, its own first."""
        labels = (f"label-{label}" for label in self.labels)
        return (f"device-{self.name}", *labels, link.ANY)


class Worker:
    """Takes jobs until it is stopped.

    make_agent: what runs jobs; gets the function that takes its messages.
    """

    def __init__(
        self,
        member: Membership,
        settings: Settings,
        tell: Callable[[str], None] = lambda _: None,
        make_agent: Callable[[Send], Any] | None = None,
    ) -> None:
        expect_word(settings.name, "name of a machine of the lab")
        for label in settings.labels:
            expect_word(label, "label")
        self._member, self._settings, self._tell = member, settings, tell
        self._make_agent = make_agent or self._own_agent
        self._gate = _Gate(settings.answers)
        self._running: dict[str, str] = {}
        self._lanes: list[_Lane] = []
        self._taking = {lane: asyncio.Lock() for lane in link.LANES}

    async def run(self) -> None:
        """Join the lab and work. Raises InspectorError: the hub cannot be reached."""
        name = self._settings.name
        self._nats, self._streams = await link.connect(self._member, f"device {name}")
        connection = self._nats
        if any(each.get("name") == name for each in await link.statuses(connection)):
            await connection.close()
            why = f"the lab already has a machine named '{name}'"
            raise BadInput("Could not join the lab", why, "Choose another name with --name.")
        await self._make_consumers()
        await connection.subscribe("cancel.>", cb=self._cancel)
        await connection.subscribe("wake", cb=self._wake)
        await connection.subscribe("ping", cb=self._answer_ping)
        self._lanes = [_Lane(self, TIMING)]
        # One more than run at once: its files arrive, and results leave, while others run.
        answers = self._settings.answers
        self._lanes += [_Lane(self, ANSWER, extra=n == answers) for n in range(answers + 1)]
        hello = self._lanes[0].agent.hello()
        settings = self._settings
        said = {**hello, "name": name, "labels": settings.labels, "answers": settings.answers}
        await self._streams.publish(f"$KV.devices.{name}", link.body_of(said))
        self._tell(f"{name} joined the lab at {self._member.hub}")
        try:
            await asyncio.gather(self._beat(), *(lane.work() for lane in self._lanes))
        finally:
            for lane in self._lanes:
                await asyncio.to_thread(lane.agent.close)
            with suppress(Exception):
                await connection.close()

    def _own_agent(self, send: Send) -> Agent:
        settings = self._settings
        agent = Agent(send, settings.folder, settings.labels, settings.quota, settings.keep)
        agent.spool.clean()
        agent.blobs.clean()
        return agent

    async def _make_consumers(self) -> None:
        """Make this device's parts of the queue; those that are there stay."""
        for lane in link.LANES:
            for target in self._settings.targets:
                own = target.startswith("device-") and lane == TIMING
                config = nats.js.api.ConsumerConfig(
                    durable_name=f"{lane}-{target}",
                    filter_subject=f"job.{lane}.{target}.*",
                    ack_policy=nats.js.api.AckPolicy.EXPLICIT,
                    ack_wait=ACK_SECONDS,
                    max_ack_pending=1 if own else 1_000,
                )
                await self._streams.add_consumer("JOBS", config)

    async def _beat(self) -> None:
        while True:
            with suppress(Exception):
                await self._nats.publish(f"status.{self._settings.name}", self._status())
            await asyncio.sleep(link.STATUS_SECONDS)

    def _status(self) -> bytes:
        load = self._lanes[0].agent.load() if self._lanes else {}
        settings = self._settings
        said = {"name": settings.name, "labels": settings.labels, "jobs": list(self._running)}
        return link.body_of({**load, **said, "now": list(self._running.values())})

    async def _answer_ping(self, message: Any) -> None:
        with suppress(Exception):
            await message.respond(self._status())

    async def _wake(self, message: Any) -> None:
        kind, _, target = message.data.decode("utf-8", "replace").partition(".")
        if target in self._settings.targets:
            for lane in self._lanes:
                if lane.kind == kind:
                    lane.wake.set()

    async def _cancel(self, message: Any) -> None:
        job_id = message.subject.rpartition(".")[2]
        for lane in self._lanes:
            if lane.job_id == job_id:
                lane.cancelled = True
                lane.agent.receive({"type": "cancel", "id": job_id})
        await self._gate.look()


class _Gate:
    """Lets what is timed run alone: it waits for answers that run, and new ones wait for it.

    most: answers at once.
    """

    def __init__(self, most: int) -> None:
        self._changed = asyncio.Condition()
        self._answers, self._most, self._timing = 0, most, False

    async def wait_for_answers(self) -> None:
        """Wait until no timed job wants to run; before a job is taken from the queue."""
        async with self._changed:
            await self._changed.wait_for(lambda: not self._timing)

    async def look(self) -> None:
        """Have those who wait look whether they still want to."""
        async with self._changed:
            self._changed.notify_all()

    @asynccontextmanager
    async def use(self, lane: "_Lane") -> AsyncIterator[None]:
        """Wait for the right to run a job, or until it is canceled."""
        async with self._changed:
            if lane.kind == TIMING:
                self._timing = True
                await self._changed.wait_for(lambda: lane.cancelled or not self._answers)
            else:
                await self._changed.wait_for(
                    lambda: lane.cancelled or not (self._timing or self._answers >= self._most)
                )
                self._answers += 1
        try:
            yield
        finally:
            async with self._changed:
                if lane.kind == TIMING:
                    self._timing = False
                else:
                    self._answers -= 1
                self._changed.notify_all()


class _Lane:
    """Takes one job after the other for an agent of its own.

    extra: only takes a job while the others are busy.
    """

    def __init__(self, worker: Worker, lane: str, extra: bool = False) -> None:
        self._worker, self.kind, self._extra = worker, lane, extra
        self._loop = asyncio.get_running_loop()
        self._said: asyncio.Queue[Any] = asyncio.Queue()
        self.wake = asyncio.Event()
        self.agent = worker._make_agent(self._hear)
        self.job_id, self.cancelled = "", False

    def _hear(self, message: Any) -> None:
        """Take a message of the agent, from any thread."""
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._said.put_nowait, message)

    async def work(self) -> None:
        """Take jobs for ever."""
        streams = self._worker._streams
        subscriptions = []
        for target in self._worker._settings.targets:
            durable = f"{self.kind}-{target}"
            found = await streams.pull_subscribe_bind(consumer=durable, stream="JOBS")
            subscriptions.append(found)
        while True:
            if self.kind == ANSWER:
                await self._worker._gate.wait_for_answers()
            self.wake.clear()
            message = await self._next(subscriptions)
            if message is None:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self.wake.wait(), _POLL_SECONDS)
                continue
            await self._take(message)

    async def _next(self, subscriptions: list[Any]) -> Any:
        """Return the next job of the queue for this lane; None without any."""
        worker = self._worker
        async with worker._taking[self.kind]:
            others = sum(each.kind == self.kind and bool(each.job_id) for each in worker._lanes)
            if self.kind == ANSWER and others >= worker._settings.answers:
                await asyncio.sleep(_AHEAD_SECONDS)
            elif self._extra:
                return None
            message = await _next(subscriptions)
            if message is not None:
                self.job_id = message.subject.rpartition(".")[2]
                self.cancelled = False
            return message

    async def _take(self, message: Any) -> None:
        """Run the job of a message, and acknowledge it once its end is at the hub."""
        alive = asyncio.create_task(_stay_alive(message))
        asked = link.as_event(message.data)
        await self._progress({"type": "started", "id": self.job_id})
        try:
            job = asked.get("job")
            end = await self._ended(job if isinstance(job, dict) else {}, asked, message)
            if end is not None:
                await self._finish(end, str(asked.get("asked", "")))
            with suppress(Exception):
                await message.ack_sync(timeout=3)
        finally:
            alive.cancel()
            self.job_id = ""

    async def _ended(self, job: Mapping[str, Any], asked: Event, message: Any) -> End | None:
        """Return the end of a job, whatever becomes of it; None where nobody waits for one."""
        job_id = self.job_id
        tries = int(message.metadata.num_delivered or 1)
        if tries > MOST_TRIES:
            why = f"{MOST_TRIES} times the machine that ran it died or was cut off"
            problem = Problem(
                "EngineDied", "The job was lost", why, "See the logs of the machines."
            )
            return End(job_id, LOST, problem=problem)
        try:
            known = messages.read_job(job)
            if known.id != job_id:
                why = "its ID does not match the ID of its message"
                raise BadInput("The agent refused the job", why)
            self._forget_earlier(job_id, str(asked.get("asked", "")))
            listed = {each.sha256: each.size_bytes for each in known.model}
            listed |= {each.sha256: each.size_bytes for each in known.feeds}
            if known.folder is not None:
                listed[known.folder.sha256] = known.folder.size_bytes
            await link.fetch_into(self._worker._streams, self.agent.blobs, listed)
        except InspectorError as error:
            return End(job_id, REFUSED, problem=messages.problem_of(error))
        name = f"{known.kind} {known.model[0].name if known.model else ''}".strip()
        async with self._worker._gate.use(self):
            self._worker._running[job_id] = name
            try:
                return await self._run(job, message)
            finally:
                self._worker._running.pop(job_id, None)

    def _forget_earlier(self, job_id: str, nonce: str) -> None:
        """Delete what is kept of the job if somebody else asked for it, or at another time."""
        spool = self.agent.spool
        note = spool.folder(job_id) / "asked"
        body = nonce.encode()
        if not (files.exists(note) and note.read_bytes() == body):
            self.agent.receive({"type": "forget", "id": job_id})
            note.parent.mkdir(parents=True, exist_ok=True)
            note.write_bytes(body)

    async def _run(self, job: Mapping[str, Any], message: Any) -> End | None:
        job_id = self.job_id
        wanted = self.cancelled or await self._is_wanted(message)
        if self.cancelled:
            return End(job_id, messages.CANCELLED)
        if not wanted:
            return None
        self.agent.receive({"type": "run", "job": job})
        while True:
            said = await self._said.get()
            if not isinstance(said, dict) or said.get("id") != job_id:
                continue
            if said.get("type") == "end":
                return msgspec.convert(said, End)
            await self._progress(said)

    async def _is_wanted(self, message: Any) -> bool:
        """Return whether a job is still in the queue and has no end, however long that takes.

        It may have been canceled while it was on its way to this device, or have ended just
        before somebody asked for it again. A client deletes a job before its end; so who finds
        no end, and then the job, knows that it has not ended.
        """
        streams = self._worker._streams
        while not self.cancelled:
            try:
                if await link.last_end(streams, self.job_id) is not None:
                    return False
                return await link.is_queued(streams, message.metadata.sequence.stream)
            except Exception:  # noqa: BLE001
                await asyncio.sleep(_RETRY_SECONDS)
        return False

    async def _progress(self, event: Event) -> None:
        name = self._worker._settings.name
        with suppress(Exception):  # nobody may listen, or the line is cut
            body = link.body_of({**event, "device": name})
            await self._worker._nats.publish(f"progress.{self.job_id}", body)

    async def _finish(self, end: End, nonce: str) -> None:
        """Bring an end with its files to the hub, however long that takes.

        One that was canceled is only told: who asks for it again wants it to run.
        """
        if end.state == messages.CANCELLED:
            await self._progress({"end": msgspec.structs.asdict(end)})
            return
        streams, name = self._worker._streams, self._worker._settings.name

        def told(end: End) -> bytes:
            answer = {"end": msgspec.structs.asdict(end), "device": name, "asked": nonce}
            return link.body_of(answer)

        headers = {"Nats-Msg-Id": f"{end.id}.{nonce}"}
        sent = False
        while not sent:
            try:
                for file in end.files:
                    path = self.agent.blobs.path(file.sha256)
                    await link.send_file(streams, path, file.sha256, job=end.id)
                await streams.publish(f"end.{end.id}", told(end), headers=headers, timeout=3)
                sent = True
            except InspectorError as error:  # the file is gone: the owner deleted it
                end = End(end.id, messages.FAILED, problem=messages.problem_of(error))
            except Exception as error:  # noqa: BLE001
                if getattr(error, "err_code", None) == link.TAKEN:
                    sent = True  # it ran elsewhere, too, and ended there first
                else:
                    await asyncio.sleep(_RETRY_SECONDS)
        self._worker._tell(f"{end.state}: {end.id[:8]}")


async def _next(subscriptions: list[Any]) -> Any:
    """Return the next message of the first subscription that has one; None without any."""
    for subscription in subscriptions:
        with suppress(Exception):  # no message, or no connection
            return await _fetch_now(subscription)
    return None


async def _fetch_now(subscription: Any) -> Any:
    """Return a message that waits. Raises an error of nats: there is none."""
    asked = json.dumps({"batch": 1, "no_wait": True}).encode()
    inner = subscription._sub
    while not inner._pending_queue.empty():  # what came after a fetch had given up
        message = await inner.next_msg(0.1)
        if not _is_status(message):
            return message
    await subscription._nc.publish(subscription._nms, asked, subscription._deliver)
    until = time.monotonic() + _FETCH_SECONDS
    while time.monotonic() < until:
        message = await inner.next_msg(_FETCH_SECONDS)
        if not _is_status(message):
            return message
        break
    raise nats.errors.TimeoutError


def _is_status(message: Any) -> bool:
    return not message.reply or not message.reply.startswith("$JS.ACK")


async def _stay_alive(message: Any) -> None:
    """Tell the hub that a job is in work, so that it gives it to nobody else."""
    while True:
        await asyncio.sleep(_ALIVE_SECONDS)
        with suppress(Exception):
            await message.in_progress()

"""A server on this machine that sends a model, and misbehaves as a test asks it to."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import sleep

SAMPLE = Path(__file__).parent.parent / "sample_models" / "digits_float32.onnx"
BODY = SAMPLE.read_bytes()


@dataclass
class Behavior:
    """How the server behaves. requests: method and Range of each."""

    etag: str = '"one"'
    announced: int | None = len(BODY)
    body: bytes = BODY
    cut_at: tuple[int, ...] = ()  # bytes after which the connection ends, of each GET
    trickle: float = 0.0  # seconds between bytes
    redirect: str = ""
    kind: str = "application/octet-stream"
    status: int = 200
    ranges: bool = True
    requests: list[tuple[str, str]] = field(default_factory=list)


class Handler(BaseHTTPRequestHandler):
    def __init__(self, behavior: Behavior, *more: object) -> None:
        self.behavior = behavior
        super().__init__(*more)

    def log_message(self, *_: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self._answer(head=True)

    def do_GET(self) -> None:
        self._answer(head=False)

    def _answer(self, head: bool) -> None:
        how = self.behavior
        span = self.headers.get("Range", "")
        how.requests.append((self.command, span))
        if how.redirect and self.path == "/net.onnx":
            self.send_response(302)
            self.send_header("Location", how.redirect)
            self.end_headers()
            return
        if how.status != 200:
            self.send_error(how.status)
            return
        start = 0
        if span and how.ranges and self.headers.get("If-Range") == how.etag:
            start = int(span.removeprefix("bytes=").rstrip("-"))
            self.send_response(206)
            last = f"bytes {start}-{len(how.body) - 1}/{len(how.body)}"
            self.send_header("Content-Range", last)
        else:
            self.send_response(200)
        if how.announced is not None:
            self.send_header("Content-Length", str(how.announced - start))
        self.send_header("ETag", how.etag)
        self.send_header("Content-Type", how.kind)
        self.end_headers()
        if head:
            return
        gets = sum(method == "GET" for method, _ in how.requests)
        end = how.cut_at[gets - 1] if gets <= len(how.cut_at) else len(how.body)
        with suppress(OSError):  # the other end has enough
            if how.trickle:
                for place in range(start, end):
                    self.wfile.write(how.body[place : place + 1])
                    sleep(how.trickle)
            else:
                self.wfile.write(how.body[start:end])


@contextmanager
def serving(behavior: Behavior) -> Iterator[str]:
    """Yield the address of net.onnx on a server that lives in this block."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, behavior))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/net.onnx"
    finally:
        server.shutdown()
        server.server_close()

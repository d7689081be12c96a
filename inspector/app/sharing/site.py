"""The page of a team's results behind a link: a small web server that only reads.

The link has a secret part, so that who may not see the results cannot guess it; it stays the
same over restarts. Nothing that is sent is stored or run.
"""

import hmac
import secrets
import socket
import threading
from collections.abc import Callable, Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

from inspector.analysis.measured.history import PastReport
from inspector.analysis.verdicts.results import BASELINE
from inspector.app.sharing.results import gathered, page_names, report_html
from inspector.errors import BadInput, InspectorError
from inspector.platform import files
from inspector.render import registry
from inspector.render.registry import Subject

_TOKEN = "results-link"  # name of the file with the secret part
_TOKEN_BYTES = 12
_ANYWHERE = ("0.0.0.0", "::")  # all addresses of this machine
_IDLE_SECONDS = 20.0  # after which a silent visitor is left
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Shared(NamedTuple):
    """Reports to show, oldest first, and who measured them, by their paths."""

    reports: Sequence[PastReport]
    authors: dict[Path, str]


class ResultsSite:
    """Serves the page until it is closed. Raises BadInput: the address cannot be used.

    read: returns what to show, called for each visit of the page. folder: keeps the secret.
    """

    def __init__(
        self,
        address: tuple[str, int],
        folder: Path,
        read: Callable[[], Shared],
        tag: str = BASELINE,
    ) -> None:
        host, port = address
        self._read, self._tag = read, tag
        self._secret = _secret(folder)
        self._lock, self._running = threading.Lock(), False
        self._shown: tuple[object, bytes] = (None, b"")
        self._pages: dict[str, Path] = {}
        site = self

        class Visit(BaseHTTPRequestHandler):
            timeout = _IDLE_SECONDS

            def do_GET(self) -> None:
                status, body = site.answer(self.path)
                self.send_response(status)
                for name, value in _HEADERS.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def version_string(self) -> str:
                return "Inspector"

            def log_message(self, *_: object) -> None:
                pass

        try:
            self._server = ThreadingHTTPServer((host, port), Visit)
        except OSError as error:
            why = error.strerror or str(error)
            hint = "Choose another port, or an address of this machine."
            raise BadInput(f"Could not serve at {host}:{port}", why, hint) from error
        self._server.daemon_threads = True
        name = socket.gethostname() if host in _ANYWHERE else host
        shown = f"[{name}]" if ":" in name else name
        self.link = f"http://{shown}:{self._server.server_port}/{self._secret}/"

    def run(self) -> None:
        """Serve until `close`, or until the thread is interrupted."""
        self._running = True
        self._server.serve_forever()

    def close(self) -> None:
        """Stop serving."""
        if self._running:  # else it would wait for ever
            self._server.shutdown()
        self._server.server_close()

    def answer(self, target: str) -> tuple[HTTPStatus, bytes]:
        """Return what a browser gets that asks for a target."""
        _, secret, *rest = [*target.partition("?")[0].split("/"), "", ""]
        if not hmac.compare_digest(secret.encode(), self._secret.encode()):
            return HTTPStatus.NOT_FOUND, b"There is no such page."
        name = rest[0]
        try:
            if not name:
                return HTTPStatus.OK, self._page()
            path = self._pages.get(name)
            if path is None:
                return HTTPStatus.NOT_FOUND, b"There is no such report."
            return HTTPStatus.OK, report_html(path)
        except InspectorError as error:
            return HTTPStatus.INTERNAL_SERVER_ERROR, str(error).encode()

    def _page(self) -> bytes:
        """Return the page, made again where the reports changed."""
        with self._lock:
            shared = self._read()
            if shared == self._shown[0]:
                return self._shown[1]
            names = page_names(shared.reports)
            self._pages = {f"{name}.html": path for path, name in names.items()}
            links = {path: f"{name}.html" for path, name in names.items()}
            results = gathered(shared.reports, self._tag, shared.authors, links)
            body = bytes(registry.format_of(Subject.RESULTS, "html").writer(results))
            self._shown = shared, body
            return body


def _secret(folder: Path) -> str:
    """Return the secret part of the link, made at the first time. Raises NotSaved."""
    path = folder / _TOKEN
    if files.exists(path) and (known := path.read_text("ascii", "replace").strip()).isalnum():
        return known
    files.make_folder(folder)
    made = secrets.token_hex(_TOKEN_BYTES)
    files.write_atomic(path, made.encode())
    path.chmod(0o600)
    return made

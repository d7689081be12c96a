"""Netron in a browser without a screen, from its page's start until it shows the graph.

`python -m benchmarks.peer_netron_window MODEL...` needs chromium and `pip install netron`. It
serves Netron's own page with one script more, that says when the graph is shown. Printed:
seconds of the page's own clock, the most memory of all the browser's processes (proportional
where the system tells it), and how many nodes it drew. After LIMIT_S it is ended.
"""

import http.server
import importlib.util
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import Empty, Queue
from tempfile import TemporaryDirectory
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import psutil

LIMIT_S = 120.0
_BROWSERS = "chromium", "chromium-browser", "google-chrome"
_WATCH = b"""
document.cookie = 'consent=1; SameSite=Strict';
const watched = setInterval(() => {
    const shown = document.body.classList;
    const words = document.getElementById('message-text')?.innerText || '';
    if (["default", "alert", "notification"].some((page) => shown.contains(page))) {
        clearInterval(watched);
        const nodes = document.querySelectorAll('g.node').length;
        requestAnimationFrame(() => fetch('/shown?' + new URLSearchParams({
            s: performance.now() / 1000, nodes,
            words: shown.contains("default") ? "" : words })));
    }
}, 20);
"""


@dataclass(frozen=True, slots=True)
class Shown:
    """What became of it; seconds: None where it was ended. problem: what the page said."""

    seconds: float | None
    peak_bytes: int
    nodes: int = 0
    problem: str = ""


def measure(model: Path, limit_s: float = LIMIT_S) -> Shown | None:
    """Let Netron open a model; None where it or a browser is not here."""
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    spec = importlib.util.find_spec("netron")
    if browser is None or spec is None or spec.origin is None:
        return None
    told: Queue[dict[str, list[str]]] = Queue()
    serving = _server(Path(spec.origin).parent, model, told)
    Thread(target=serving.serve_forever, daemon=True).start()
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [browser, "--headless=new", "--no-sandbox", "--disable-gpu"]
        command += ["--no-first-run", "--disable-dev-shm-usage", f"--user-data-dir={profile}"]
        command += ["--window-size=1440,900", f"http://127.0.0.1:{serving.server_port}/"]
        quiet = subprocess.DEVNULL
        running = subprocess.Popen(command, stdout=quiet, stderr=quiet)
        try:
            return _watched(psutil.Process(running.pid), told, limit_s)
        finally:
            for process in _family(psutil.Process(running.pid)):
                process.kill()
            running.wait()
            serving.shutdown()


def _watched(
    browser: psutil.Process, told: "Queue[dict[str, list[str]]]", limit_s: float
) -> Shown:
    peak, end = 0, time.monotonic() + limit_s
    while time.monotonic() < end:
        peak = max(peak, sum(map(_held, _family(browser))))
        try:
            said = told.get(timeout=0.25)
        except Empty:
            continue
        peak = max(peak, sum(map(_held, _family(browser))))
        words = said.get("words", [""])[0]
        return Shown(float(said["s"][0]), peak, int(said["nodes"][0]), words)
    return Shown(None, peak)


def _family(browser: psutil.Process) -> list[psutil.Process]:
    return [browser, *browser.children(recursive=True)]


def _held(process: psutil.Process) -> int:
    try:
        told = process.memory_full_info()
        return int(getattr(told, "pss", told.rss))
    except psutil.Error:  # it has just ended
        return 0


def _index(page: Path) -> bytes:
    """Netron's first page with the model named and watched, as its own server sends it."""
    meta = '<meta name="version" content="1.0.0"><meta name="file" content="/data/model.onnx">'
    index = re.sub('<meta name="version"[^>]*>', meta, (page / "index.html").read_text("utf-8"))
    today = time.strftime("%Y-%m-%d %H:%M:%S")
    index = re.sub('<meta name="date"[^>]*>', f'<meta name="date" content="{today}">', index)
    return index.replace("<script", '<script src="watch.js"></script><script', 1).encode()


def _server(
    page: Path, model: Path, told: "Queue[dict[str, list[str]]]"
) -> http.server.ThreadingHTTPServer:
    index = _index(page)

    class Pages(http.server.SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = urlsplit(self.path)
            if asked.path == "/shown":
                told.put(parse_qs(asked.query, keep_blank_values=True))
                self._answer(b"", "text/plain")
            elif asked.path == "/":
                self._answer(index, "text/html")
            elif asked.path == "/watch.js":
                self._answer(_WATCH, "text/javascript")
            elif asked.path == "/data/model.onnx":
                self._model()
            else:
                super().do_GET()

        def _model(self) -> None:
            self._head("application/octet-stream", model.stat().st_size)
            with model.open("rb") as file:
                shutil.copyfileobj(file, self.wfile, 1 << 20)

        def _answer(self, body: bytes, kind: str) -> None:
            self._head(kind, len(body))
            self.wfile.write(body)

        def _head(self, kind: str, size_bytes: int) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(size_bytes))
            self.end_headers()

        def log_message(self, form: str, *words: object) -> None:
            """Say nothing."""

    pages = partial(Pages, directory=str(page))
    return http.server.ThreadingHTTPServer(("127.0.0.1", 0), pages)


def main(models: list[str]) -> None:
    """Print a line for each model."""
    for name in models:
        found = measure(Path(name))
        if found is None:
            print("Netron is left out: it needs chromium and `pip install netron`.")
            return
        after = (
            f"ended after {LIMIT_S:.0f} s"
            if found.seconds is None
            else f"{found.seconds:.1f} s"
        )
        more = f", it says: {found.problem}" if found.problem else f", {found.nodes:,} boxes"
        print(f"{Path(name).name}: {after}, {found.peak_bytes / 1e9:.2f} GB{more}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])

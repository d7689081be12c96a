"""A browser without a window, driven by its own protocol through two pipes."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any, Self

PROGRAM = next(
    filter(
        None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))
    ),
    "",
)


class Browser:
    """One page. `asked`: every address that it wanted; `problems`: what went wrong in it."""

    def __init__(self, home: Path) -> None:
        read, self._out = os.pipe()
        self._in, write = os.pipe()
        flags = ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run")
        quiet = ("--disable-background-networking", "--disable-component-update")

        def lay() -> None:  # the protocol is spoken on 3 and 4
            os.dup2(os.dup(read), 3)
            os.dup2(os.dup(write), 4)

        command = [
            PROGRAM,
            *flags,
            *quiet,
            "--remote-debugging-pipe",
            f"--user-data-dir={home}",
        ]
        self._process = subprocess.Popen(
            command, preexec_fn=lay, close_fds=False, stderr=subprocess.DEVNULL
        )
        os.close(read)
        os.close(write)
        self._number, self._rest, self._session = 0, b"", ""
        self.asked: list[str] = []
        self.problems: list[dict[str, Any]] = []
        page = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=page, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.terminate()
        self._process.wait(60)
        os.close(self._out)
        os.close(self._in)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Ask for something and wait for the answer."""
        self._number += 1
        body: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        body |= {"sessionId": self._session} if self._session else {}
        os.write(self._out, json.dumps(body).encode() + b"\0")
        while True:
            found = self._next()
            if found.get("id") == self._number:
                assert "error" not in found, found
                return found["result"]

    def open(self, path: Path) -> None:
        """Open a file and wait until it is there."""
        self.call("Page.navigate", url=path.as_uri())
        self.run("new Promise(d => document.readyState == 'complete' ? d() : onload = d)")

    def run(self, script: str) -> Any:
        """What a script returns."""
        found = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def settle(self) -> None:
        """Wait for two frames to be drawn."""
        frame = "requestAnimationFrame(() => requestAnimationFrame(d))"
        self.run(f"new Promise(d => {frame})")

    def middle(self, selector: str) -> tuple[float, float]:
        """The place of an element's middle, which is brought into view."""
        script = (
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            "e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
            "return [r.left + r.width / 2, r.top + r.height / 2]; })()"
        )
        x, y = self.run(script)
        return x, y

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        """A real event of the mouse."""
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)
        self.settle()

    def click(self, selector: str) -> None:
        """Press the middle of an element."""
        x, y = self.middle(selector)
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def key(self, key: str) -> None:
        """Press a key."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key)
        self.settle()

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            piece = os.read(self._in, 1 << 16)
            assert piece, "the browser is gone"
            self._rest += piece
        first, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(first)
        method = found.get("method")
        if method == "Network.requestWillBeSent":
            self.asked.append(found["params"]["request"]["url"])
        elif method in ("Runtime.exceptionThrown", "Log.entryAdded"):
            self.problems.append(found["params"])
        return found

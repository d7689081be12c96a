"""The hub of a lab: its certificates, the configuration of its server, and the server."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from inspector.errors import BadInput, EngineFailed
from inspector.platform import files
from inspector.platform.late_modules import platformdirs
from inspector.plugins.lab import link, membership
from inspector.plugins.lab.membership import CLIENT, DEVICE
from inspector.units import clip

QUOTA_BYTES = 50 << 30
_OLDEST = (2, 9)  # of the server: refuses a second message of one subject
_START_SECONDS = 15.0
MOST_PAYLOAD = 8 << 20
# What a device may send: what a job came to, and nothing that is a job.
_DEVICE_SENDS = (
    "end.>", "progress.>", "status.>", "ping", "$JS.ACK.>", "$JS.FC.>", "$O.files.>",
    "$KV.devices.>",
    "$JS.API.INFO", "$JS.API.STREAM.INFO.*", "$JS.API.STREAM.NAMES", "$JS.API.STREAM.MSG.GET.*",
    "$JS.API.DIRECT.GET.>", "$JS.API.STREAM.PURGE.OBJ_files", "$JS.API.CONSUMER.INFO.JOBS.*",
    "$JS.API.CONSUMER.DURABLE.CREATE.JOBS.*", "$JS.API.CONSUMER.CREATE.JOBS.>",
    "$JS.API.CONSUMER.MSG.NEXT.JOBS.*", "$JS.API.CONSUMER.CREATE.OBJ_files",
    "$JS.API.CONSUMER.CREATE.OBJ_files.>", "$JS.API.CONSUMER.DELETE.OBJ_files.>",
)  # fmt: skip
_DEVICE_HEARS = ("_INBOX.>", "cancel.>", "wake", "ping")


def default_folder() -> Path:
    """Return the folder that a hub of this user keeps everything in."""
    return platformdirs.user_data_path("inspector", appauthor=False) / "lab"


def find_server() -> str:
    """Return the path of `nats-server`. Raises BadInput: there is none, or it is too old."""
    others = [str(Path(sys.executable).parent), *([] if os.name == "nt" else ["/usr/sbin"])]
    found = shutil.which("nats-server") or shutil.which(
        "nats-server", path=os.pathsep.join(others)
    )
    what = "Could not start the hub"
    if found is None:
        hint = (
            "Install it: `apt install nats-server`, `brew install nats-server`, `winget "
            "install NATSAuthors.NATSServer`, or from github.com/nats-io/nats-server/releases."
        )
        raise BadInput(what, "nats-server is not installed on this machine", hint)
    try:
        said = subprocess.run([found, "--version"], capture_output=True, text=True).stdout
    except OSError as error:
        why = error.strerror or str(error)
        raise BadInput(
            what, f"{found} cannot be run: {why}", "Install one for this system."
        ) from error
    version = re.search(r"v(\d+)\.(\d+)", said)
    if version is None or (int(version[1]), int(version[2])) < _OLDEST:
        oldest = ".".join(map(str, _OLDEST))
        raise BadInput(
            what, f"{found} is '{clip(said.strip(), 60)}'", f"It must be {oldest} or newer."
        )
    return found


def prepare(folder: Path, addresses: Sequence[str], port: int, quota: int) -> Path:
    """Write what a hub needs, and return its configuration file. Raises BadInput, NotSaved.

    Certificates that are there stay, so that members stay members; the one of the server is
    made anew where an address was added. addresses: names or IP addresses by which the hub is
    reached, the one for members first.
    """
    # of the extra lab; loads a library of OpenSSL
    from inspector.plugins.lab import certificates

    files.make_folder(folder)
    folder.chmod(0o700)
    names = tuple(addresses) or own_addresses()
    authority = folder / "authority.pem"
    if not (authority.exists() and (folder / "authority.key").exists()):
        certificates.make_authority(folder)
    address = f"[{names[0]}]" if ":" in names[0] else names[0]
    hub = f"tls://{address}:{port}"
    for role in (CLIENT, DEVICE):
        path = folder / f"{role}.pem"
        if not path.exists() or membership.read(path).hub != hub:
            user = f"{role}.inspector-lab"
            certificate, key = certificates.issued(folder, user, (), server=False)
            trusted = authority.read_text("utf-8")
            membership.write(path, hub, role, certificate, key, trusted)
    certificate, key = certificates.issued(folder, "hub.inspector-lab", names, server=True)
    certificates.write_secret(folder / "hub.pem", certificate.encode())
    certificates.write_secret(folder / "hub.key", key.encode())
    configured = json.dumps(_configuration(folder, port, quota), indent=1)
    files.write_atomic(folder / "nats.conf", configured.encode())
    return folder / "nats.conf"


def own_addresses() -> tuple[str, ...]:
    """Return names by which other machines may reach this one, the likeliest first."""
    name = socket.gethostname()
    return tuple(dict.fromkeys((name, socket.getfqdn(), "localhost", "127.0.0.1")))


class Hub:
    """A running server. Raises EngineFailed: it does not start."""

    def __init__(
        self, configuration: Path, say: Callable[[str], None] = lambda _: None
    ) -> None:
        self._said: list[str] = []
        self._process = subprocess.Popen(
            [find_server(), "-c", str(configuration)],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
        )
        self._ready = threading.Event()
        threading.Thread(target=self._read, args=(say,), name="hub", daemon=True).start()
        until = time.monotonic() + _START_SECONDS
        while not self._ready.wait(0.02):
            if self._process.poll() is not None or time.monotonic() > until:
                self.close()
                last = [line for line in self._said if "[FTL]" in line or "[ERR]" in line]
                why = clip("; ".join((last or self._said)[-2:]), 300) or "it said nothing"
                raise EngineFailed(
                    "Could not start the hub", why, "Check whether the port is already in use."
                )
        link.make_streams(membership.read(configuration.parent / "client.pem"))

    def wait(self) -> int:
        """Wait until the server ends."""
        return self._process.wait()

    def close(self) -> None:
        """Stop the server; what it keeps stays."""
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _read(self, say: Callable[[str], None]) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as stream:
            for body in stream:
                line = body.decode("utf-8", "replace").rstrip()
                self._said = [*self._said[-40:], line]
                if "Server is ready" in line:
                    self._ready.set()
                if "[ERR]" in line or "[FTL]" in line:
                    say(line)


def _configuration(folder: Path, port: int, quota: int) -> dict[str, Any]:
    device = {"publish": list(_DEVICE_SENDS), "subscribe": list(_DEVICE_HEARS)}
    return {
        "server_name": "inspector-lab",
        "host": "0.0.0.0",
        "port": port,
        "max_payload": MOST_PAYLOAD,
        "ping_interval": "5s",
        "ping_max": 2,
        "jetstream": {
            "store_dir": str(folder / "store"),
            "max_memory_store": 64 << 20,
            "max_file_store": quota,
        },
        "tls": {
            "cert_file": str(folder / "hub.pem"),
            "key_file": str(folder / "hub.key"),
            "ca_file": str(folder / "authority.pem"),
            "verify_and_map": True,
            "timeout": 5,
        },
        "authorization": {
            "users": [
                {"user": f"{CLIENT}.inspector-lab"},
                {
                    "user": f"{DEVICE}.inspector-lab",
                    "permissions": {**device, "allow_responses": {"max": 5, "expires": "1m"}},
                },
            ]
        },
    }

"""The file that lets a program into a lab: where its hub is, and a certificate with its key."""

import os
import re
import ssl
from pathlib import Path

from msgspec import Struct

from inspector.errors import BadInput, UnreadableFile
from inspector.platform import files
from inspector.platform.late_modules import platformdirs

HEAD = "inspector lab membership"
CLIENT = "client"
DEVICE = "device"
_MOST_BYTES = 1 << 20
_CERTIFICATE = re.compile(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", re.S)
_FIELD = re.compile(r"^(hub|role): *(\S+)$", re.M)


class Membership(Struct, frozen=True):
    """hub: address of its server ("tls://lab.local:4222"). role: CLIENT or DEVICE."""

    hub: str
    role: str
    path: Path

    def tls(self) -> ssl.SSLContext:
        """Return a context that trusts this lab's authority only. Raises UnreadableFile."""
        text = self.path.read_text("utf-8")
        try:
            context = ssl.create_default_context(cadata=_CERTIFICATE.findall(text)[-1])
            context.load_cert_chain(self.path)
        except (OSError, ValueError, IndexError) as error:
            raise _unreadable(self.path, str(error)) from error
        return context


def default_file() -> Path:
    """Return where the membership of this user is kept."""
    return platformdirs.user_config_path("inspector", appauthor=False) / "lab.pem"


def own() -> Membership:
    """Return the membership of this user as a client. Raises BadInput: there is none."""
    path = default_file()
    if not files.exists(path):
        hint = "`inspector lab hub` makes client.pem; then: inspector lab use client.pem"
        raise BadInput("Could not use the lab", "this machine is not set up to use one", hint)
    return read(path)


def keep(member: Membership) -> None:
    """Make a membership the one of this user. Raises NotSaved."""
    target = default_file()
    files.make_folder(target.parent)
    files.write_atomic(target, member.path.read_bytes())
    os.chmod(target, 0o600)


def forget() -> None:
    """Delete the membership of this user. Raises BadInput: there is none."""
    own()
    default_file().unlink(missing_ok=True)


def read(path: Path) -> Membership:
    """Read a membership. Raises UnreadableFile: it is none."""
    if not files.exists(path):
        raise _unreadable(path, "it does not exist")
    text = files.read_capped(path, _MOST_BYTES).decode("utf-8", "replace")
    found = dict(_FIELD.findall(text))
    if not text.startswith(HEAD) or found.get("role") not in (CLIENT, DEVICE):
        raise _unreadable(path, "it is not a membership file of a lab")
    if len(_CERTIFICATE.findall(text)) < 2 or "PRIVATE KEY-----" not in text:
        raise _unreadable(path, "a certificate or its key is missing")
    return Membership(found.get("hub", ""), found["role"], path)


def write(path: Path, hub: str, role: str, certificate: str, key: str, authority: str) -> None:
    """Write a membership that only this user may read. Raises NotSaved."""
    body = f"{HEAD}\nhub: {hub}\nrole: {role}\n{certificate}{key}{authority}"
    files.write_atomic(path, body.encode())
    os.chmod(path, 0o600)


def _unreadable(path: Path, why: str) -> UnreadableFile:
    hint = "The hub's folder has client.pem and device.pem: see `inspector lab hub --help`."
    return UnreadableFile(f"Could not read the lab membership file {path.name}", why, hint)

"""Models are uploaded to a service only after the user agreed to it, once for each model."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from inspector.errors import BadInput, UnreadableFile
from inspector.platform import files
from inspector.platform.late_modules import platformdirs
from inspector.units import clip, size

_SCHEMA = "uploads/1"
_FIRST = "Qualcomm AI Hub"  # the only service when the file did not name services
_MOST_BYTES = 4 << 20  # of the file; each model takes 67
_MOST_NAMES = 8  # of models in one question


class UploadNotAllowed(BadInput):
    """The user has not agreed to the upload of a model."""


class _Allowed(msgspec.Struct):
    """The models that may be uploaded, by SHA-256.

    models: to the first service that Inspector had. services: to each other one, by its name.
    """

    schema: str = _SCHEMA
    models: tuple[str, ...] = ()
    services: dict[str, tuple[str, ...]] = {}


class Upload(Struct, frozen=True):
    """A model that would be uploaded to a service. name, size_bytes, sha256: of its file."""

    name: str
    size_bytes: int
    sha256: str
    service: str


def consent_file() -> Path:
    """Return the file that has which models the user allowed to be uploaded."""
    return platformdirs.user_config_path("inspector", appauthor=False) / "uploads.json"


def is_allowed(sha256: str, service: str) -> bool:
    """Return whether the user agreed to the upload of a model; a damaged file allows none."""
    found = _allowed()
    return sha256 in (found.models if service == _FIRST else found.services.get(service, ()))


def allow(sha256: str, service: str) -> None:
    """Remember that the user agreed to the upload of a model. Raises NotSaved."""
    found = _allowed()
    if service == _FIRST:
        found.models = tuple(dict.fromkeys((*found.models, sha256)))
    else:
        models = (*found.services.get(service, ()), sha256)
        found.services[service] = tuple(dict.fromkeys(models))
    path = consent_file()
    files.make_folder(path.parent)
    files.write_atomic(path, msgspec.json.encode(found) + b"\n")


def question(uploads: Sequence[Upload], devices: str) -> str:
    """Return what a user is asked before models are uploaded for one or more devices."""
    names = ", ".join(clip(each.name, 80) for each in uploads[:_MOST_NAMES])
    rest = len(uploads) - _MOST_NAMES
    names += f" and {rest} more" if rest > 0 else ""
    one, service = len(uploads) == 1, uploads[0].service
    return (
        f"To be measured on {devices}, {names} ({size(sum(e.size_bytes for e in uploads))}) "
        f"{'is' if one else 'are'} uploaded to {service} with your account, and "
        f"{'stays' if one else 'stay'} there until you delete {'it' if one else 'them'}. "
        f"Upload {'it' if one else 'them'}?"
    )


def _allowed() -> _Allowed:
    path = consent_file()
    if not files.exists(path):
        return _Allowed()
    try:
        return msgspec.json.decode(files.read_capped(path, _MOST_BYTES), type=_Allowed)
    except (ValueError, RecursionError, UnreadableFile):
        return _Allowed()

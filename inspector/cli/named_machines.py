"""The machines that `--on` and `--python` name, and whether they may get a model."""

import argparse
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from inspector.errors import BadInput, Cancelled
from inspector.platform.terminal import confirmed
from inspector.remote import uploads
from inspector.remote.blobs import hash_of
from inspector.remote.machines import Target, pythons
from inspector.remote.machines import targets as saved_targets


def named(options: argparse.Namespace) -> tuple[Target, ...]:
    """Return the machines that the options name, at least one. Raises BadInput."""
    if not options.python:
        return saved_targets(options.on)
    if getattr(options, "on", ""):
        why = "--on and --python cannot be used together"
        raise BadInput("Could not use these options", why, "Omit one of these options.")
    return pythons(options.python)


def confirm_uploads(options: argparse.Namespace, models: Sequence[Path]) -> None:
    """Ask about each model that would be uploaded to a service for the first time.

    Raises BadInput: there is no terminal to ask in. Cancelled: the user does not agree.
    """
    hosts = [target.machine for target in named(options)]
    names: dict[str, list[str]] = {}
    for each in hosts:
        if each.uploads_to:
            names.setdefault(each.uploads_to, []).append(each.name)
    for path, service in product(models if names else (), names):
        sha256, size_bytes = hash_of(path)
        if uploads.is_allowed(sha256, service):
            continue
        upload = uploads.Upload(path.name, size_bytes, sha256, service)
        question = uploads.question([upload], " and ".join(names[service]))
        what = f"Could not upload {path.name}"
        if not options.yes and not confirmed(question, what):
            raise Cancelled(f"{path.name} was not uploaded")
        uploads.allow(sha256, service)

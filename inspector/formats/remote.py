"""Models at an address: https://host/net.onnx, or hf://owner/name/net.onnx for Hugging Face.

Nothing is requested before the caller has asked the user, except how large the file is. What
was downloaded is kept by its SHA-256 below the user's cache folder; a download that was
interrupted goes on where it ended. Whatever a server answers is checked: only https (plain http
only from this machine itself), few redirects, a limit of size, and a least speed.
"""

import json
import os
import re
import shutil
import ssl
from collections.abc import Callable
from hashlib import sha256
from http.client import HTTPException, HTTPMessage, HTTPResponse
from pathlib import Path
from time import monotonic
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, unquote, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from msgspec import Struct

from inspector import __version__, units
from inspector.errors import BadInput, NotSaved, UnreadableFile
from inspector.formats.model_formats import model_suffixes
from inspector.platform import files, settings
from inspector.platform.late_modules import platformdirs

_HUB = "https://huggingface.co"
_HUB_VARIABLE = "HF_ENDPOINT"  # of a mirror, as in the hub's own library
# As in the hub's own library: revisions with a slash are of two kinds only, or escaped.
_HUB_FORM = re.compile(
    r"(?P<owner>[^/@]+)/(?P<name>[^/@]+)"
    r"(?:@(?P<revision>refs/(?:convert|pr)/[^/]+|[^/]+))?/(?P<path>[^/]+(?:/[^/]+)*)"
)
# Part of the path that leads to a file itself, where that to the page of a file has "blob".
_PAGES = {"huggingface.co": "resolve", "github.com": "raw"}
_HERE = {"localhost", "127.0.0.1", "::1"}
_PIECE = 1 << 16  # bytes read at once
_MOST_REDIRECTS = 5
_MOST_TRIES = 3
_LONGEST_NAME = 120
_LONGEST_ADDRESS = 2000
_SHA256 = re.compile(r"[0-9a-f]{64}")
_OURS = re.compile(r"[0-9a-f]{32}\.(json|part|lock)|[0-9a-f]{64}")  # names in the folder
Progress = Callable[[int, int | None], None]  # bytes that are there, bytes in all; may raise


class DownloadLimits(Struct, frozen=True):
    """Limits of a download.

    silence_seconds: without a byte. window_bytes: that must come in each window_seconds.
    """

    most_bytes: int = 32 << 30
    silence_seconds: float = 30.0
    window_seconds: float = 60.0
    window_bytes: int = 64 << 10


class RemoteFile(Struct, frozen=True):
    """A file at an address, as the server describes it.

    address: as the user wrote it. url: where to get it. size_bytes: None if unknown.
    etag: marks this content; "" if the server gives none. sha256: as announced; "" if unknown.
    cached: the file if this content was downloaded before.
    """

    address: str
    url: str
    host: str
    name: str
    size_bytes: int | None
    etag: str
    sha256: str
    cached: Path | None = None

    @property
    def question(self) -> str:
        """What the user is asked before anything is downloaded."""
        size = units.size(self.size_bytes) if self.size_bytes is not None else "unknown size"
        return f"Download {self.name} ({size}) from {self.host}?"


def default_folder() -> Path:
    """Return where downloads are kept: that of the settings, or one in the cache folder."""
    override = settings.folder("downloads")
    if override is not None:
        return override

    return platformdirs.user_cache_path("inspector", appauthor=False) / "downloads"


def downloaded_bytes(folder: Path) -> int:
    """Return how much all downloads in a folder take."""
    try:
        return sum(
            file.stat().st_size
            for place in _ours(folder)
            for file in (place.iterdir() if place.is_dir() else (place,))
        )
    except OSError:
        return 0


def remove_downloads(folder: Path) -> None:
    """Delete all downloads in a folder, and nothing else there. Raises NotSaved."""
    try:
        for place in _ours(folder):
            if place.is_dir():
                shutil.rmtree(place)
            else:
                place.unlink(missing_ok=True)
    except OSError as error:
        why = error.strerror or str(error)
        raise NotSaved("Could not remove the downloaded models", why) from error


def _ours(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return [
        place
        for place in folder.iterdir()
        if _OURS.fullmatch(place.name) and not place.is_symlink()
    ]


def look_up(
    address: str, folder: Path, limits: DownloadLimits = DownloadLimits()
) -> RemoteFile:
    """Ask the server for name and size of a file, without downloading it.

    Raises BadInput: the address cannot be used. Raises UnreadableFile: no such file, or the
    server cannot be reached and the file is not in the cache.
    """
    url = _url_of(address)
    name = _name_of(url)
    record = _record(folder, url)
    kept = _kept(folder, record)
    what = f"Could not open {units.clip(address, 200)}"
    try:
        redirects = _Redirects(url)
        with _opened(redirects, url, "HEAD", {}, limits, what) as answer:
            headers = answer.headers
    except _Unreachable as error:
        if kept is not None:  # without a network, what is there is used
            return RemoteFile(address, url, _host(url), name, None, "", "", kept)
        raise error.told from error
    linked = redirects.linked
    etag = linked.get("x-linked-etag", "") or headers.get("ETag", "")
    size = _size(linked.get("x-linked-size", "") or headers.get("Content-Length", ""))
    if size is not None and size > limits.most_bytes:
        raise UnreadableFile(what, _too_large(size, limits))
    if headers.get_content_type() == "text/html":
        hint = "Use the address of the file itself, such as a link named Download or Raw."
        raise UnreadableFile(what, "the server sent a web page, not a file", hint)
    announced = etag.strip('"')
    known = announced if _SHA256.fullmatch(announced) else ""
    same = kept is not None and bool(etag) and record.get("etag") == etag
    return RemoteFile(address, url, _host(url), name, size, etag, known, kept if same else None)


def download(
    remote: RemoteFile,
    folder: Path,
    progress: Progress = lambda done, total: None,
    limits: DownloadLimits = DownloadLimits(),
) -> Path:
    """Return the file at an address, downloaded unless it is in the cache.

    progress: called with each piece; may raise to stop, and the next call goes on from there.
    Raises UnreadableFile: the server does not send it. Raises NotSaved: no room, or no access.
    """
    if remote.cached is not None:
        return remote.cached
    what = f"Could not download {remote.name}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(folder).free
    except OSError as error:
        raise NotSaved(what, error.strerror or str(error)) from error
    if remote.size_bytes is not None and remote.size_bytes > free:
        why = f"it needs {units.size(remote.size_bytes)}, and {units.size(free)} are free"
        raise NotSaved(what, why, "Free up some space.")
    key = _key(remote.url)
    lock = files.open_lock(folder / f"{key}.lock")
    if lock is None or not files.try_lock(lock):
        raise NotSaved(
            what,
            "another instance of Inspector is downloading it",
            "Wait until the download has finished.",
        )
    with lock:
        try:
            return _fetched(remote, folder, folder / f"{key}.part", progress, limits, what)
        except OSError as error:
            raise NotSaved(what, error.strerror or str(error)) from error


def _fetched(
    remote: RemoteFile,
    folder: Path,
    part: Path,
    progress: Progress,
    limits: DownloadLimits,
    what: str,
) -> Path:
    """Fill the part file, check it, and move it to its place."""
    record = _record(folder, remote.url)
    resumable = bool(remote.etag) and record.get("partial_etag") == remote.etag
    if not resumable:
        part.unlink(missing_ok=True)
        _write_record(folder, remote.url, record | {"partial_etag": remote.etag})
    for attempt in range(_MOST_TRIES):
        before = part.stat().st_size if part.exists() else 0
        try:
            _receive(remote, part, progress, limits, what)
            break
        except _CutOff as error:
            after = part.stat().st_size if part.exists() else 0
            if attempt + 1 == _MOST_TRIES or not remote.etag or after <= before:
                raise error.told from error
    summed = sha256()
    with part.open("rb") as file:
        while piece := file.read(1 << 20):
            summed.update(piece)
    digest = summed.hexdigest()
    if remote.sha256 and digest != remote.sha256:
        part.unlink(missing_ok=True)
        raise UnreadableFile(what, "its content does not match the checksum from the server")
    target = folder / digest / remote.name
    target.parent.mkdir(exist_ok=True)
    part.replace(target)
    entry = {"url": remote.url, "etag": remote.etag, "sha256": digest, "name": remote.name}
    _write_record(folder, remote.url, entry)
    return target


def _receive(
    remote: RemoteFile, part: Path, progress: Progress, limits: DownloadLimits, what: str
) -> None:
    """Append what is missing to the part file. Raises _CutOff: the connection ended early."""
    have = part.stat().st_size if part.exists() else 0
    if remote.size_bytes is not None and have == remote.size_bytes and have:
        return
    headers = {"Range": f"bytes={have}-", "If-Range": remote.etag} if have else {}
    try:
        with _opened(
            _Redirects(remote.url), remote.url, "GET", headers, limits, what
        ) as answer:
            total = _total(answer, have, remote, limits, what)
            continued = answer.status == 206
            with part.open("ab" if continued else "wb") as out:
                _copy(answer, out, have if continued else 0, total, progress, limits, what)
    except _Unreachable as error:
        if error.status == 416:  # the part is longer than the file is now
            part.unlink(missing_ok=True)
        raise _CutOff(error.told) from error


def _total(
    answer: HTTPResponse, have: int, remote: RemoteFile, limits: DownloadLimits, what: str
) -> int | None:
    """Return how long the whole file is, from an answer; None if unknown."""
    headers = answer.headers
    encoding = headers.get("Content-Encoding", "identity")
    if encoding != "identity":
        raise UnreadableFile(
            what,
            f"the server sent it compressed ({units.clip(encoding, 40)}), which is not "
            f"supported",
        )
    total = _size(headers.get("Content-Length", ""))
    if answer.status == 206:
        match = re.fullmatch(r"bytes (\d+)-\d+/(\d+|\*)", headers.get("Content-Range", ""))
        if match is None or int(match.group(1)) != have:
            raise UnreadableFile(what, "the server sent a different part than requested")
        total = _size(match.group(2))
    elif headers.get_content_type() == "text/html":
        raise UnreadableFile(what, "the server sent a web page, not a file")
    if total is not None and remote.size_bytes is not None and total != remote.size_bytes:
        why = (
            f"the file changed: the server announced {remote.size_bytes:,} bytes, "
            f"but now sends {total:,}"
        )
        raise UnreadableFile(what, why, "Try again.")
    if total is not None and total > limits.most_bytes:
        raise UnreadableFile(what, _too_large(total, limits))
    return total if total is not None else remote.size_bytes


def _copy(
    answer: HTTPResponse,
    out: IO[bytes],
    done: int,
    total: int | None,
    progress: Progress,
    limits: DownloadLimits,
    what: str,
) -> None:
    """Write an answer to a file, within the limits of size and speed."""
    begin, begin_bytes = monotonic(), done
    while True:
        progress(done, total)
        try:
            piece = answer.read1(_PIECE)
        except (TimeoutError, HTTPException, OSError) as error:
            told = UnreadableFile(what, _reason(error, limits), "Try again to continue.")
            raise _CutOff(told) from error
        if not piece:
            break
        done += len(piece)
        most = limits.most_bytes if total is None else total
        if done > most:
            if total is None:
                raise UnreadableFile(what, _too_large(done, limits))
            raise UnreadableFile(
                what, f"the server sent more than the {total:,} bytes it announced"
            )
        out.write(piece)
        now = monotonic()
        if now - begin > limits.window_seconds:
            if done - begin_bytes < limits.window_bytes:
                why = f"only {done - begin_bytes:,} bytes came in {now - begin:.0f} s"
                raise UnreadableFile(what, why, "Try again to continue where it stopped.")
            begin, begin_bytes = now, done
    if total is not None and done != total:
        out.flush()
        why = f"the server sent {done:,} of {total:,} bytes and closed the connection"
        raise _CutOff(UnreadableFile(what, why, "Try again to continue where it stopped."))


class _Unreachable(Exception):
    """A request that failed. told: what to tell the user; status: of HTTP, 0 without answer."""

    def __init__(self, told: UnreadableFile, status: int = 0) -> None:
        super().__init__(told)
        self.told, self.status = told, status


class _CutOff(Exception):
    """A transfer that ended early and can be continued."""

    def __init__(self, told: UnreadableFile) -> None:
        super().__init__(told)
        self.told = told


class _Redirects(HTTPRedirectHandler):
    """Follows few redirects, to allowed addresses only; keeps headers about the linked file."""

    max_redirections = _MOST_REDIRECTS

    def __init__(self, url: str) -> None:
        self.linked: dict[str, str] = {}
        self._local = _host(url) in _HERE

    def redirect_request(
        self,
        req: Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> Request | None:
        for name in ("x-linked-etag", "x-linked-size"):
            value = headers.get(name)
            if value:
                self.linked.setdefault(name, value)
        parts = urlsplit(newurl)
        local = self._local and parts.hostname in _HERE and parts.scheme == "http"
        if parts.scheme != "https" and not local:
            fp.close()
            raise URLError(f"it redirects to {parts.scheme}, and only https is followed")
        made = super().redirect_request(req, fp, code, msg, headers, newurl)
        if made is not None and req.get_method() == "HEAD":
            made.method = "HEAD"
        return made


def _opened(
    redirects: _Redirects,
    url: str,
    method: str,
    headers: dict[str, str],
    limits: DownloadLimits,
    what: str,
) -> HTTPResponse:
    """Send a request. Raises _Unreachable."""
    opener: OpenerDirector = build_opener(redirects)
    identity = {"User-Agent": f"inspector/{__version__}", "Accept-Encoding": "identity"}
    request = Request(url, headers=identity | headers, method=method)
    try:
        answer: HTTPResponse = opener.open(request, timeout=limits.silence_seconds)
        return answer
    except HTTPError as error:
        error.close()
        told = UnreadableFile(what, *_refusal(error.code))
        raise _Unreachable(told, error.code) from error
    except (URLError, HTTPException, TimeoutError, OSError, ValueError) as error:
        raise _Unreachable(UnreadableFile(what, _reason(error, limits))) from error


def _refusal(status: int) -> tuple[str, str]:
    """Return reason and hint for a status of HTTP."""
    if status in (401, 403):
        hint = "Private and gated files cannot be downloaded; download the file in another way."
        return f"the server refuses access (status {status})", hint
    if status in (404, 410):
        return f"the server has no such file (status {status})", "Check the address."
    if 300 <= status < 400:
        return "there are too many redirects, or one without a target", "Check the address."
    return f"the server answered with status {status}", "Try again later."


def _reason(error: BaseException, limits: DownloadLimits) -> str:
    """Return why a transfer failed in words."""
    reason = getattr(error, "reason", error)
    if isinstance(reason, TimeoutError):
        return f"the server did not respond for {limits.silence_seconds:g} s"
    if isinstance(reason, ssl.SSLCertVerificationError):
        return "the certificate of the server is not valid for it"
    if isinstance(reason, OSError) and reason.strerror:
        return units.clip(reason.strerror, 200)
    return units.clip(str(reason) or type(error).__name__, 200)


def _too_large(size: int, limits: DownloadLimits) -> str:
    return f"it has {units.size(size)}, more than the limit of {units.size(limits.most_bytes)}"


def _url_of(address: str) -> str:
    """Return where to get an address. Raises BadInput."""
    what = f"Could not open {units.clip(address, 200)}"
    if len(address) > _LONGEST_ADDRESS or any(ord(sign) <= 32 for sign in address):
        raise BadInput(what, "the address is too long, or has spaces in it")
    scheme, _, rest = address.partition("://")
    if scheme == "hf":
        form = _HUB_FORM.fullmatch(rest)
        if form is None:
            example = "hf://owner/name/net.onnx or hf://owner/name@revision/net.onnx"
            raise BadInput(
                what, "it must have an owner, a name and a file", f"Use the form {example}."
            )
        owner, name, path = (quote(unquote(form[part])) for part in ("owner", "name", "path"))
        revision = quote(unquote(form["revision"] or "main"), safe="")  # "refs%2Fpr%2F1"
        hub = os.environ.get(_HUB_VARIABLE, "").rstrip("/") or _HUB
        return _url_of(f"{hub}/{owner}/{name}/resolve/{revision}/{path}")
    try:
        split = urlsplit(address)
        host = split.hostname or ""
        split.port  # noqa: B018  # raises for what is no number
    except ValueError as error:
        raise BadInput(what, str(error)) from error
    if not host or split.username is not None:
        raise BadInput(what, "it has no host or contains a user name")
    if scheme != "https" and host not in _HERE:
        raise BadInput(what, "only https is supported", f"Try https://{units.clip(rest, 150)}")
    if host in _PAGES:  # people copy the address of the page that shows a file
        path = re.sub("^/([^/]+/[^/]+)/blob/", rf"/\1/{_PAGES[host]}/", split.path)
        address = split._replace(path=path).geturl()
    return quote(address, safe="%/:=&?~#+!$,;'@()*[]")


def _name_of(url: str) -> str:
    """Return a safe file name for an address; of unknown ones, one of a model."""
    last = unquote(urlsplit(url).path).rpartition("/")[2]
    name = re.sub(r"[^\w.+\- ]", "_", last).strip(". ")[-_LONGEST_NAME:]
    if name.lower().endswith((*model_suffixes(), ".zip", ".json", ".json.gz")):
        return name
    return f"{name or 'model'}.onnx"


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""


def _size(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() and len(text) < 19 else None


def _key(url: str) -> str:
    return sha256(url.encode()).hexdigest()[:32]


def _record(folder: Path, url: str) -> dict[str, Any]:
    """Return what is known of an earlier download of an address."""
    try:
        record = json.loads((folder / f"{_key(url)}.json").read_bytes())
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) and record.get("url") == url else {}


def _write_record(folder: Path, url: str, record: dict[str, Any]) -> None:
    body = json.dumps(record | {"url": url}).encode()
    files.write_atomic(folder / f"{_key(url)}.json", body)


def _kept(folder: Path, record: dict[str, Any]) -> Path | None:
    """Return the file of an earlier download, if it is still there."""
    digest, name = str(record.get("sha256", "")), str(record.get("name", ""))
    if not _SHA256.fullmatch(digest) or not name or Path(name).name != name:
        return None
    path = folder / digest / name
    return path if files.is_file(path) else None

"""Models at an address, from a server on this machine that may be hostile."""

import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from inspector.errors import BadInput, Cancelled, InspectorError, NotSaved, UnreadableFile
from inspector.formats import remote
from inspector.formats.names import address_of
from inspector.formats.remote import DownloadLimits, download, look_up
from tests.model_server import BODY, Behavior, serving

# Of a server that answers: a busy machine may let it wait for long. And of one that does not.
PATIENT = DownloadLimits(1 << 20, 60.0, 60.0, 20_000)
QUICK = DownloadLimits(1 << 20, 0.4, 0.3, 20_000)


@pytest.fixture
def behavior() -> Behavior:
    return Behavior()


@pytest.fixture
def address(behavior: Behavior) -> Iterator[str]:
    with serving(behavior) as place:
        yield place


def fetched(address: str, folder: Path, limits: DownloadLimits = PATIENT) -> Path:
    return download(look_up(address, folder, limits), folder, limits=limits)


def test_a_file_is_downloaded_once(address, behavior, tmp_path):
    found = look_up(address, tmp_path)
    assert found.question == "Download net.onnx (78.6 KiB) from 127.0.0.1?"
    assert found.cached is None
    assert [method for method, _ in behavior.requests] == ["HEAD"]
    path = download(found, tmp_path)
    assert (path.name, path.read_bytes()) == ("net.onnx", BODY)
    assert len(path.parent.name) == 64  # the SHA-256
    assert fetched(address, tmp_path) == path
    assert [method for method, _ in behavior.requests] == ["HEAD", "GET", "HEAD"]
    behavior.etag = '"two"'  # another content by now
    assert look_up(address, tmp_path).cached is None


def test_what_was_downloaded_is_used_without_a_network(
    address, behavior, tmp_path, monkeypatch
):
    path = fetched(address, tmp_path)

    def fail(*_: object) -> None:
        raise remote._Unreachable(UnreadableFile("no network"))

    monkeypatch.setattr(remote, "_opened", fail)
    assert fetched(address, tmp_path) == path
    with pytest.raises(UnreadableFile):
        look_up(address.replace("net", "other"), tmp_path)


def test_a_download_goes_on_where_the_connection_ended(address, behavior, tmp_path):
    behavior.cut_at = (30_000, 60_000)
    assert fetched(address, tmp_path).read_bytes() == BODY
    spans = [span for method, span in behavior.requests if method == "GET"]
    assert spans == ["", "bytes=30000-", "bytes=60000-"]


def test_a_download_that_was_stopped_is_continued_by_the_next(address, behavior, tmp_path):
    def stop(done: int, total: int | None) -> None:
        if done > 40_000:
            raise Cancelled("Stopped")

    behavior.cut_at = (50_000,)  # all of it could come at once
    with pytest.raises(Cancelled):
        download(look_up(address, tmp_path), tmp_path, stop)
    assert fetched(address, tmp_path).read_bytes() == BODY
    assert int(behavior.requests[-1][1].removeprefix("bytes=").rstrip("-")) > 40_000
    behavior.etag = '"two"'
    with pytest.raises(Cancelled):
        download(look_up(address, tmp_path), tmp_path, stop)
    behavior.etag = '"three"'  # the file changed: nothing of the part is used
    assert fetched(address, tmp_path).read_bytes() == BODY
    assert behavior.requests[-1] == ("GET", "")


def test_a_server_that_does_not_continue_sends_all_again(address, behavior, tmp_path):
    behavior.cut_at, behavior.ranges = (30_000,), False
    assert fetched(address, tmp_path).read_bytes() == BODY


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"cut_at": (10, 10, 10)}, "the server sent 10 of 80,491 bytes"),
        ({"announced": None, "body": BODY * 20}, "more than the limit of 1.00 MiB"),
        ({"announced": 1 << 40}, "more than the limit of 1.00 MiB"),
        ({"trickle": 0.01}, "bytes came in 0 s"),
        ({"trickle": 1.0}, "the server did not respond for 0.4 s"),
        ({"kind": "text/html"}, "a web page, not a file"),
        ({"status": 404}, "the server has no such file (status 404)"),
        ({"status": 403}, "the server refuses access (status 403)"),
        ({"redirect": "http://example.invalid/net.onnx"}, "only https is followed"),
        (
            {"redirect": "file:///etc/passwd"},
            "there are too many redirects, or one without a target",
        ),
        ({"redirect": "/net.onnx"}, "there are too many redirects"),
        ({"etag": f'"{"0" * 64}"'}, "does not match the checksum from the server"),
    ],
)
def test_a_hostile_server_is_told_in_a_sentence(address, behavior, tmp_path, changes, why):
    for name, value in changes.items():
        setattr(behavior, name, value)
    with pytest.raises(InspectorError) as error:
        fetched(address, tmp_path, QUICK if "trickle" in changes else PATIENT)
    assert why.replace("80,491", f"{len(BODY):,}") in str(error.value)
    assert not [*tmp_path.glob("*/*.onnx")]


def test_only_safe_addresses_are_used(tmp_path):
    for address, why in (
        ("http://example.invalid/net.onnx", "only https is supported"),
        ("https://user:word@example.invalid/net.onnx", "user name"),
        ("https://example.invalid:x/net.onnx", "Could not open"),
        ("hf://owner/name", "it must have an owner, a name and a file"),
    ):
        with pytest.raises(BadInput, match=why):
            look_up(address, tmp_path)
    assert address_of("models/net.onnx") is None
    assert address_of("C:/net.onnx") is None
    assert address_of(Path("https://host/a/net.onnx")) == "https://host/a/net.onnx"
    assert address_of(Path("hf://owner/name/net.onnx")) == "hf://owner/name/net.onnx"
    assert remote._url_of("hf://owner/name@v1/onnx/net.onnx") == (
        "https://huggingface.co/owner/name/resolve/v1/onnx/net.onnx"
    )
    assert remote._name_of("https://host/..%2f..%2fetc%2Fnet.onnx?x=1") == "net.onnx"
    assert remote._name_of("https://host/") == "model.onnx"


def test_a_file_that_finds_no_room_is_not_begun(address, behavior, tmp_path, monkeypatch):
    usage = type("Usage", (), {"free": 100})
    monkeypatch.setattr(remote.shutil, "disk_usage", lambda _: usage)
    with pytest.raises(NotSaved, match="are free"):
        fetched(address, tmp_path)
    assert [method for method, _ in behavior.requests] == ["HEAD"]


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("hf://o/n/net.onnx", "o/n/resolve/main/net.onnx"),
        ("hf://o/n@refs/pr/1/a/net.onnx", "o/n/resolve/refs%2Fpr%2F1/a/net.onnx"),
        ("hf://o/n@refs%2Fpr%2F1/net.onnx", "o/n/resolve/refs%2Fpr%2F1/net.onnx"),
        ("https://huggingface.co/o/n/blob/main/net.onnx", "o/n/resolve/main/net.onnx"),
    ],
)
def test_forms_of_addresses_of_the_hub(address, path):
    assert remote._url_of(address) == f"https://huggingface.co/{path}"


def test_a_page_of_github_is_taken_for_its_file_and_a_mirror_for_the_hub(monkeypatch):
    page = "https://github.com/o/n/blob/main/blob/net.onnx"
    assert remote._url_of(page) == "https://github.com/o/n/raw/main/blob/net.onnx"
    monkeypatch.setenv("HF_ENDPOINT", "https://mirror.example/")
    assert remote._url_of("hf://o/n/x.onnx") == "https://mirror.example/o/n/resolve/main/x.onnx"
    monkeypatch.setenv("HF_ENDPOINT", "http://mirror.example")
    with pytest.raises(BadInput, match="only https"):
        remote._url_of("hf://o/n/x.onnx")


def test_a_proxy_of_the_environment_is_asked(tmp_path, monkeypatch):
    asked: list[str] = []

    def refuse(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            asked.append(connection.recv(4096).decode().partition("\r\n")[0])
            connection.sendall(b"HTTP/1.1 403 Forbidden\r\n\r\n")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = Thread(target=refuse, args=(listener,))
        thread.start()
        proxy = f"http://127.0.0.1:{listener.getsockname()[1]}"
        monkeypatch.setenv("https_proxy", proxy)
        monkeypatch.delenv("no_proxy", raising=False)
        with pytest.raises(UnreadableFile, match="403"):
            remote.look_up("hf://o/n/net.onnx", tmp_path)
        thread.join()
    assert asked[0].startswith("CONNECT huggingface.co:443 ")

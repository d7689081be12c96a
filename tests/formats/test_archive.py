import io
import os
import stat
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from inspector.errors import UnreadableFile
from inspector.formats import archive
from inspector.formats.names import STANDARD_INPUT
from inspector.formats.onnx.tensors import ExternalFiles
from inspector.formats.opening import located, open_bytes, open_model
from inspector.formats.source import of_bytes
from inspector.formats.zip_members import directory_bytes
from tests.command_line import errors_of, output_of
from tests.formats.build import add, external, model, ramp, save, weight

ADD = model([add()], [weight("w", ramp(4))]).SerializeToString()


def packed(path: Path, files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as made:
        for name, body in files.items():
            made.writestr(name, body)
    return path


@contextmanager
def refused(path: Path) -> Iterator[list[UnreadableFile]]:
    told: list[UnreadableFile] = []
    with pytest.raises(UnreadableFile) as failed, located(path):
        raise AssertionError("it was opened")
    told.append(failed.value)
    yield told


def test_an_ordinary_path_is_its_own_place(tmp_path):
    for path in (save(model([add()]), tmp_path / "m.onnx"), tmp_path / "missing", tmp_path):
        with located(path) as found:
            assert found == path


def test_the_only_model_of_an_archive_is_taken_out_and_gone_afterwards(tmp_path):
    path = packed(tmp_path / "a.zip", {"readme.txt": b"x", "net/m.onnx": ADD})
    with located(path) as found:
        assert open_model(found).name == "m.onnx"
        assert found.read_bytes() == ADD
        if os.name == "posix":
            assert stat.S_IMODE(found.parent.stat().st_mode) == 0o700
    assert not found.parent.exists()


def test_of_several_models_one_is_named_like_a_file_in_a_folder(tmp_path):
    path = packed(tmp_path / "a.zip", {"x/one.onnx": ADD, "two.onnx": ADD + b"\x28\x05"})
    with located(path / "two.onnx") as found:
        assert (found.name, open_model(found).version) == ("two.onnx", 5)
    with refused(path) as (failed,):
        assert failed.why == "the archive contains 2 models"
        assert failed.hint == "Specify one of them: a.zip/x/one.onnx, a.zip/two.onnx."
    with refused(path / "three.onnx") as (failed,):
        assert failed.why == "the archive does not contain 'three.onnx'"


def test_side_files_that_the_model_names_come_with_it(tmp_path):
    weights = [
        external("a", [16], location="weights.bin"),
        external("b", [16], location="sub/more.bin"),
        external("c", [16], location="../SECRET"),
    ]
    files = {
        "net/m.onnx": model([add()], weights).SerializeToString(),
        "net/weights.bin": bytes(64),
        "net/sub/more.bin": bytes(64),
        "net/unused.bin": bytes(64),
        "SECRET": bytes(64),
    }
    with located(packed(tmp_path / "a.zip", files)) as found:
        problems = [w.problem[:25] for w in open_model(found).weights]
        assert problems == ["", "", "its values are in '../SEC"]
        kept = {p.relative_to(found.parent).as_posix() for p in found.parent.rglob("*")}
        assert kept == {"m.onnx", "weights.bin", "sub", "sub/more.bin"}


@pytest.mark.parametrize("name", ["../../evil.onnx", "/etc/evil.onnx", "a\\..\\evil.onnx"])
def test_no_name_in_an_archive_leads_out_of_the_private_folder(tmp_path, name):
    with located(packed(tmp_path / "a.zip", {name: ADD})) as found:
        assert found.parent.name.startswith("inspector-")
        assert [p for p in found.parent.rglob("*") if p.is_file()] == [found]


@pytest.mark.parametrize("comment", [b"", b"of a zip", b"longer than the end of it\0\0"])
def test_the_directory_is_found_whatever_the_comment_is(tmp_path, comment):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a", b"")
        archive.comment = comment
    body = (tmp_path / "a.zip").read_bytes()
    head_and_name = 46 + 1
    assert directory_bytes(of_bytes(body, "a.zip")) == head_and_name
    assert directory_bytes(of_bytes(b"no archive, though it ends with\0\0", "m")) == 0


def test_what_unpacks_to_more_than_the_limit_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MOST_BYTES", 1 << 20)
    path = packed(tmp_path / "bomb.zip", {"m.onnx": bytes(8 << 20)})
    assert path.stat().st_size < 10_000
    with refused(path) as (failed,):
        assert failed.why == "unpacked, it would take up more than 1 MiB"


def test_an_archive_that_lies_about_a_size_takes_no_more_than_it_said(tmp_path):
    path = packed(tmp_path / "a.zip", {"m.onnx": bytes(1 << 20)})
    body = path.read_bytes()
    said = (1 << 20).to_bytes(4, "little")
    path.write_bytes(body.replace(said, (100).to_bytes(4, "little")))
    with refused(path) as (failed,):
        assert failed.why.startswith("the archive is damaged")


def test_links_passwords_and_rare_methods_in_archives_are_refused(tmp_path):
    link = zipfile.ZipInfo("m.onnx")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "link.zip", "w") as made:
        made.writestr(link, "/etc/passwd")
    packed(tmp_path / "rare.zip", {"m.onnx": ADD}, zipfile.ZIP_LZMA)
    locked = bytearray(packed(tmp_path / "locked.zip", {"m.onnx": ADD}).read_bytes())
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.index(mark) + place] |= 1
    (tmp_path / "locked.zip").write_bytes(locked)
    told = {}
    for name in ("link", "rare", "locked"):
        with refused(tmp_path / f"{name}.zip") as (failed,):
            told[name] = failed.why
    assert told == {
        "link": "the archive contains a symbolic link ('m.onnx')",
        "rare": "it uses a compression method that Inspector does not support",
        "locked": "the archive is password-protected",
    }


def test_a_damaged_archive_is_refused_in_one_sentence(tmp_path):
    body = packed(tmp_path / "a.zip", {"m.onnx": ADD * 9}).read_bytes()
    for place in range(0, len(body) - 60, 3):
        damaged = bytearray(body)
        damaged[place] ^= 0xFF
        path = tmp_path / "damaged.zip"
        path.write_bytes(damaged)
        with suppress(UnreadableFile), located(path) as found:
            open_model(found)


def test_an_archive_without_a_model_is_told_as_what_it_is(tmp_path):
    path = packed(tmp_path / "a.zip", {"x.txt": b""})
    with located(path) as found, pytest.raises(UnreadableFile, match="it is a ZIP archive"):
        open_model(found)


def test_an_archive_without_its_end_is_told_as_damaged(tmp_path):
    path = packed(tmp_path / "a.zip", {"x.onnx": b"x" * 1000})
    path.write_bytes(path.read_bytes()[:-30])
    with located(path) as found, pytest.raises(UnreadableFile, match="damaged ZIP archive"):
        open_model(found)


def piped(monkeypatch: pytest.MonkeyPatch, body: bytes) -> None:
    class Stream:
        buffer = io.BytesIO(body)

    monkeypatch.setattr("sys.stdin", Stream())


def test_standard_input_is_a_model_like_any_other(tmp_path, monkeypatch):
    piped(monkeypatch, ADD)
    with located(STANDARD_INPUT) as found:
        assert open_model(found).parameters == 4
    piped(monkeypatch, ADD)
    assert output_of("info", "-").startswith("standard input.onnx\n")
    piped(monkeypatch, b"")
    assert "the file is empty" in errors_of("info", "-")


def test_a_model_in_an_archive_is_told_by_the_command(tmp_path):
    path = packed(tmp_path / "a.zip", {"one.onnx": ADD, "two.onnx": ADD})
    assert output_of("info", f"{path}/two.onnx").startswith("two.onnx\n")
    assert "a.zip/one.onnx, a.zip/two.onnx" in errors_of("info", path)


def test_bytes_open_without_a_folder():
    found = open_bytes(ADD, "given.onnx")
    assert (found.name, found.parameters, found.findings) == ("given.onnx", 4, ())
    side: Any = ExternalFiles(None).look_up("weights.bin")
    assert side.problem == "it is not next to the model"

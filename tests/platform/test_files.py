import os
import stat
from pathlib import Path

import pytest

from inspector.errors import NotSaved, UnreadableFile
from inspector.platform import files
from inspector.platform.files import (
    at_home,
    exists,
    expect_to_write,
    is_file,
    is_folder,
    read_capped,
    write_atomic,
    write_together,
)
from tests.disks import full_disk


def test_a_file_up_to_the_limit_is_read_whole(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"abc")
    assert read_capped(path, 3) == b"abc"


@pytest.mark.parametrize(
    ("name", "why"),
    [("x", "larger than"), ("nothing", "no such file"), (".", "it is a folder|denied")],
)
def test_what_is_no_file_within_the_limit_is_refused(tmp_path, name, why):
    (tmp_path / "x").write_bytes(b"abcd")
    with pytest.raises(UnreadableFile, match=why):
        read_capped(tmp_path / name, 3)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_does_not_keep_us_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnreadableFile, match="regular file"):
        read_capped(tmp_path / "pipe", 9)


def test_a_saved_file_replaces_the_earlier_one_and_leaves_nothing_else(tmp_path):
    path = tmp_path / "report.json"
    write_atomic(path, b"one")
    write_atomic(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")
def test_permissions_stay_and_a_new_file_gets_the_usual_ones(tmp_path):
    kept, new = tmp_path / "kept", tmp_path / "new"
    kept.touch()
    kept.chmod(0o600)
    plain = tmp_path / "plain"
    plain.touch()
    write_atomic(kept, b"x")
    write_atomic(new, b"x")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert new.stat().st_mode == plain.stat().st_mode


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_a_link_stays_a_link_to_the_new_content(tmp_path):
    path, link = tmp_path / "real", tmp_path / "link"
    path.write_bytes(b"old")
    link.symlink_to(path)
    write_atomic(link, b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"


def test_a_missing_folder_is_a_clear_failure(tmp_path):
    with pytest.raises(NotSaved) as failure:
        write_atomic(tmp_path / "nowhere" / "r.json", b"x")
    assert failure.value.what == "Could not save r.json"
    assert failure.value.hint


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_or_device_is_never_replaced_by_a_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NotSaved, match="regular file"):
        write_atomic(tmp_path / "pipe", b"x")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_a_folder_of_that_name_is_never_replaced(tmp_path):
    (tmp_path / "r.json").mkdir()
    with pytest.raises(NotSaved):
        write_atomic(tmp_path / "r.json", b"x")
    assert [path.name for path in tmp_path.iterdir()] == ["r.json"]


def test_a_full_disk_leaves_the_earlier_file(tmp_path):
    path = tmp_path / "report.json"
    write_atomic(path, b"earlier")
    with full_disk(1000), pytest.raises(NotSaved):
        write_atomic(path, bytes(5000))
    assert path.read_bytes() == b"earlier"
    assert list(tmp_path.iterdir()) == [path]


def test_where_nothing_can_be_written_is_known_before(tmp_path):
    file = tmp_path / "file"
    file.touch()
    expect_to_write(tmp_path / "new.json")
    expect_to_write(file)
    assert list(tmp_path.iterdir()) == [file]
    for path in (tmp_path / "none" / "a.json", file / "a.json", tmp_path):
        with pytest.raises(NotSaved, match="Could not save"):
            expect_to_write(path)


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b", "~nobody-by-that-name"])
def test_a_name_that_nothing_can_have_is_no_folder(name):
    path = at_home(Path(name))
    assert (is_folder(path), is_file(path), exists(path)) == (False, False, False)


def test_the_longest_name_that_a_disk_takes_can_be_saved(tmp_path):
    path = tmp_path / ("模" * 83 + ".json")  # 254 bytes in UTF-8
    write_atomic(path, b"x")
    assert path.read_bytes() == b"x"


def test_a_name_that_no_file_can_have_is_not_there(tmp_path):
    long = tmp_path / ("n" * 300)
    assert not is_file(long)
    assert not exists(long)
    with pytest.raises(NotSaved, match=r"name too long|not found"):
        write_atomic(long, b"x")


def test_files_that_belong_together_are_replaced_together_or_not_at_all(tmp_path):
    one, other = tmp_path / "spans", tmp_path / "report.json"
    write_together([(one, [b"old spans"]), (other, [b"old report"])])
    with full_disk(1000), pytest.raises(NotSaved, match=r"report\.json"):
        write_together([(one, [b"new spans"]), (other, [bytes(5000)])])
    assert (one.read_bytes(), other.read_bytes()) == (b"old spans", b"old report")
    assert sorted(tmp_path.iterdir()) == [other, one]
    write_together([(one, [b"new spans"]), (other, [b"new report"])])
    assert (one.read_bytes(), other.read_bytes()) == (b"new spans", b"new report")


@pytest.mark.parametrize("refusals", [2, 1000])
def test_a_file_that_is_open_for_a_moment_is_replaced_on_windows_all_the_same(
    tmp_path, monkeypatch, refusals
):
    left, replace = [None] * refusals, os.replace

    def held(part: str, target: Path) -> None:
        if left:
            left.pop()
            raise PermissionError(13, "Access denied")
        replace(part, target)

    monkeypatch.setattr(files, "_OPEN_FILES_STAY", True)
    monkeypatch.setattr(files, "_REPLACE_PATIENCE_S", 0.1)
    monkeypatch.setattr(os, "replace", held)
    path = tmp_path / "a.json"
    if refusals > 100:
        with pytest.raises(NotSaved):
            write_atomic(path, b"new")
        assert not list(tmp_path.iterdir())
    else:
        write_atomic(path, b"new")
        assert path.read_bytes() == b"new"

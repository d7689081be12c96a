"""The list of machines, and the commands that run on them."""

import json
from pathlib import Path

import pytest

from inspector.errors import BadInput, UnreadableFile
from inspector.platform import settings
from inspector.remote import installing, machine_kinds, machines
from inspector.remote.machines import Saved
from tests import command_line
from tests.engine import small_models


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "config" / "machines.json"
    monkeypatch.setattr(settings, "machines_file", lambda: path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return path


def test_machines_are_kept_replaced_and_forgotten(file):
    assert machines.saved() == ()
    machines.keep(Saved("pi5", "pi@pi5.local", labels=("board",)))
    machines.keep(Saved("gpu", "lab-7"))
    machines.keep(Saved("pi5", "pi@10.0.0.5", labels=("board",)))
    assert [(m.name, m.host) for m in machines.saved()] == [
        ("gpu", "lab-7"),
        ("pi5", "pi@10.0.0.5"),
    ]
    removed = machines.remove("gpu")
    assert removed.host == "lab-7"
    machines.keep(removed, new=False)  # an answer that comes after that
    with pytest.raises(BadInput, match="Known machines: pi5"):
        machines.named("gpu")
    file.write_text("[")
    with pytest.raises(UnreadableFile, match="Repair or delete"):
        machines.saved()
    file.write_text("{}".rjust(4 << 20))
    assert machines.saved() == ()
    file.write_text("{}".rjust((4 << 20) + 1))
    with pytest.raises(UnreadableFile):
        machines.saved()


def test_on_takes_names_devices_and_labels():
    machines.keep(Saved("a", "host-a", labels=("gpu",)))
    machines.keep(Saved("b", "host-b", hello={"labels": ["gpu"]}))
    found = machines.targets("a:cuda, label:gpu")
    assert [target.text for target in found] == ["a:cuda", "a", "b"]
    with pytest.raises(BadInput, match="no machine has this label"):
        machines.targets("label:npu")


@pytest.mark.parametrize("host", ["-oProxyCommand=sh", "a b", "", "a\nb"])
def test_a_host_cannot_be_an_option(host):
    with pytest.raises(BadInput):
        machines.expect_valid("pi5", host)


def test_the_line_is_ssh_with_the_user_s_own_configuration():
    said = machines.command(Saved("pi5", "pi@pi5.local", labels=("a b",)))
    assert said[0] == "ssh"
    assert said[-3:-1] == ["--", "pi@pi5.local"]
    assert said[-1] == f"{machines.INSTALLED} -m inspector.remote.agent --label 'a b'"
    assert not {"-i", "-F"} & set(said)
    own = machines.command(Saved("w", "win", python="C:/Program Files/Py/python.exe"))
    assert own[-1].startswith('"C:/Program Files/Py/python.exe" -m')


def test_the_agent_is_installed_without_the_window():
    assert not [each for each in installing.requirements() if "side" in each.lower()]
    names = [name for _, name in installing._package_files()]
    assert "inspector/remote/agent.py" in names
    assert any(name.startswith("inspector/resources/support/") for name in names)
    assert not [name for name in names if name.startswith("inspector/ui/")]


@pytest.mark.engine
@pytest.mark.slow
def test_a_machine_is_checked_and_added():
    added = command_line.run("devices", "--add", "here", "local", "--label", "desk")
    assert added.returncode == 0, added.stderr
    assert "added here: inspector measure MODEL --on here" in added.stdout
    listed = json.loads(command_line.run("devices", "--json").stdout)
    (machine,) = listed["machines"]
    assert (machine["name"], machine["labels"], machine["problem"]) == ("here", ["desk"], "")
    assert machine["hello"]["cores"] > 0


@pytest.mark.engine
def test_measure_runs_on_machines_that_were_added(tmp_path):
    model = small_models.linear(tmp_path / "net.onnx")
    short = ("--runs", 5, "--no-layers", "--json")
    machines.keep(Saved("here", "local"))
    machines.keep(Saved("gone", "local", python=str(tmp_path / "python")))
    both = command_line.run(
        "measure", model, "--on", "here,gone", *short, "-o", tmp_path / "out"
    )
    assert both.returncode == 1
    assert "Could not measure on 1 of 2 machines" in both.stderr
    found = json.loads(both.stdout)["machines"]
    assert [each["machine"] for each in found] == ["here", "gone"]
    report = found[0]["report"]
    assert "'here'" in report["notes"][0]
    assert report["spec"]["runs"] == 5
    assert "No such file" in found[1]["problem"]["why"]
    saved = {path.name: json.loads(path.read_text()) for path in (tmp_path / "out").iterdir()}
    assert set(saved) == {"here.json", "gone.json"}
    assert "No such file" in saved["gone.json"]["notes"][-1]


def test_options_of_a_new_machine_need_one():
    refused = command_line.run("devices", "--label", "gpu")
    assert refused.returncode != 0
    assert "Add a machine first, with --add NAME HOST" in refused.stderr


def test_one_machine_where_only_one_is_possible(tmp_path):
    machines.keep(Saved("a", "host-a"))
    machines.keep(Saved("b", "host-b"))
    model = small_models.linear(tmp_path / "net.onnx")
    refused = command_line.run("tune", model, "--on", "a,b")
    assert "--on names 2 machines" in refused.stderr
    against = command_line.run("measure", model, "--against", model, "--on", "a,b")
    assert "--against works only with one machine" in against.stderr


@pytest.mark.parametrize(
    ("host", "kind"),
    [
        ("android:R5CT", "android"),
        ("android:192.168.1.5:5555", "android"),  # adb over the network
        ("aihub:Samsung Galaxy S24", "aihub"),
        ("pi@pi5.local", ""),
        ("ssh://pi@pi5:2222", ""),
        ("fe80::1", ""),
        ("dead:beef::1", ""),
    ],
)
def test_a_host_names_its_kind_or_is_one_for_ssh(host, kind):
    pytest.importorskip("inspector.plugins.phones")
    found = machine_kinds.kind_of(host)
    assert (found.id if found else "") == kind
    machine_kinds.expect_known(host, "Could not add it")
    machines.expect_valid("name", host)

import pytest

from inspector.errors import BadInput
from inspector.preview.runs.other_run import OtherRun, parse
from inspector.report.run_spec import RunSpec


def test_other_runs_are_read_and_named(tmp_path):
    assert parse("level=none") == OtherRun(level="none")
    assert parse("reference").label == "ONNX reference evaluator"
    assert parse("float16") == OtherRun(float16=True)
    assert parse("float16").kind == "float16"
    assert parse("model=a/b=c.onnx") == OtherRun(model="a/b=c.onnx")
    assert parse("model=a/b=c.onnx").label == "b=c.onnx"
    assert parse("model=a,b.onnx,threads=2") == OtherRun(model="a,b.onnx", threads=2)
    assert parse("cuda:1") == OtherRun(device="cuda:1")
    assert parse("net.onnx") == OtherRun(model="net.onnx")
    (tmp_path / "weights").write_bytes(b"")
    assert parse(str(tmp_path / "weights")).kind == "model"
    both = parse("threads=1, level=all")
    assert (both.kind, both.label) == ("settings", "optimization all, 1 thread")


def test_devices_of_other_runtimes_are_devices():
    for device in ("openvino:cpu", "openvino:gpu.1", "cuda:1", "cpu"):
        assert parse(device) == OtherRun(device=device)
        assert parse(f"device={device},threads=1") == OtherRun(device=device, threads=1)


def test_what_differs_changes_the_first_run_and_nothing_else_does():
    first = RunSpec(("cuda",), "basic", threads=3, runs=7)
    assert parse("reference").spec(first) == first
    assert parse("threads=0").spec(first) == RunSpec(("cuda",), "basic", threads=0, runs=7)
    changed = parse("device=cpu,level=none").spec(first)
    assert changed == RunSpec(("cpu",), "none", threads=3, runs=7)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("speed=5", "'speed' is not one of level, threads, device, model"),
        ("thread=2", "Did you mean threads=2?"),
        ("float6", "Did you mean float16?"),
        ("float16=yes", "'float16' has no settings"),
        ("level=ALL", "Did you mean level=all?"),
        ("threads=-1", "'-1' is not a number of threads"),
        ("threads=99999999999999999999", "is not a number of threads"),
        ("a b", "it is not a device, a file or a setting"),
        ("", "it is not a device"),
        ("x" * 5000, "xxx"),
        ("\0", ""),
    ],
)
def test_what_cannot_be_read_is_one_message(text, message):
    if text.startswith("xxx"):
        assert parse(text).device == text  # the engine knows the devices
        return
    with pytest.raises(BadInput) as caught:
        parse(text)
    assert message in str(caught.value)

"""Parts that a provider compiled: whether their binaries are there, and how large."""

import onnx
import pytest
from onnx import helper

from inspector.formats import opening
from inspector.formats.onnx.lazy_scan import LONG_STRING, MAX_KEPT_BYTES
from tests import models
from tests.command_line import output_of

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5000000\n"


def part(place, output, **attributes):
    return helper.make_node(
        "EPContext", [place], [output], domain="com.microsoft", name=output, **attributes
    )


def saved(path, *nodes):
    ends = [models.value("x", [1, 4])], [models.value(nodes[-1].output[0], [1, 4])]
    onnx.save(models.model([*nodes], *ends), path)
    return path


@pytest.mark.parametrize(
    ("settings", "size", "problem"),
    [
        ({"ep_cache_context": b"\0\1abc"}, 5, ""),
        ({"ep_cache_context": b"\x80" * (LONG_STRING + 9), "embed_mode": 1},
         LONG_STRING + 9, ""),
        ({"ep_cache_context": b""}, 0, "is empty"),
        ({"ep_cache_context": b"a.bin"}, 5, "set embed_mode to 0"),
        ({"ep_cache_context": b"a.bin", "embed_mode": 0}, 6, ""),
        ({"ep_cache_context": b"b.bin", "embed_mode": 0}, None, "is not next to the model"),
        ({"ep_cache_context": b"../a.bin", "embed_mode": 0}, None, "out of the model's folder"),
        ({"ep_cache_context": b"empty.bin", "embed_mode": 0}, 0, "is empty"),
        ({"ep_cache_context": b"zeros.bin", "embed_mode": 0}, 64, "begins with zeros"),
        ({"ep_cache_context": b"pointer.bin", "embed_mode": 0}, len(POINTER),
         "a file of 5,000,000 bytes"),
        ({"embed_mode": 0, "main_context": 0}, None, "no layer of this file"),
    ],
)  # fmt: skip
def test_a_binary_is_there_and_has_its_size_or_the_reason_is_named(
    settings, size, problem, tmp_path
):
    for name, held in {
        "a": b"binary",
        "empty": b"",
        "zeros": bytes(64),
        "pointer": POINTER,
    }.items():
        (tmp_path / f"{name}.bin").write_bytes(held)
    model = opening.open_model(
        saved(tmp_path / "m.onnx", part("x", "y", source="QNN", **settings))
    )
    (compiled,) = model.compiled
    assert (compiled.provider, compiled.size_bytes) == ("QNN", size)
    assert problem in compiled.problem
    assert bool(problem) == bool(compiled.problem)
    assert [each.text for each in model.findings if each.subject == "y"] == (
        [compiled.problem] if problem else []
    )


def test_a_compiled_model_is_shown_with_chip_software_and_parts(tmp_path):
    (tmp_path / "net.bin").write_bytes(b"b" * 3000)
    common = {"source": "QNNExecutionProvider", "ep_sdk_version": "2.40", "embed_mode": 0}
    path = saved(
        tmp_path / "m.onnx",
        part("x", "h", ep_cache_context="net.bin", hardware_architecture="v73", **common),
        part("h", "y", main_context=0, **common),
    )
    first, second = opening.open_model(path).compiled
    assert (first.hardware, first.sdk, first.file) == ("v73", "2.40", "net.bin")
    assert second.shared
    said = output_of("info", path)
    assert "2 parts, 2.93 KiB" in said
    assert "Problems" not in said


def test_a_binary_above_the_limit_of_a_graph_stays_in_the_file(tmp_path):
    binary = b"\1\2\xff" * (MAX_KEPT_BYTES // 3 + 1)
    path = saved(tmp_path / "m.onnx", part("x", "y", source="QNN", ep_cache_context=binary))
    model = opening.open_model(path)
    assert model.compiled[0].size_bytes == len(binary)
    whole = opening.skeleton(path)
    assert binary in [attribute.s for attribute in whole.graph.node[0].attribute]

"""Files that are made to take time or memory are refused before they do."""

import json
import subprocess
import sys
import time

import pytest

from inspector.errors import UnreadableFile
from inspector.formats import budget
from inspector.formats.opening import open_model
from inspector.formats.source import Source, of_bytes
from inspector.formats.tflite import reader as tflite_reader
from tests.killers import foreign
from tests.killers.foreign import LAYER, XML, written

MANY_SECONDS = 20.0  # of processor time: 400 times what is needed, a sixth of what it was
_MOST_BYTES = 700 << 20  # of a process that reads one of these files, the interpreter included


READING = """
import sys
from pathlib import Path
from inspector.errors import UnreadableFile
from inspector.formats import opening

for path in sys.argv[1:]:
    try:
        opening.open_model(Path(path))
    except UnreadableFile as error:
        print(error.why)
status = Path("/proc/self/status")
lines = status.read_text().splitlines() if status.exists() else []
print(next((line.split()[1] for line in lines if line.startswith("VmHWM")), 0))
"""
TOO_MANY = "it has more than 1,000,000 layers, weights, values and attributes"
BROKEN = {
    foreign.exported_program: "'m/models/model.json' in it would take more than 1 GiB",
    foreign.keras_archive: "its configuration would take more than 1 GiB of memory",
    foreign.tensorrt_values: "its JSON would take more than 1 GiB of memory",
    foreign.safetensors_header: "its header would take more than 1 GiB of memory",
    foreign.openvino_name_of_inner_layers: TOO_MANY,
    foreign.keras_names_of_inner_layers: TOO_MANY,
    foreign.openvino_attributes: "its XML has a tag of more than 4 MiB",
}
SLOW = {
    foreign.keras_hdf5: "its configuration would take more than 1 GiB of memory",
    foreign.tensorrt_names: TOO_MANY,
    foreign.openvino_elements: "its XML has more than 4,000,000 elements and attributes",
}


@pytest.mark.parametrize("files", [BROKEN, pytest.param(SLOW, marks=pytest.mark.slow)])
def test_what_would_fill_the_memory_is_refused_before(tmp_path, files):
    paths = []
    for make in files:
        (tmp_path / make.__name__).mkdir()
        paths.append(str(make(tmp_path / make.__name__)))
    # The peak of this program alone: ru_maxrss begins with that of the process that started it.
    done = subprocess.run(
        [sys.executable, "-c", READING, *paths], capture_output=True, text=True, check=True
    )
    *told, kibibytes = done.stdout.splitlines()
    for make, said in zip(files, told, strict=True):
        assert said.startswith(files[make]), make
    assert int(kibibytes) << 10 < _MOST_BYTES


def test_a_list_of_files_that_is_too_long_is_not_read(tmp_path):
    with pytest.raises(UnreadableFile):
        open_model(foreign.archive_directory(tmp_path))


def test_a_usual_file_of_100_000_values_is_far_from_the_limit():
    layers = [{"Name": f"layer {number}", "Inputs": [1, 2]} for number in range(20_000)]
    body = json.dumps({"Layers": layers}).encode()
    assert budget.json_value(of_bytes(body, "x.json"), body)["Layers"] == layers


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("a.pt", lambda: foreign.torch_script("def forward(self" * 320_000)),
        ("a.xml", lambda: XML.format("", LAYER.format("\n" * 400_000 + "1")).encode()),
    ],
    ids=["torchscript signature", "openvino dim"],
)
def test_time_grows_no_faster_than_the_file(tmp_path, name, make):
    path = written(tmp_path / name, make())
    began = time.process_time()
    open_model(path)
    # It takes 0.05 s. If it grew with the square of the size, it would be minutes.
    assert time.process_time() - began < MANY_SECONDS


def test_metadata_that_one_file_names_many_times_are_read_once():
    body = foreign.metadata_of_one_buffer(500)
    read_bytes = 0

    def read_at(length: int, offset: int) -> bytes:
        nonlocal read_bytes
        read_bytes += length
        return body[offset : offset + length]

    tflite_reader.read(Source("a.tflite", read_at, len(body)))
    assert read_bytes < 4 << 20


def test_the_first_signature_with_a_type_is_shown(tmp_path):
    code = "def forward(self: X):\n  pass\ndef forward(self: X,\n    x: Tensor) -> Tensor:\n  y"
    body = foreign.torch_script(code)
    details = open_model(written(tmp_path / "a.pt", body)).details
    assert dict(details.facts)["Forward"] == "forward(self: X, x: Tensor) -> Tensor"


def test_space_before_an_axis_length_is_skipped_however_long_it_is(tmp_path):
    text = XML.format("", LAYER.format("\n" * 1_000 + "7"))
    (value,) = open_model(written(tmp_path / "a.xml", text.encode())).inputs
    assert value.shape[0] == 7


@pytest.mark.parametrize("encoding", ["utf-7", "big5", "idna", "punycode", "rot13", "hex"])
def test_an_encoding_that_the_parser_does_not_know_is_a_sentence(tmp_path, encoding):
    body = XML.format(f' encoding="{encoding}"', LAYER.format("1"))
    with pytest.raises(UnreadableFile, match=f"its XML declares the encoding '{encoding}'"):
        open_model(written(tmp_path / "a.xml", body))


@pytest.mark.parametrize(
    ("shape", "end"),
    [("1e999, 4", "64"), ("1", "1e999"), ("1", "1" + "0" * 400), ("1.5", "4"), ("1", "4.5")],
)
def test_a_length_that_is_no_whole_number_of_64_bits_is_a_sentence(tmp_path, shape, end):
    header = '{"a":{"dtype":"F32","shape":[%s],"data_offsets":[0,%s]}}' % (shape, end)  # noqa: UP031
    with pytest.raises(UnreadableFile, match="its header is not that of a safetensors file"):
        open_model(foreign.safetensors_file(tmp_path / "a.safetensors", header.encode()))


def test_a_manifest_of_gigabytes_is_not_read(tmp_path):
    package = foreign.manifest_of_gigabytes(tmp_path)
    with pytest.raises(UnreadableFile, match="a Core ML package without its model"):
        open_model(package)

"""What an engine loads of a backend, by its entry."""

from dataclasses import replace

from inspector.backends.onnxruntime.info import ONNXRUNTIME


def test_another_implementation_of_an_entry_gets_no_part_of_the_first():
    assert ONNXRUNTIME.starts_with == ONNXRUNTIME.predictions != ""
    other = replace(ONNXRUNTIME, id="other", implementation="toy.runtime:Runtime")
    assert other.starts_with == ""

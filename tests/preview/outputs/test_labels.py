from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from inspector.cli.options import arguments
from inspector.errors import UnreadableFile
from inspector.formats.opening import open_bytes
from inspector.model.model import Axis, Model, TensorInfo
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.class_names import Labels
from inspector.preview.families.label_text import BLANK, of_output
from inspector.preview.families.output_structure import ModelStructure
from inspector.preview.outputs.labels import LISTS, assumed, fitting, named, of_model, read
from inspector.preview.outputs.results import classes
from tests import models


def model_with(
    metadata: Sequence[tuple[str, str]], *outputs: tuple[str, tuple[Axis, ...]]
) -> Model:
    """A model with metadata and float outputs: names and shapes."""
    proto = models.model([], [], [])
    infos = tuple(TensorInfo(name, "tensor", "float32", shape) for name, shape in outputs)
    model = open_bytes(proto.SerializeToString())
    return replace(model, metadata=tuple(metadata), outputs=infos)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("cat\ndog\n", ("cat", "dog")),
        ("\ufeffcat\r\n\r\ndog\r\n\r\n", ("cat", "", "dog")),
        ("0 cat\n1 wild dog\n", ("cat", "wild dog")),
        ("1: cat\n2: dog\n", ("", "cat", "dog")),
        ("n01 cat\nn02 dog", ("n01 cat", "n02 dog")),
        ("2001 a film\n1984 another\n", ("2001 a film", "1984 another")),
        ('["cat", "dog"]', ("cat", "dog")),
        ('{"1": "dog", "0": "cat"}', ("cat", "dog")),
        ('{"0": ["n01", "cat"], "1": ["n02", "dog"]}', ("cat", "dog")),
        ('{"cat": 0, "dog": 2}', ("cat", "", "dog")),
        ('{"id2label": {"0": "cat", "1": "dog"}, "size": 2}', ("cat", "dog")),
        ("{'imgsz': [640, 640, 3], 'names': {0: 'cat', 1: 'dog'}}", ("cat", "dog")),
        ('{"version": 3, "target_labels_space": ["cat", "dog"]}', ("cat", "dog")),
        ('[{"id": 1, "name": "cat"}, {"id": 2, "name": "dog"}]', ("cat", "dog")),
    ],
)
def test_labels_are_found_in_every_usual_form(tmp_path, text, labels):
    (tmp_path / "labels").write_bytes(text.encode())
    assert read(tmp_path / "labels") == labels


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("{0: 'cat', 1: 'dog'}", ("cat", "dog")),
        ("{0: 'face'}", ("face",)),
        ("['face']", ("face",)),
        ("{'0': 'cat', '2': 'dog'}", ("cat", "", "dog")),
        ("face", ()),
    ],
)
def test_the_structure_of_a_model_counts_the_classes_that_the_labels_have(text, labels):
    assert of_model(model_with([("names", text)])) == labels
    assert ModelStructure(metadata={"names": text}).classes == len(labels)


def test_labels_can_be_given_as_names(tmp_path):
    assert named(Path("cat, big dog")) == ("cat", "big dog")
    own = tmp_path / "a,b"
    own.write_text("first\nsecond")
    assert named(own) == ("first", "second")


@pytest.mark.parametrize("body", [b"", b"\n\n", b"\xff\xfe\x00"])
def test_a_file_without_labels_says_so(tmp_path, body):
    (tmp_path / "x.txt").write_bytes(body)
    with pytest.raises(UnreadableFile, match=r"class names from x.txt"):
        read(tmp_path / "x.txt")


@pytest.mark.parametrize(
    ("key", "value", "labels"),
    [
        ("labels", '["a", "b"]', ("a", "b")),
        ("names", "{0: 'person', 1: 'bicycle'}", ("person", "bicycle")),
        ("classes", "a, b,c", ("a", "b", "c")),
        ("class_labels", "a, b\nc\n", ("a, b", "c")),
        ("com.apple.coreml.model.preview.params", '{"labels": ["a", "b"]}', ("a", "b")),
        ("labels", "", ()),
        ("labels", "one", ()),
        ("labels", '{"900000000": "x"}', ()),
        ("labels", "(" * 100_000, ()),
        ("classNames", "['a', 'b']", ("a", "b")),
        ("CLASS-LABELS", "a;b;c", ("a", "b", "c")),
        ("label_map", '{"a": 1, "b": 0}', ("b", "a")),
        ("class_to_idx", "{'a': 0, 'b': 1}", ("a", "b")),
        ("idx2label", '{"0": "a", "1": "b"}', ("a", "b")),
        ("id2label", '{"LABEL_0": "a", "LABEL_1": "b"}', ("a", "b")),
        ("categories", '[{"id": 1, "name": "b"}, {"id": 0, "name": "a"}]', ("a", "b")),
        ("labels", "0: a\n1: b c\n", ("a", "b c")),
        ("labels", "0: a, 1: b", ("a", "b")),
        ("names", "names:\n  0: a\n  1: b", ("a", "b")),
        ("names", "- a\n- 'b'\n", ("a", "b")),
        ("labels", "a|b|c", ("a", "b", "c")),
        ("labels", '"a", "b"', ("a", "b")),
        ("config.json", '{"hidden": [1, 2, 3], "id2label": {"0": "a", "1": "b"}}', ("a", "b")),
        ("config", '{"hidden": [1, 2, 3]}', ()),
        ("model_info.labels", "traffic_light bus", ("traffic light", "bus")),
        ("description", "a, b", ()),
        ("feature_names", "a, b", ()),
    ],
)
def test_metadata_carry_labels_under_several_keys(key, value, labels):
    assert of_model(model_with([("author", "x, y"), (key, value)])) == labels


@pytest.mark.parametrize(
    ("name", "count", "third"),
    [
        ("TF.ImageNetLabels.txt", 1001, "goldfish"),
        ("coco.names", 80, "car"),
        ("magika_v3_3_config.min.json", 214, "ai"),
    ],
)
def test_lists_that_others_publish_are_read(shared, name, count, third):
    labels = read(shared / "media/labels" / name)
    assert len(labels) == count
    assert labels[2] == third


@pytest.mark.parametrize(
    ("shape", "key"),
    [
        ((26, 1, 37), "text-36"),
        ((1, 26, 63), "text-62"),
        ((999, 1, 37), "text-36"),
        ((1000, 1, 37), None),  # boxes of a detector
        ((1, 1000, 37), None),
        ((1, "steps", 37), "text-36"),
        ((1, 26, 38), None),
        ((1, 26, "letters"), None),
        ((26, 37), None),
    ],
)
def test_letters_are_assumed_for_a_line_of_text_with_as_many(shape, key):
    def chosen(height: int, dtype: str, *outputs: str) -> str | None:
        picture = TensorInfo("x", "tensor", "float32", (1, 1, height, 100))
        found = assumed([picture], [TensorInfo(n, "tensor", dtype, shape) for n in outputs])
        return found.key if found else None

    assert chosen(32, "float32", "y") == key
    assert chosen(100, "float32", "y") is None  # no line of text
    assert chosen(32, "int64", "y") is None
    assert chosen(32, "float32", "y", "z") is None


def test_each_output_has_the_names_whose_key_is_about_it():
    metadata = [("gender.labels", "['female', 'male']"), ("mask_labels", "['off', 'on']")]
    model = model_with(metadata, ("gender_logits", (1, 2)), ("mask", (1, 2)), ("x", (1, 2)))
    labels = of_model(model)
    assert of_output(labels, "gender_logits") == ("female", "male")
    assert of_output(labels, "mask") == ("off", "on")
    assert of_output(labels, "x") == ()
    rows = {
        name: classes(
            OutputValue(name, "tensor", "float32", np.ones((1, 2), np.float32)), labels
        )
        for name in ("mask", "x")
    }
    assert {name: row[0].top[0].label for name, row in rows.items()} == {"mask": "off", "x": ""}


@pytest.mark.parametrize(
    ("key", "value", "width", "letters"),
    [
        ("character", "a\nb\n\u3000\nc", 5, (BLANK, "a", "b", "\u3000", "c")),
        ("character", "a\nb\nc", 5, (BLANK, "a", "b", "c")),  # the space is not listed
        ("character", "a\r\nb\r\nc\r\n", 4, (BLANK, "a", "b", "c")),
        ("charset", "abc", 4, ("a", "b", "c")),
        ("vocab", '["<pad>", "a", "b"]', 3, ("<pad>", "a", "b")),
        ("vocab.json", '{"b": 1, "<pad>": 0, "a": 2}', 3, ("<pad>", "b", "a")),
        ("vocab", '{"b": 1, "<pad>": 0, "a": 2}', 3, ("<pad>", "b", "a")),
        ("tokens.vocab", "<blk> 0\n\u2581the 1\nx 2", 3, ("<blk>", "\u2581the", "x")),
        ("charset", "abc", 9, ()),  # of something else
    ],
)
def test_letters_of_a_model_that_reads_text_are_its_metadatas(key, value, width, letters):
    labels = of_model(model_with([(key, value)], ("y", (1, "time", width))))
    assert labels == letters
    assert labels.letters == bool(letters)


def test_letters_are_those_of_a_vocabulary_next_to_the_model(tmp_path):
    model, path = model_with([], ("logits", (1, "time", 4))), tmp_path / "speech.onnx"
    assert not Labels.of(model, path).names
    (tmp_path / "vocab.json").write_text('{"Z": 2, "<pad>": 0, "|": 1, "Q": 3}')
    assert Labels.of(model, path).names == ("<pad>", "|", "Z", "Q")
    assert not Labels.of(model_with([], ("logits", (1, "time", 90))), path).names
    (tmp_path / "merges.txt").touch()  # that of a tokenizer
    assert not Labels.of(model, path).names


@pytest.mark.parametrize("each", LISTS, ids=lambda each: each.key)
def test_each_list_has_as_many_different_names_as_it_says(each):
    names = each.read()
    assert len(names) == each.count
    assert names.count("") == len(each.gaps)
    twice = (
        {name for name in names if name and names.count(name) > 1}
        if each.count < 1000
        else set()
    )
    assert not twice


def test_names_stand_at_the_places_of_their_classes():
    imagenet = named(Path("imagenet"))
    assert (imagenet[1], imagenet[281], imagenet[999]) == ("goldfish", "tabby", "toilet tissue")
    assert named(Path("ImageNet-1001"))[282] == "tabby"
    assert named(Path("coco"))[0] == named(Path("coco-81"))[1] == "person"
    assert named(Path("cifar10"))[2] == "bird"


def test_lists_are_offered_for_the_number_of_classes():
    assert [each.key for each in fitting([(1, 1000)])] == ["imagenet"]
    assert [each.key for each in fitting([(1, 84, 8400)])] == ["coco"]
    assert [each.key for each in fitting([(1, 21, 64, 64)])] == ["voc-21"]
    assert {each.key for each in fitting([(1, 10)])} == {"cifar10", "fashion-mnist", "digits"}
    assert fitting([(1, 7)]) == ()


@pytest.mark.parametrize(
    ("shape", "key"),
    [
        ((1, 3, 32, 32), "cifar10"),
        ((1, 32, 32, 3), "cifar10"),
        ((1, 3, 224, 224), None),
        ((1, 1, 8, 8), "digits"),
        ((1, 1, 28, 28), None),  # digits, or clothes
    ],
)
def test_ten_classes_are_assumed_by_the_size_and_color_of_the_image(shape, key):
    inputs = [TensorInfo("x", "tensor", "float32", shape)]
    outputs = [TensorInfo("y", "tensor", "float32", (1, 10))]
    chosen = assumed(inputs, outputs)
    assert (chosen.key if chosen else None) == key


def test_a_file_of_this_name_goes_first_and_another_name_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "digits").write_text("one\ntwo\n")
    assert named(Path("digits")) == ("one", "two")
    with pytest.raises(UnreadableFile, match=r"Could not .*imagenett"):
        named(Path("imagenett"))


def test_the_help_names_every_list():
    import argparse

    parser = argparse.ArgumentParser()
    arguments.add_arguments(parser)
    told = parser.format_help()
    assert all(each.key in told for each in LISTS)

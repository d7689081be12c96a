from pathlib import Path

import pytest

from inspector.cli.options import arguments
from inspector.errors import UnreadableFile
from inspector.model.model import TensorInfo
from inspector.preview.outputs.labels import LISTS, assumed, fitting, named


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

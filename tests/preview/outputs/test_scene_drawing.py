import numpy as np

from inspector.preview.detectors.boxes import Box
from inspector.preview.inputs.image import WHOLE, Placement
from inspector.preview.outputs.dense_maps import Overlay
from inspector.preview.outputs.scene import Decoder, Scene, draw_scene, laid_over, name_of

GROUND = np.zeros((100, 200, 3), np.uint8)


def test_a_box_is_drawn_where_it_lies():
    box = Box(0.25, 0.2, 0.75, 0.8, 0.9, 0)
    picture = draw_scene(GROUND, Scene(Decoder("boxes", "x"), (box,)), WHOLE, ("cat",))
    assert picture[50, 50].any()
    assert picture[80, 100].any()
    assert not picture[50, 100].any()


def test_an_overlay_covers_the_part_that_the_model_saw():
    white = Overlay("Heat map", np.full((10, 10, 4), 255, np.uint8))
    picture = laid_over(GROUND, white, Placement(0.25, 0, 0.75, 1), 1.0)
    assert (picture[:, 50:150] == 255).all()
    assert not picture[:, :50].any()
    padded = laid_over(GROUND, white, Placement(-0.5, -0.5, 1.5, 1.5), 0.5)
    assert (padded == 128).all()


def test_a_class_without_a_name_is_its_number():
    assert name_of(0, ("cat", "")) == "cat"
    assert name_of(1, ("cat", "")) == "class 1"
    assert name_of(7, ()) == "class 7"

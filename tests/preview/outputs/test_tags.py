"""Labels of boxes lie at their box, inside the image, and do not hide each other."""

from inspector.preview.outputs import tags

FRAME = (0, 0, 300, 200)


def overlaps(one, two):
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def test_labels_of_near_small_boxes_hide_neither_boxes_nor_labels():
    faces = [(100, 100, 120, 120), (124, 96, 144, 116), (150, 102, 170, 122)]
    labels = tags.places(faces, [(50, 17)] * 3, FRAME)
    for number, label in enumerate(labels):
        assert not any(overlaps(label, other) for other in (*faces, *labels[number + 1 :]))
        assert any(overlaps(label, (a - 1, b - 1, c + 1, d + 1)) for a, b, c, d in faces)


def test_labels_stay_in_the_image():
    corners = [(0, 0, 300, 200), (280, 0, 300, 20), (0, 190, 20, 200)]
    for left, top, right, bottom in tags.places(corners, [(60, 17)] * 3, FRAME):
        assert left >= 0 <= top
        assert right <= 300
        assert bottom <= 200


def test_a_lone_label_lies_above_its_box():
    assert tags.places([(50, 50, 90, 90)], [(30, 17)], FRAME) == [(50, 33, 80, 50)]
    assert tags.places([], [], FRAME) == []

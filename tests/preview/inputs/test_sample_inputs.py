"""The inputs and folders that come with the sample models."""

from inspector.preview.inputs.sample_inputs import first_example, folders


def test_a_sample_has_an_example_and_folders_and_another_model_of_its_name_has_none(
    samples, tmp_path
):
    model = samples / "clothes_float32.onnx"
    assert {name: path.name for name, path in first_example(model).items()} == {
        "photo": "boot.png"
    }
    assert set(folders(model)) == {"test", "calibration"}
    assert folders(samples / "digits_float32.onnx") == {}
    other = tmp_path / model.name
    other.write_bytes(b"another model")
    assert first_example(other) == {}
    assert folders(other) == {}

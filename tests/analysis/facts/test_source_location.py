"""Source locations that exporters leave with a layer."""

import pytest

from inspector.analysis.facts.source_location import SourceLocation, source_location
from inspector.model.model import Layer

STACK = """Traceback (most recent call last):
  File "/home/me/train.py", line 10, in forward
    return self.fc1(x)
  File "/usr/lib/python3.12/site-packages/torch/nn/modules/linear.py", line 125, in forward
    return F.linear(input, self.weight, self.bias)
"""


def layer(*metadata: tuple[str, str], doc: str = "") -> Layer:
    return Layer(0, "n", "Gemm", "", ("x",), ("y",), metadata=metadata, doc=doc)


def test_pytorch_metadata_gives_module_class_file_and_line():
    found = source_location(
        layer(
            ("pkg.torch.onnx.name_scopes", "['', 'encoder.fc1', 'linear']"),
            (
                "pkg.torch.onnx.class_hierarchy",
                "['__main__.Net', 'torch.nn.modules.linear.Linear', 'aten.linear.default']",
            ),
            ("pkg.torch.onnx.stack_trace", STACK),
        )
    )
    assert found == SourceLocation(
        "encoder.fc1", "torch.nn.modules.linear.Linear", "/home/me/train.py", 10, "forward"
    )


def test_code_that_tracing_made_up_is_no_source():
    made_up = (
        'File "/me/net.py", line 26, in forward\n  File "<eval_with_key>.23", line 9, in f'
    )
    found = source_location(layer(("pkg.torch.onnx.stack_trace", made_up)))
    assert found == SourceLocation("", "", "/me/net.py", 26, "forward")


@pytest.mark.parametrize(
    ("doc", "file", "line", "function"),
    [
        ("/me/net.py(46): forward\n/me/run.py(3): <module>", "/me/net.py", 46, "forward"),
        (
            "/x/site-packages/torch/nn/functional.py(1848): linear\n/me/net.py(46): forward",
            "/me/net.py",
            46,
            "forward",
        ),
        ("# /me/net.py:12:0", "/me/net.py", 12, ""),
    ],
)
def test_frames_in_the_description_of_a_torchscript_node(doc, file, line, function):
    assert source_location(layer(doc=doc)) == SourceLocation("", "", file, line, function)


def test_a_layer_without_a_source_has_none():
    assert source_location(layer(("other", "x"), doc="Makes things (1): better")) is None
    assert source_location(layer(("pkg.torch.onnx.name_scopes", "['']"))) is None

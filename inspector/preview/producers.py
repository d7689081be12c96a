"""Programs that made a model, as the file names them, in words."""

import re

# What a producer's name means. Names that are not here are shown as they are.
_PRODUCERS = (
    (r"onnx-caffe2", "converted from Caffe2"),
    (r"caffe", "converted from Caffe"),
    (r"pytorch", "exported from PyTorch"),
    (r"tf2onnx", "converted from TensorFlow by tf2onnx"),
    (r"keras2onnx", "converted from Keras"),
    (r"skl2onnx", "converted from scikit-learn"),
    (r"OnnxMLTools", "converted by OnnxMLTools"),
    (r"winmltools", "converted by WinMLTools"),
    (r"coremltools", "converted by Core ML tools"),
    (r"cntk", "exported from CNTK"),
    (r"paddle", "exported from PaddlePaddle"),
    (r"mxnet", "exported from MXNet"),
    (r"chainer", "exported from Chainer"),
    (r"matlab", "exported from MATLAB"),
    (r"onnx\.quantize", "quantized by ONNX Runtime"),
    (r"spox", "built with spox"),
    (r"Inspector sample_models", "Inspector sample"),
)


def statement(producer: str) -> str:
    """Return how a producer made a model: "exported from PyTorch"; "" of an unknown one."""
    return next((text for name, text in _PRODUCERS if re.search(name, producer, re.I)), "")

"""Operators of other formats under the names that ONNX has for them."""

# Operators of TensorFlow Lite whose names are not those of ONNX in capitals: CONV_2D is Conv.
TFLITE = {
    "DEPTHWISE_CONV_2D": "Conv",
    "CONV_2D": "Conv",
    "CONV_3D": "Conv",
    "TRANSPOSE_CONV": "ConvTranspose",
    "CONV_3D_TRANSPOSE": "ConvTranspose",
    "FULLY_CONNECTED": "MatMul",
    "BATCH_MATMUL": "MatMul",
    "LOGISTIC": "Sigmoid",
    "RELU6": "Relu",
    "RELU_N1_TO_1": "Relu",
    "RELU_0_TO_1": "Relu",
    "STRIDED_SLICE": "Slice",
    "PADV2": "Pad",
    "MIRROR_PAD": "Pad",
    "CONCATENATION": "Concat",
    "PACK": "Concat",
    "UNPACK": "Split",
    "SPLIT_V": "Split",
    "EXPAND_DIMS": "Reshape",
    "MAX_POOL_2D": "MaxPool",
    "AVERAGE_POOL_2D": "AveragePool",
    "MEAN": "ReduceMean",
    "REDUCE_ANY": "ReduceMax",
    "RESIZE_BILINEAR": "Resize",
    "RESIZE_NEAREST_NEIGHBOR": "Resize",
    "SELECT": "Where",
    "SELECT_V2": "Where",
    "BROADCAST_TO": "Expand",
    "SUM": "ReduceSum",
    "TOPK_V2": "TopK",
    "QUANTIZE": "QuantizeLinear",
    "DEQUANTIZE": "DequantizeLinear",
    "UNIDIRECTIONAL_SEQUENCE_LSTM": "LSTM",
    "BIDIRECTIONAL_SEQUENCE_LSTM": "LSTM",
    "UNIDIRECTIONAL_SEQUENCE_RNN": "RNN",
}
# Operators of OpenVINO, Core ML, Keras and PyTorch that have other names in ONNX, in lower case
# without separators; of PyTorch without "aten" and the overload.
OTHERS = {
    "convolution": "Conv",
    "groupconvolution": "Conv",
    "convolutionbackpropdata": "ConvTranspose",
    "conv": "Conv",
    "conv1d": "Conv",
    "conv2d": "Conv",
    "conv3d": "Conv",
    "depthwiseconv2d": "Conv",
    "separableconv2d": "Conv",
    "dense": "MatMul",
    "linear": "MatMul",
    "innerproduct": "MatMul",
    "addmm": "MatMul",
    "mm": "MatMul",
    "matmul": "MatMul",
    "softmax": "Softmax",
    "logsoftmax": "LogSoftmax",
    "sigmoid": "Sigmoid",
    "logistic": "Sigmoid",
    "multiply": "Mul",
    "mul": "Mul",
    "divide": "Div",
    "realdiv": "Div",
    "subtract": "Sub",
    "add": "Add",
    "convert": "Cast",
    "cast": "Cast",
    "clamp": "Clip",
    "result": "Identity",
    "reshape": "Reshape",
    "view": "Reshape",
    "flatten": "Flatten",
    "squeeze": "Squeeze",
    "unsqueeze": "Unsqueeze",
    "expanddims": "Unsqueeze",
    "transpose": "Transpose",
    "permute": "Transpose",
    "dropout": "Dropout",
    "concat": "Concat",
    "concatenate": "Concat",
    "tanh": "Tanh",
    "exp": "Exp",
    "nonmaxsuppression": "NonMaxSuppression",
    "topk": "TopK",
    "fakequantize": "Identity",
    "quantize": "QuantizeLinear",
    "dequantize": "DequantizeLinear",
    "argmax": "ArgMax",
    "lstm": "LSTM",
    "gru": "GRU",
    "batchnormalization": "BatchNormalization",
    "batchnorm": "BatchNormalization",
    "layernorm": "LayerNormalization",
    "instancenorm": "InstanceNormalization",
    "mvn": "LayerNormalization",  # its scale and bias are a Mul and an Add
    "relu": "Relu",
    "relu6": "Clip",
    "prelu": "PRelu",
    "leakyrelu": "LeakyRelu",
    "hswish": "HardSwish",
    "hsigmoid": "HardSigmoid",
    "power": "Pow",
    "shapeof": "Shape",
    "interpolate": "Resize",
    "upsamplebilinear": "Resize",
    "upsamplenearestneighbor": "Resize",
    "stridedslice": "Slice",
    "slicebyindex": "Slice",
    "slicebysize": "Slice",
    "stack": "Concat",
    "variadicsplit": "Split",
    "select": "Where",
    "broadcast": "Expand",
    "avgpool": "AveragePool",
    "greatereq": "GreaterOrEqual",
    "greaterequal": "GreaterOrEqual",
    "lessequal": "LessOrEqual",
}
_CAPITALS = frozenset(("LSTM", "GRU", "RNN", "STFT", "DFT"))  # which ONNX writes so, too
_ONNX_DOMAINS = frozenset(("", "ai.onnx", "com.microsoft", "com.microsoft.nchwc"))


def from_tflite(operator: str) -> str:
    """Return ONNX's name of an operator of TensorFlow Lite; names of ONNX as they are."""
    if not operator.isupper() or operator in _CAPITALS:
        return operator
    words = operator.split("_")
    return TFLITE.get(operator) or "".join(word.capitalize() for word in words)


def in_onnx(operator: str, domain: str = "") -> str:
    """Return ONNX's name of an operator of any format; its own name where ONNX has none."""
    return operator if domain in _ONNX_DOMAINS else from_any(operator)


def from_any(operator: str) -> str:
    """Return ONNX's name of an operator of which the format is not known; no name that ONNX has
    means something else in another format."""
    name = from_tflite(operator)
    plain = name.removeprefix("aten::").removeprefix("aten.").partition(".")[0]
    found = OTHERS.get(plain.replace("_", "").lower())
    if found is None and plain.islower() and plain.replace("_", "").isalpha():
        return "".join(word.capitalize() for word in plain.split("_"))
    return found or name

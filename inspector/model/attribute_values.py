"""The values that attributes with a fixed set of values can have.

Source: the descriptions of the operators in ONNX, of all versions of each. ONNX's checker does
not look at them; a runtime that meets another value does not load the model.
"""

from collections.abc import Mapping

_PADDINGS = ("NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID")
_DIRECTIONS = ("forward", "reverse", "bidirectional")
_SCATTER = ("none", "add", "mul", "max", "min")
_LOSS = ("none", "mean", "sum")
_ROUNDING = ("up", "down", "nearest")
_DEPTH = ("DCR", "CRD")
_VALUES: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("BitShift", "direction"): ("LEFT", "RIGHT"),
    ("Cast", "round_mode"): _ROUNDING,
    ("CastLike", "round_mode"): _ROUNDING,
    ("DepthToSpace", "mode"): _DEPTH,
    ("GRU", "direction"): _DIRECTIONS,
    ("Gelu", "approximate"): ("none", "tanh"),
    ("GridSample", "mode"): ("linear", "nearest", "cubic", "bilinear", "bicubic"),
    ("GridSample", "padding_mode"): ("zeros", "border", "reflection"),
    ("ImageDecoder", "pixel_format"): ("RGB", "BGR", "Grayscale"),
    ("LSTM", "direction"): _DIRECTIONS,
    ("NegativeLogLikelihoodLoss", "reduction"): _LOSS,
    ("Pad", "mode"): ("constant", "reflect", "edge", "wrap"),
    ("RNN", "direction"): _DIRECTIONS,
    ("Resize", "coordinate_transformation_mode"): (
        "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
        "asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize",
    ),
    ("Resize", "keep_aspect_ratio_policy"): ("stretch", "not_larger", "not_smaller"),
    ("Resize", "mode"): ("nearest", "linear", "cubic"),
    ("Resize", "nearest_mode"): ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil"),
    ("RoiAlign", "coordinate_transformation_mode"): ("half_pixel", "output_half_pixel"),
    ("RoiAlign", "mode"): ("avg", "max"),
    ("ScatterElements", "reduction"): _SCATTER,
    ("ScatterND", "reduction"): _SCATTER,
    ("SoftmaxCrossEntropyLoss", "reduction"): _LOSS,
    ("SpaceToDepth", "mode"): _DEPTH,
    ("StringNormalizer", "case_change_action"): ("NONE", "LOWER", "UPPER"),
    ("TensorScatter", "mode"): ("linear", "circular"),
    ("TfIdfVectorizer", "mode"): ("TF", "IDF", "TFIDF"),
    ("Upsample", "mode"): ("nearest", "linear"),
}  # fmt: skip


def values_of(operator: str, attribute: str) -> tuple[str, ...]:
    """Return all values that an attribute can have; () for any."""
    if attribute == "auto_pad":
        return _PADDINGS
    return _VALUES.get((operator, attribute), ())

"""Messages as onnxruntime 1.31 writes them, and what a user gets to read instead."""

import pytest

from inspector.engine.sessions.refusals import first_sentence, refused

PREFIX = "[ONNXRuntimeError] : 1 : FAIL : "
LOADING = PREFIX + "Load model from /home/me/models/net.onnx failed:"
SIGNATURE = (
    "/onnxruntime_src/onnxruntime/core/graph/model.cc:336 onnxruntime::Model::Model("
    "onnx::ModelProto&&, const onnxruntime::PathString&, const std::unordered_map<"
    "std::__cxx11::basic_string<char>, int>&, const onnxruntime::ModelOptions&) "
)
SENTENCES = {
    LOADING + SIGNATURE + "inserted was false. Duplicate model-local function: a:F\n":
        "Duplicate model-local function: a:F",
    LOADING + SIGNATURE + "Missing opset in the model. All ModelProtos MUST have at least one":
        "Missing opset in the model",
    LOADING + "Node (c1) Op (Conv) [ShapeInferenceError] Attribute strides must be positive":
        "Attribute strides must be positive (in Conv c1)",
    LOADING + 'This is an invalid model. In Node, ("n", Pad, "", -1) : ("0": tensor(float),) '
    '-> ("1": tensor(float),) , Error Node has input size 1 not in range [min=2, max=3].':
        "Node has input size 1 not in range [min=2, max=3] (in Pad n)",
    PREFIX + "Exception during initialization: /onnxruntime_src/onnxruntime/core/init.cc:51 "
    "onnxruntime::Initializer::Initializer(const onnx::TensorProto&) " + PREFIX +
    "tensorprotoutils.cc:1534 Validate Initializer 'w': size (8 bytes) does not match\n":
        "Initializer 'w': size (8 bytes) does not match",
    PREFIX + "Non-zero status code returned while running Gather node. Name:'pick' Status "
    "Message: indices element out of data bounds, idx=9 must be within [-2,1]":
        "indices element out of data bounds, idx=9 must be within [-2,1] (in Gather pick)",
    PREFIX + "cannot open C:\\Users\\me\\secret\\weights.bin at 0x7f0012345678":
        "cannot open weights.bin at",
}  # fmt: skip
RULES = {
    LOADING + "Fatal error: com.acme:Foo(-1) is not a registered function/op": (
        "the runtime does not know its operator Foo of the domain 'com.acme'",
        "of somebody's own",
    ),
    LOADING + "Fatal error: ai.onnx.contrib:StringLower(-1) is not a registered function/op": (
        "the runtime does not know its operator StringLower of the domain 'ai.onnx.contrib'",
        "onnxruntime-extensions",
    ),
    LOADING + "Fatal error: com.microsoft:YieldOp(-1) is not a registered function/op": (
        "the runtime does not know its operator YieldOp",
        "A later onnxruntime",
    ),
    LOADING + 'This is an invalid model. In Node, ("", Foo, "nobody", -1) : ("x": '
    "tensor(float),) -> (\"y\": tensor(float),) , Error No opset import for domain 'nobody'": (
        "its operator Foo is of the domain 'nobody', which it does not import",
        "Export the model again",
    ),
    "[ONNXRuntimeError] : 9 : NOT_IMPLEMENTED : Could not find an implementation for Cast(25) "
    "node with name ''": (
        "no device asked for implements Cast (opset 25) for the types it has here",
        "another precision",
    ),
    LOADING + "ONNX Runtime only *guarantees* support for models stamped with official "
    "released onnx opset versions. Opset 28 is under development and support is limited. "
    "Current official support for domain ai.onnx is till opset 26.": (
        "it needs opset 28, and this runtime reads up to 26",
        "opset 26 or lower",
    ),
    "[ONNXRuntimeError] : 1 : FAIL : Exception during initialization: /src/normalizer.cc:235 "
    "onnx::Normalizer::Locale(const std::string&)::<lambda()> Failed to construct locale with "
    "name:en_US.UTF-8:locale::facet::_S_create_c_locale name not valid:Please, install": (
        "it asks for the locale en_US.UTF-8, which this system does not have",
        "language pack",
    ),
    LOADING + "Unsupported model IR version: 14, max supported IR version: 13": (
        "it is written as IR version 14, and this runtime reads up to 13",
        "update onnxruntime",
    ),
    PREFIX + "External data path validation failed for initializer: w. Error: a.cc:461 "
    'Validate External data path does not exist: "/home/me/nowhere.bin"': (
        "its weights file nowhere.bin is missing",
        "beside the model",
    ),
    PREFIX + "External data path escapes model directory. External data path: ../x": (
        "its weights lie outside the model's folder",
        "beside it",
    ),
    "[ONNXRuntimeError] : 7 : INVALID_PROTOBUF : Load model from x failed:Protobuf parsing "
    "failed.": ("it is not a whole ONNX model", "again"),
    "[ONNXRuntimeError] : 6 : RUNTIME_EXCEPTION : std::bad_alloc": (
        "there was not enough memory",
        "Close other programs",
    ),
    "Failed to get a WebGPU adapter: No supported adapters": (
        "no graphics driver offers what WebGPU needs (Vulkan, Direct3D 12 or Metal)",
        "libvulkan1",
    ),
}


@pytest.mark.parametrize(("message", "sentence"), SENTENCES.items())
def test_only_what_means_something_to_the_user_stays(message, sentence):
    assert first_sentence(message) == sentence


@pytest.mark.parametrize(("message", "answer"), RULES.items())
def test_a_known_refusal_has_words_and_a_hint(message, answer):
    error = refused(RuntimeError(message), "Could not load net.onnx", "load")
    why, hint = answer
    assert (error.what, error.why, error.phase) == ("Could not load net.onnx", why, "load")
    assert hint in error.hint


def test_a_memory_error_of_python_is_one_too():
    assert refused(MemoryError(), "x", "").why == "there was not enough memory"


def test_a_message_without_words_still_has_a_reason():
    assert refused(ZeroDivisionError(), "x", "").why == "ZeroDivisionError"


def test_a_hostile_message_is_short_and_shows_its_control_characters():
    sentence = first_sentence("bad \u202e name " + "x" * 100_000)
    assert "\\u202e" in sentence
    assert len(sentence) < 2000

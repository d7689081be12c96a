"""Messages as onnxruntime 1.31 writes them, and what a user gets to read instead."""

from pathlib import Path

import pytest

from benchmarks.parts.raw_text import RAW
from benchmarks.parts.refused_models import MODELS
from benchmarks.refusals import below, refusal
from inspector.backends.onnxruntime.sessions import known_refusals, predict
from inspector.backends.onnxruntime.sessions.refusals import (
    explain,
    first_sentence,
    runtime_failure,
)
from inspector.backends.onnxruntime.sessions.session import create_session
from inspector.engine.client.engine_process import EngineProcess, Limits
from inspector.errors import EngineFailed, InspectorError
from inspector.report.run_spec import RunSpec

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
        "ONNX Runtime does not have its operator Foo (domain 'com.acme')",
        "It is a custom operator",
    ),
    LOADING + "Fatal error: ai.onnx.contrib:StringLower(-1) is not a registered function/op": (
        "ONNX Runtime does not have its operator StringLower (domain 'ai.onnx.contrib')",
        "onnxruntime-extensions",
    ),
    LOADING + "Fatal error: com.microsoft:YieldOp(-1) is not a registered function/op": (
        "ONNX Runtime does not have its operator YieldOp",
        "A newer onnxruntime",
    ),
    LOADING + 'This is an invalid model. In Node, ("", Foo, "nobody", -1) : ("x": '
    "tensor(float),) -> (\"y\": tensor(float),) , Error No opset import for domain 'nobody'": (
        "its operator Foo belongs to the domain 'nobody', for which the model has "
        "no opset import",
        "Export the model again",
    ),
    "[ONNXRuntimeError] : 9 : NOT_IMPLEMENTED : Could not find an implementation for Cast(25) "
    "node with name ''": (
        "none of the selected devices has a kernel for Cast (opset 25) with these data types",
        "another precision",
    ),
    LOADING + "ONNX Runtime only *guarantees* support for models stamped with official "
    "released onnx opset versions. Opset 28 is under development and support is limited. "
    "Current official support for domain ai.onnx is till opset 26.": (
        "it requires opset 28, but this ONNX Runtime supports up to 26",
        "opset 26 or lower",
    ),
    "[ONNXRuntimeError] : 1 : FAIL : Exception during initialization: /src/normalizer.cc:235 "
    "onnx::Normalizer::Locale(const std::string&)::<lambda()> Failed to construct locale with "
    "name:en_US.UTF-8:locale::facet::_S_create_c_locale name not valid:Please, install": (
        "it requires the locale en_US.UTF-8, which this system does not have",
        "language pack",
    ),
    LOADING + "Unsupported model IR version: 14, max supported IR version: 13": (
        "it has IR version 14, but this ONNX Runtime supports up to 13",
        "update onnxruntime",
    ),
    PREFIX + "External data path validation failed for initializer: w. Error: a.cc:461 "
    'Validate External data path does not exist: "/home/me/nowhere.bin"': (
        "its weights file nowhere.bin is missing",
        "next to the model",
    ),
    PREFIX + "External data path escapes model directory. External data path: ../x": (
        "its weights file is outside the model's folder",
        "next to it",
    ),
    "[ONNXRuntimeError] : 7 : INVALID_PROTOBUF : Load model from x failed:Protobuf parsing "
    "failed.": ("it is not a complete ONNX model", "again"),
    "[ONNXRuntimeError] : 6 : RUNTIME_EXCEPTION : std::bad_alloc": (
        "there was not enough memory",
        "Close other programs",
    ),
    PREFIX + "Load model failed:Node (up) Op (Upsample) x Op registered for Upsample is "
    "deprecated in domain_version of 13": (
        "its operator Upsample was removed in opset 13 (in Upsample up)",
        "lower opset",
    ),
    "Failed to load library libonnxruntime_providers_cuda.so with error: libcublasLt.so.12: "
    "cannot open shared object file: No such file or directory": (
        "the library libcublasLt.so.12, which the device needs, is missing",
        "`inspector devices`",
    ),
    "CUDA failure 700: an illegal memory access was encountered ; GPU=0": (
        "the GPU library failed (code 700: an illegal memory access was encountered )",
        "the driver",
    ),
    "[ONNXRuntimeError] : 1 : FAIL : Non-zero status code returned while running BertTokenizer "
    "node. Name:'t' Status Message: [BertTokenizer]: can not find unk_token in vocab": (
        "its vocabulary is missing, damaged or incomplete (in BertTokenizer t)",
        "tokenizer",
    ),
    PREFIX + "Got invalid dimensions for input: x for the following indices\n index: 1 Got: 1 "
    "Expected: 4\n Please fix": (
        "axis 1 of input 'x' has size 1, but the model expects 4",
        "inputs and attributes",
    ),
    LOADING + 'This is an invalid model. In Node, ("", Loop, "", -1) : ("n": tensor(int64),) '
    '-> ("y": tensor(float),) , Error Nodes in a graph must be topologically sorted, however '
    "input 'w' of node: \nname:  OpType: Add\n is not output of any previous nodes.": (
        "a layer reads the tensor 'w', which no input, weight or earlier layer "
        "produces (in Loop)",
        "Export the model again",
    ),
    LOADING + 'This is an invalid model. In Node, ("", Relu, "", -1) : ("",) -> ("o": '
    "tensor(float),) , Error Node ()'s input 0 is marked single but has an empty string in the "
    "graph": (
        "its input 0 is empty, but the operator requires it (in Relu)",
        "Export the model again",
    ),
    "[ONNXRuntimeError] : 2 : INVALID_ARGUMENT : At least one output should be requested.": (
        "it has no outputs",
        "Export the model again",
    ),
    LOADING + "Node (f) Op (Bad) [ShapeInferenceError] Inference error(s): (op_type:Relu): "
    "[TypeInferenceError] Input 0 expected to have type but instead is null": (
        "the type of its input 0 is unknown: no input, weight or earlier layer produces it "
        "(in Bad f)",
        "Export the model again",
    ),
    "[ONNXRuntimeError] : 1 : FAIL : tensorprotoutils.cc:1805 Validate Initializer 'w': data "
    "field count (2) does not match expected count from shape (4)": (
        "its weight 'w' has 2 values, but its shape needs 4",
        "damaged",
    ),
    "[ONNXRuntimeError] : 1 : FAIL : Deserialize tensor w failed.corrupted protobuf data: "
    "tensor shape size(4) does not match the data size(2) in proto": (
        "one of its weights has 2 values, but its shape needs 4",
        "damaged",
    ),
    "[ONNXRuntimeError] : 1 : FAIL : Deserialize tensor w failed.env.cc:538 OpenRandomFile "
    "Random-access reads require a regular file: /tmp/models/.": (
        "its weights file is a folder or a device",
        "next to the model",
    ),
    '[ONNXRuntimeError] : 1 : FAIL : parse_string.h:116 Parse Failed to parse value: "0"': (
        "an offset or length in its weights file is not a number",
        "damaged",
    ),
    LOADING + "Node (t) Op (TopK) [ShapeInferenceError] Axis has less than the requested k "
    "elements.": (
        "its k is larger than the axis (in TopK t)",
        "inputs and attributes",
    ),
    "Failed to get a WebGPU adapter: No supported adapters": (
        "no graphics driver supports what WebGPU requires (Vulkan, Direct3D 12 or Metal)",
        "libvulkan1",
    ),
}


@pytest.mark.parametrize(("message", "sentence"), SENTENCES.items())
def test_only_what_means_something_to_the_user_stays(message, sentence):
    assert first_sentence(message) == sentence


@pytest.mark.parametrize(("message", "answer"), RULES.items())
def test_a_known_refusal_has_words_and_a_hint(message, answer):
    error = runtime_failure(RuntimeError(message), "Could not load net.onnx", "load")
    why, hint = answer
    assert (error.what, error.why, error.phase) == ("Could not load net.onnx", why, "load")
    assert hint in error.hint


def test_a_memory_error_of_python_is_one_too():
    assert runtime_failure(MemoryError(), "x", "").why == "there was not enough memory"


def test_a_message_without_words_still_has_a_reason():
    assert runtime_failure(ZeroDivisionError(), "x", "").why == "ZeroDivisionError"


def test_a_hostile_message_is_short_and_shows_its_control_characters():
    sentence = first_sentence("bad \u202e name " + "x" * 100_000)
    assert "\\u202e" in sentence
    assert len(sentence) < 2000


NO_OPERATOR = (
    LOADING + 'This is an invalid model. In Node, ("{0}", {0}, "", -1) : ("x": tensor(float),) '
    '-> ("y": tensor(float),) , Error No Op registered for {0} with domain_version of {1}'
)


@pytest.mark.parametrize(
    ("operator", "opset", "why", "hint"),
    [
        (
            "FusedMatMul",
            17,
            "belongs to the domain 'com.microsoft'",
            "Set the domain of its node",
        ),
        ("ZipMap", 17, "belongs to the domain 'ai.onnx.ml'", "to 'ai.onnx.ml' and import"),
        ("Gelu", 17, "opset 17 has no operator Gelu", "with opset 20 or later, or set"),
        ("Frobnicate", 17, "neither does any other opset", "a custom operator"),
        ("Einsum", 11, "opset 11 has no operator Einsum", "with opset 12 or later."),
    ],
)
def test_an_operator_without_its_domain_is_told_where_it_belongs(operator, opset, why, hint):
    error = runtime_failure(RuntimeError(NO_OPERATOR.format(operator, opset)), "x", "load")
    assert why in error.why
    assert error.why.endswith(f"(in {operator} {operator})")
    assert hint in error.hint
    assert ("Export the model again with" in error.hint) == (operator in ("Gelu", "Einsum"))


@pytest.mark.parametrize("phase", ["load", "prediction", "devices", ""])
@pytest.mark.parametrize(
    ("message", "why"),
    [
        (
            PREFIX + "Non-zero status code returned while running Foo node. Name:'f' Status "
            "Message: the moon is not full. More.",
            'ONNX Runtime reports "the moon is not full" (in Foo f)',
        ),
        (
            PREFIX + "Non-zero status code returned while running LSTM node. Name:'' Status "
            "Message: ",
            "a check inside ONNX Runtime failed (in LSTM)",
        ),
        (
            PREFIX + "Exception during initialization: /onnxruntime_src/a/scan.cc:12 int "
            "onnxruntime::f(int) std::all_of(inputs.begin(), inputs.end(), [](int i) { return "
            "i > 0; }) was false. \n",
            "a check inside ONNX Runtime failed",
        ),
        (
            PREFIX + "Exception during initialization: /onnxruntime_src/a/rnn.h:31 "
            "onnxruntime::DeepCpuGruOp::DeepCpuGruOp(const onnxruntime::OpKernelInfo&) "
            "linear_before_reset_ < 2 was false. \n",
            "a check inside ONNX Runtime failed (of 'linear_before_reset') (in GRU)",
        ),
        ("a provider's own words", "a provider's own words"),
    ],
)
def test_a_refusal_that_no_rule_knows_names_the_layer_and_has_a_hint(message, why, phase):
    error = runtime_failure(RuntimeError(message), "Could not run the model", phase)
    assert error.why == why
    assert error.hint
    assert not RAW.search(str(error))


@pytest.mark.parametrize("rule", known_refusals.RULES, ids=lambda rule: rule.why[:40])
def test_every_rule_has_a_reason_and_a_hint_of_groups_that_it_has(rule):
    parts = dict.fromkeys(rule.pattern.groupindex, "x")
    assert rule.why.format(**parts)
    assert rule.hint.format(**parts).endswith((".", "NAME=zeros.", "NAME=ones."))
    assert not RAW.search(f"{rule.why} {rule.hint}")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MODELS)
def test_each_kind_of_refusal_of_the_runtime_is_in_plain_words(name, tmp_path: Path):
    model = MODELS[name]()
    path = model.save(tmp_path / "m.onnx")
    with pytest.raises(InspectorError) as caught:
        predict.predict(create_session(path, RunSpec(), ()), model.feeds)
    error = caught.value
    assert isinstance(error, EngineFailed)
    assert error.what
    assert error.why
    assert error.hint
    assert not RAW.search(str(error))
    assert explain(str(error.__cause__)).matched_rule


@pytest.mark.engine
@pytest.mark.parametrize(
    "name", ["input without a type", "data type 0", "clip of an LSTM", "reshape", "memory"]
)
def test_a_user_gets_all_three_from_the_engine_process(name, tmp_path: Path):
    path = MODELS[name]().save(tmp_path / "m.onnx")
    with EngineProcess() as engine:
        error = refusal(engine, path)
        error = error or refusal(engine, path, MODELS[name]().feeds)
    assert error is not None
    assert error.what
    assert error.why
    assert error.hint
    assert not RAW.search(str(error))


@pytest.mark.slow
@pytest.mark.engine
def test_no_model_of_other_people_is_refused_without_a_hint(shared: Path):
    with EngineProcess(limits=Limits(job_seconds=3)) as engine:
        refusals = [*below(engine, shared)]
    assert len(refusals) > 100
    assert [(r.model, str(r.error)) for r in refusals if not r.complete or r.raw] == []

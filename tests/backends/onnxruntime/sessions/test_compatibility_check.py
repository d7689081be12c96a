import re
import sys
from collections import Counter
from pathlib import Path

import onnx.backend.test
import onnxruntime
import pytest
from onnx import helper

from inspector.backends.onnxruntime.sessions.compatibility_check import check_compatibility
from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.requests import OpenWith
from inspector.report.compatibility import (
    CHECKER,
    INFERENCE,
    LOADER,
    PROGRAMS,
    READER,
    RUNTIME,
    Outcome,
)
from tests import models
from tests.engine.small_models import convolution
from tests.models import save, value

# Models of other people: who refuses each, and a part of why. All others open it.
REFUSED = {
    "odd/made/control_if_depth_25": {},
    "odd/made/custom_domain_unknown_op": {RUNTIME: "FrobnicateV2 (domain 'com.acme"},
    "odd/trt/tests/models/empty": {RUNTIME: ""},
    "odd/made/ext/missing_file": {
        LOADER: "missing_weights.bin",
        CHECKER: "missing_weights.bin",
        RUNTIME: "the model's weights file missing_weights.bin is missing",
    },
    "odd/made/init_sparse": {INFERENCE: "unsupported type: sparse_tensor"},
    "odd/made/shape_unknown_rank": {CHECKER: "Field 'shape' of 'type' is required but missing"},
    "odd/migraphx/attention_double_head_bias_asym_mask_scale_test": {
        CHECKER: "belongs to the domain 'com.microsoft', for which the model has no opset",
        INFERENCE: "for which the model has no opset import",
    },
    "odd/migraphx/sum_int_test": {INFERENCE: "uint32", RUNTIME: "uint32"},
    "odd/migraphx/dequantizelinear_3d_blocked_with_zp_runt_block_test": {
        CHECKER: "no attribute 'block_size'",
        RUNTIME: "no attribute 'block_size'",
    },
    "bad/made/ext/absolute_proc_environ": {
        LOADER: "absolute path",
        CHECKER: "absolute path",
        RUNTIME: "the model's weights file is outside the model's folder",
    },
    "bad/made/ext/length_long": {
        LOADER: "exceeds available data",
        RUNTIME: "64 bytes, but the model declares 128",
    },
    "bad/made/graph/unsorted_nodes": {
        CHECKER: "no input, weight or earlier layer produces",
        INFERENCE: "",
    },
    "bad/upstream/migraphx__group_norm_invalid_scale_shape_test": {CHECKER: "removed in opset"},
    "odd/made/type_io_int4": {
        RUNTIME: "none of the selected devices has a kernel for Identity"
    },
    "bad/made/graph/output_not_produced": {CHECKER: "", RUNTIME: ""},
    "bad/made/graph/input_elem_type_0": {INFERENCE: "", RUNTIME: ""},
    "bad/made/tensor/raw_empty_nonzero_dims": {CHECKER: "", RUNTIME: ""},
    "bad/made/version/opset_negative": {CHECKER: "", RUNTIME: ""},
    "bad/made/wire/varint_11_bytes": dict.fromkeys(PROGRAMS, ""),
    "bad/made/wire/two_models_concatenated": {CHECKER: "", RUNTIME: ""},
    "bad/made/notmodel/zero_byte": {
        READER: "the file is empty",
        CHECKER: "ir_version",
        RUNTIME: "the file is not a complete ONNX model",
    },
}

# As who_refuses.txt tells, a letter for each program.
WHO = dict(zip(PROGRAMS, "ILCSR", strict=True))
OF_ONNX = Path(onnx.backend.test.__file__).parent / "data"
VERSIONS = onnx.__version__, onnxruntime.__version__
# Kinds of reasons, each with a part of its words; and how often who refuses for which.
KINDS = {
    "newer IR": "the model has IR version",
    "newer opset": "the model requires opset",
    "operator": "ONNX Runtime does not have the operator",
    "type": "none of the selected devices has a kernel for",
    "attribute": "has no attribute",
    "locale": "the model requires the locale",
    "other": "",
}
REFUSED_CASES = {
    "ONNX Runtime: newer IR": 227,
    "ONNX Runtime: newer opset": 62,
    "ONNX Runtime: type": 41,
    "ONNX Runtime: operator": 18,
    "ONNX Runtime: attribute": 11,
    "ONNX Runtime: other": 6,
    "ONNX Runtime: locale": 4,
    "onnx shape inference: other": 1,
}


def refusals(path: Path) -> dict[str, str]:
    found = [check_compatibility(program, path) for program in PROGRAMS]
    return {v.program: v.why for v in found if v.outcome is not Outcome.OPENS}


def test_a_sound_model_is_opened_by_all(tmp_path):
    path = convolution(tmp_path / "m.onnx")
    assert refusals(path) == {}
    versions = {program: check_compatibility(program, path).version for program in PROGRAMS}
    assert versions[CHECKER] == versions[LOADER] != ""
    assert versions[RUNTIME] != ""
    assert versions[READER] == ""


def test_an_operator_nobody_knows_is_refused_by_the_runtime_alone(tmp_path):
    node = helper.make_node("Own", ["x"], ["y"], domain="mine")
    where = tmp_path / "m.onnx"
    path = save(where, [node], [value("x", [1])], [value("y", [1])])
    assert [*refusals(path)] == [RUNTIME]
    assert "Own" in refusals(path)[RUNTIME]


def test_what_only_the_checker_minds_is_its_own_refusal(tmp_path):
    node = helper.make_node("Relu", ["x"], ["y"], nonsense=1)
    path = save(tmp_path / "m.onnx", [node], [value("x", [1])], [value("y", [1])])
    found = refusals(path)
    assert found[CHECKER] == "Relu has no attribute 'nonsense' in the opset that it imports"
    assert READER not in found
    assert LOADER not in found


def test_shapes_that_contradict_each_other_are_refused_by_inference(tmp_path):
    node = helper.make_node("Relu", ["x"], ["y"])
    path = save(tmp_path / "m.onnx", [node], [value("x", [2])], [value("y", [3])])
    why = refusals(path)[INFERENCE]
    assert "has length 2, but the file declares 3" in why
    assert "Error]" not in why


def test_a_file_that_is_no_model_is_refused_by_all_but_the_careless(tmp_path):
    path = tmp_path / "m.onnx"
    path.write_bytes(b"")
    assert {READER, CHECKER, RUNTIME} <= refusals(path).keys()
    assert LOADER not in refusals(path)


@pytest.mark.parametrize("name", REFUSED)
def test_who_refuses_models_of_other_people_and_why(shared, name):
    found, expected = refusals(shared / f"{name}.onnx"), REFUSED[name]
    assert found.keys() == expected.keys()
    for program, part in expected.items():
        assert part in found[program]
        assert str(shared) not in found[program]


@pytest.mark.slow
@pytest.mark.engine
def test_on_every_odd_or_hostile_file_each_program_opens_or_says_why(shared):
    """The list has a line for each file that is refused: whose refusal, as letters of WHO."""
    told = list[str]()
    with EngineProcess() as engine:
        for part in ("real", "odd", "bad"):
            for path in filter(Path.is_file, (shared / part).rglob("*.onnx")):
                found = [engine.call(OpenWith(path, program)) for program in PROGRAMS]
                bad = [v for v in found if v.outcome is not Outcome.OPENS]
                assert all(v.why for v in bad), path
                who = "".join(WHO[v.program] for v in bad)
                told += [f"{who} {path.relative_to(shared).as_posix()}"] if who else []
    listed = Path(__file__).with_name("who_refuses.txt").read_text("utf-8").splitlines()
    assert sorted(told) == sorted(listed)


def kinds_of_refusals(path: Path) -> list[str]:
    """Who refuses a model, each with the kind of its reason."""
    found = (check_compatibility(program, path) for program in PROGRAMS)
    bad = [v for v in found if v.outcome is not Outcome.OPENS]
    assert all(v.why for v in bad), path
    return [
        f"{v.program}: {next(k for k, part in KINDS.items() if part in v.why)}" for v in bad
    ]


def test_none_but_the_runtime_refuses_the_test_models_that_come_with_onnx():
    told = Counter[str]()
    paths = [path for path in OF_ONNX.rglob("*.onnx") if path.stat().st_size < 100_000]
    for path in paths:
        told.update(kinds_of_refusals(path))
    assert len(paths) > 100
    assert {kind.partition(":")[0] for kind in told} == {RUNTIME}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # onnx computes overflows and the like on purpose
@pytest.mark.skipif(VERSIONS != ("1.23.2", "1.31.1"), reason="counted with other versions")
def test_who_refuses_the_test_models_of_every_operator(tmp_path):
    from onnx.backend.test.case.node import collect_testcases

    told, number = Counter[str](), 0
    for case in collect_testcases(None):
        path = tmp_path / f"{case.name}.onnx"
        path.write_bytes(case.model.SerializeToString())
        told.update(kinds_of_refusals(path))
        path.unlink()
        number += 1
    assert (number, told) == (1884, Counter(REFUSED_CASES))


@pytest.mark.engine
def test_the_engine_process_asks_one_program_after_the_other(tmp_path):
    path = convolution(tmp_path / "m.onnx")
    with EngineProcess() as engine:
        found = [engine.call(OpenWith(path, program)) for program in PROGRAMS]
    assert [v.program for v in found] == [*PROGRAMS]
    assert {v.outcome for v in found} == {Outcome.OPENS}
    assert all(v.took_ns > 0 for v in found)


@pytest.mark.engine
def test_a_program_that_takes_too_long_gives_no_answer_and_the_next_one_does(tmp_path):
    path = laughs(tmp_path / "m.onnx", 16)
    with EngineProcess() as engine:
        late = engine.call(OpenWith(path, RUNTIME, seconds=1))
        assert late.outcome is Outcome.SILENT
        assert re.fullmatch(r"no response after \d+ s", late.why)  # waiting for a core is free
        assert engine.call(OpenWith(path, LOADER)).outcome is Outcome.OPENS


@pytest.mark.engine
@pytest.mark.skipif(sys.platform == "win32", reason="the faults are signals of POSIX")
@pytest.mark.parametrize(
    ("fault", "why"),
    [("segfault", "it crashed (SIGSEGV)"), ("left_3", "it exited"), ("exception", "it exited")],
)
def test_a_program_that_dies_is_told_of(tmp_path, fault, why):
    program = Path(__file__).parents[4] / "tests" / "engine" / "faulty_engine.py"
    mark = tmp_path / "mark"
    mark.touch()
    command = [sys.executable, str(program), "load", fault, str(mark)]
    with EngineProcess(command=command) as engine:
        died = engine.call(OpenWith(tmp_path / "m.onnx", RUNTIME))
    assert died.outcome is Outcome.DIED
    assert died.why.startswith(why)


def laughs(path: Path, deep: int) -> Path:
    """Functions that each call the one below twice: small here, 2**deep nodes when inlined."""
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("f", 1)]
    functions = [
        helper.make_function(
            "f", f"F{level}", ["x"], ["y"],
            [
                helper.make_node(f"F{level - 1}" if level else "Neg", ["x"], ["h"],
                                 domain="f" if level else ""),
                helper.make_node(f"F{level - 1}" if level else "Neg", ["h"], ["y"],
                                 domain="f" if level else ""),
            ],
            opsets,
        )
        for level in range(deep)
    ]  # fmt: skip
    node = helper.make_node(f"F{deep - 1}", ["x"], ["y"], domain="f")
    values = [[models.value(n, [1])] for n in "xy"]
    model = models.model([node], *values)
    model.functions.extend(functions)
    path.write_bytes(model.SerializeToString())
    return path

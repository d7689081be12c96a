"""Compressed Core ML packages that coremltools writes, read by both; skipped without it.

To run it: pip install coremltools scikit-learn.
"""

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from inspector.formats.onnx import weight_values
from inspector.formats.opening import open_model

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # of coremltools itself
    pytest.mark.skipif(
        find_spec("coremltools") is None or find_spec("sklearn") is None,
        reason="needs coremltools and scikit-learn",
    ),
]
# Compression -> types of the values that stand for weights.
EXPECTED = {
    "none": {"float32"},
    "int8": {"int8"},
    "int8 with zero points": {"int8"},
    "int4 blocks": {"int4"},
    "4 bits": {"uint4"},
    "6 bits": {"uint6"},
    "4 bits, groups": {"uint4"},
    "sparse": {"uint1"},
    "2:4 sparse": {"uint1"},
    "sparse, 4 bits": {"uint4", "uint1"},
}


@pytest.fixture(scope="module")
def plain() -> Any:
    import coremltools as ct
    from coremltools.converters.mil import Builder

    random = np.random.default_rng(0)

    def values(*shape: int) -> Any:
        return random.normal(size=shape).astype(np.float32)

    @Builder.program(
        input_specs=[Builder.TensorSpec(shape=(1, 3, 16, 16))], opset_version=ct.target.iOS18
    )
    def program(x: Any) -> Any:
        x = Builder.conv(x=x, weight=values(32, 3, 3, 3), bias=values(32), name="first")
        x = Builder.conv(x=Builder.relu(x=x), weight=values(64, 32, 3, 3), name="second")
        x = Builder.reduce_mean(x=x, axes=[2, 3])
        return Builder.linear(x=x, weight=values(64, 64), bias=values(64), name="last")

    return ct.convert(
        program,
        convert_to="mlprogram",
        minimum_deployment_target=ct.target.iOS18,
        compute_precision=ct.precision.FLOAT32,
        skip_model_load=True,
    )


def compressed(model: Any, kind: str) -> Any:
    import coremltools.optimize.coreml as tools

    def using(config: Any) -> Any:
        return tools.OptimizationConfig(global_config=config)

    linear, table = tools.OpLinearQuantizerConfig, tools.OpPalettizerConfig
    pruner, least = tools.OpMagnitudePrunerConfig, 1000
    symmetric = "linear_symmetric"
    if kind == "none":
        return model
    if "sparse" in kind:
        share = {"n_m_ratio": (2, 4)} if "2:4" in kind else {"target_sparsity": 0.6}
        model = tools.prune_weights(model, using(pruner(**share, weight_threshold=least)))
        if "bits" not in kind:
            return model
        config = using(table(mode="uniform", nbits=4, weight_threshold=least))
        return tools.palettize_weights(model, config, joint_compression=True)
    if kind.startswith("int"):
        options: dict[str, Any] = {"mode": "linear" if "zero" in kind else symmetric}
        if "blocks" in kind:
            options |= {"dtype": "int4", "granularity": "per_block", "block_size": 16}
        return tools.linear_quantize_weights(
            model, using(linear(**options, weight_threshold=least))
        )
    options = {"mode": "kmeans", "nbits": 6} if "6" in kind else {"mode": "uniform", "nbits": 4}
    if "groups" in kind:
        options |= {"granularity": "per_grouped_channel", "group_size": 16}
    return tools.palettize_weights(model, using(table(**options, weight_threshold=least)))


def values_of(model: Any) -> Iterator[tuple[str, Any]]:
    from coremltools.converters.mil.frontend.milproto.load import load

    spec = model.get_spec()
    program = load(spec, spec.specificationVersion, model.weights_dir)
    for operation in program.functions["main"].operations:
        if operation.op_type.startswith("constexpr"):
            for name, value in operation.inputs.items():
                if value.val is not None and value.op.op_type == "const":
                    yield f"{operation.outputs[0].name}.{name}", value.val
        elif operation.op_type == "const":
            yield operation.name, operation.val.val


@pytest.mark.parametrize("kind", EXPECTED)
def test_weights_are_those_that_coremltools_reads(plain, tmp_path, kind):
    path = tmp_path / "made.mlpackage"
    made = compressed(plain, kind)
    made.save(str(path))
    theirs, model = dict(values_of(made)), open_model(path)
    assert model.weights
    for weight in model.weights:
        ours = weight_values.tensor(path, weight, 1 << 20)
        expected = np.asarray(theirs[weight.name])
        np.testing.assert_array_equal(ours.reshape(expected.shape), expected, weight.name)
    large = {weight.dtype for weight in model.weights if weight.elements >= 1000}
    assert EXPECTED[kind] <= large

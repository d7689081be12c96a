"""A plugin of pytest: models as a fixture, and assertions on their latency and outputs.

pytest loads it where Inspector is installed; it imports what runs models when a test asks for
it. The functions can be imported as well: from inspector.api.pytest_plugin import ...
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

import inspector

if TYPE_CHECKING:
    from inspector.api.measured import Measurement, ReportComparison
    from inspector.api.models import ModelOrPath, OpenedModel

_OPTION = "--inspector-model"
_SETTING = "inspector_models"
_FIXTURE = "inspector_model"
RTOL = 1e-3  # of outputs, as of `inspector verify`; float32 on two kernels differs by 1e-4
ATOL = 1e-5


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option and the setting that name models."""
    group = parser.getgroup("inspector", "models (Inspector)")
    group.addoption(
        _OPTION,
        action="append",
        default=[],
        metavar="PATH",
        help="model for the fixture inspector_model, or a pattern of several; repeatable",
    )
    parser.addini(_SETTING, "models for the fixture inspector_model, or patterns", "paths")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker."""
    config.addinivalue_line(
        "markers", "inspector_model(*paths): models for the fixture inspector_model"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test once for each model."""
    if _FIXTURE in metafunc.fixturenames:
        paths = list(_paths(metafunc))
        ids = [path.name for path in paths]
        metafunc.parametrize(_FIXTURE, paths, ids=ids, indirect=True)


def _paths(metafunc: pytest.Metafunc) -> Iterator[Path]:
    """Yield the models of a test: its marker's, else those of the option, else the setting's.

    Paths of a marker count from the file of the test, those of the option from where pytest was
    started.
    """
    marker = metafunc.definition.get_closest_marker(_FIXTURE)
    config = metafunc.config
    if marker is not None:
        home, names = metafunc.definition.path.parent, list(map(str, marker.args))
    else:
        home, names = config.invocation_params.dir, config.getoption(_OPTION)
        names = names or list(map(str, config.getini(_SETTING)))
    for name in names:
        path = home / name
        found = sorted(path.parent.glob(path.name)) if "*" in path.name else [path]
        yield from found


@pytest.fixture(name=_FIXTURE, scope="session")
def _inspector_model(request: pytest.FixtureRequest) -> "OpenedModel":
    """The opened model of --inspector-model, of the marker, or of the setting."""
    return inspector.open_model(request.param)


@pytest.fixture(name="assert_latency", scope="session")
def _assert_latency() -> "Callable[..., Measurement | ReportComparison]":
    """The function `assert_latency`."""
    return assert_latency


@pytest.fixture(name="assert_same_outputs", scope="session")
def _assert_same_outputs() -> Callable[..., None]:
    """The function `assert_same_outputs`."""
    return assert_same_outputs


def assert_latency(
    model: "ModelOrPath | Measurement",
    *conditions: str,
    against: "ModelOrPath | None" = None,
    inconclusive: Literal["fail", "skip", "pass"] = "skip",
    **options: Any,
) -> "Measurement | ReportComparison":
    """Measure a model, and fail unless all conditions certainly hold; returns the measurement.

    model: as `inspector.measure` takes it, or a measurement. conditions: such as "p50<5ms",
    "latency.p95<8ms", "memory.peak<300MiB"; a change, "p50<+10%", is of the model compared with
    `against`, measured interleaved with it. inconclusive: what happens if noise leaves a
    condition open. options: of `inspector.measure`. Raises AssertionError.
    """
    __tracebackhide__ = True
    measured: Any = model
    if against is not None:
        measured = inspector.measure_against(measured, against, **options)
    elif not hasattr(measured, "check"):
        measured = inspector.measure(measured, **options)
    checks = [measured.check(_whole(condition)) for condition in conditions]
    failed = [check for check in checks if not check.holds and not check.inconclusive]
    opened = [check for check in checks if check.inconclusive]
    if failed or (opened and inconclusive == "fail"):
        raise AssertionError("\n".join([repr(measured), *map(repr, failed + opened)]))
    if opened and inconclusive == "skip":
        pytest.skip("; ".join(check.about() for check in opened))
    return measured  # type: ignore[no-any-return]


def _whole(condition: str) -> str:
    """Return a condition with its subject: "p50<5ms" is about latency."""
    subject = re.split("[<>]", condition, maxsplit=1)[0]
    return condition if "." in subject else f"latency.{condition}"


def assert_same_outputs(
    model: "ModelOrPath",
    expected: "ModelOrPath | Mapping[str, Any]",
    inputs: Any = None,
    *,
    rtol: float = RTOL,
    atol: float = ATOL,
    psnr: float | None = None,
    same_class: bool = False,
    **options: Any,
) -> None:
    """Fail unless a model has the outputs of another one, or expected arrays.

    expected: a model, which gets the same inputs, or arrays by output name. inputs: as
    `inspector.predict` takes them, or a list of such. rtol, atol: of each element, as numpy
    has them. psnr: decibels that each output must have at least, instead; 40 suits int8.
    same_class: whether the most probable class has to be the same, instead or in addition.
    options: of `inspector.predict`. Raises AssertionError.
    """
    __tracebackhide__ = True
    given: Sequence[Any] = inputs if isinstance(inputs, list) else [inputs]
    wrong = []
    for number, values in enumerate(given, 1):
        answer = inspector.predict(model, values, **options)
        reference: Any = expected
        if not isinstance(expected, Mapping):
            reference = inspector.predict(expected, values, **options).outputs
        problems = answer.problems(
            reference, rtol=rtol, atol=atol, psnr=psnr, same_class=same_class
        )
        where = f"input {number} of {len(given)}: " if len(given) > 1 else ""
        wrong += [f"{where}{problem}" for problem in problems]
    if wrong:
        raise AssertionError("\n".join(wrong))

"""Run actions on models, and the models with ONNX Runtime."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime

from inspector.app.changing.conversion import InnerValues, by_new_names, fitted_feeds
from inspector.conversion import action, apply
from inspector.conversion.action import Converted, Effect
from inspector.conversion.registry import ACTIONS
from inspector.report.run_spec import RunSpec


def converted(model: Path, folder: Path, *steps: str) -> tuple[Path, Converted]:
    folder.mkdir(exist_ok=True)
    made = apply.convert(model, [action.parse_step(step, ACTIONS) for step in steps], folder)
    return folder / made.files[0], made


def effect(model: Path, folder: Path, step: str, *before: str) -> Effect:
    parsed = [action.parse_step(each, ACTIONS) for each in before]
    return apply.effects_of(model, parsed, [action.parse_step(step, ACTIONS)], folder)[0]


def outputs(model: Path, feeds: Mapping[str, Any]) -> dict[str, Any]:
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(None, dict(feeds)), strict=True))


def both_outputs(engine: Any, made: Any, feeds: Any, spec: RunSpec | None = None) -> Any:
    spec = spec or RunSpec(custom_ops=made.custom_ops)
    with InnerValues(engine, made) as inner:
        first, second = fitted_feeds(engine, made, feeds, inner)
        before = engine.predict(made.original, spec, first).outputs
        there = replace(made.runnable(spec), cast=True)
        after = engine.predict(made.path, there, second).outputs
        return by_new_names(made, before, after, first, inner), after


def saved(folder: Path, text: str, name: str = "model.onnx", **weights: Any) -> Path:
    model = onnx.parser.parse_model(text)
    for key, array in weights.items():
        model.graph.initializer.append(onnx.numpy_helper.from_array(np.asarray(array), key))
    folder.mkdir(exist_ok=True)
    onnx.save(model, folder / name)
    return folder / name

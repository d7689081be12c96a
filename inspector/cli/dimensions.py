"""The lengths of dynamic axes that --dim gives."""

import argparse
from typing import Any

from inspector.model.model import Model
from inspector.preview.inputs.input_shapes import check_dimensions


def checked_dimensions(options: argparse.Namespace, *models: Model) -> dict[str, Any]:
    """Return what --dim gives, by name. Raises BadInput: no input has such an axis.

    models: of which one has the axis, where a command takes several.
    """
    inputs = [info for model in models for info in (*model.inputs, *model.defaults)]
    named = dict(options.dimensions)
    check_dimensions(inputs, dict.fromkeys(named, 1))  # a sweep has several lengths for each
    return named

"""Devices that a model asks for: configurations of the file, and what each asks of a node."""

from collections.abc import Iterable
from typing import Any

from inspector.model import DeviceConfiguration
from inspector.readers.types import text, texts

_MOST = 8


def configurations(protos: Iterable[Any]) -> tuple[DeviceConfiguration, ...]:
    """Describe onnx.DeviceConfigurationProto values."""
    return tuple(
        DeviceConfiguration(text(proto.name), proto.num_devices, texts(proto.device))
        for proto in protos
    )


def placement(protos: Iterable[Any]) -> tuple[tuple[str, str], ...]:
    """Describe onnx.NodeDeviceConfigurationProto values: (configuration, what it asks)."""
    return tuple((text(proto.configuration_id), _words(proto)) for proto in protos)


def _words(proto: Any) -> str:
    stage = (
        [f"pipeline stage {proto.pipeline_stage}"] if proto.HasField("pipeline_stage") else []
    )
    shardings = [_sharding(spec) for spec in proto.sharding_spec[:_MOST]]
    more = len(proto.sharding_spec) - len(shardings)
    return "; ".join([*stage, *shardings, *([f"and {more:,} more"] if more > 0 else [])])


def _sharding(spec: Any) -> str:
    name, devices = text(spec.tensor_name), _numbers(spec.device)
    axes = [words for axis in spec.sharded_dim[:_MOST] for words in _axis(axis)]
    how = f" cut along {', '.join(axes)}" if axes else ""
    groups = "".join(
        f", {entry.key} stands for {_numbers(entry.value)}"
        for entry in spec.index_to_device_group_map[:_MOST]
    )
    return f"{name}{how} on {devices}{groups}" if devices else f"{name}{how}{groups}"


def _axis(axis: Any) -> list[str]:
    parts = [f"{_length(each)} into {each.num_shards}" for each in axis.simple_sharding[:_MOST]]
    return [f"axis {axis.axis}{part}" for part in parts or [""]]


def _length(sharding: Any) -> str:
    which = sharding.WhichOneof("dim")
    if which is None:
        return ""
    return f" ({sharding.dim_value if which == 'dim_value' else text(sharding.dim_param)})"


def _numbers(devices: Any) -> str:
    shown = ", ".join(str(number) for number in devices[:_MOST])
    more = " …" if len(devices) > _MOST else ""
    return f"device {shown}{more}" if shown else ""

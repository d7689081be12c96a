"""What is estimated of a model on devices, as values."""

from msgspec import Struct

from inspector.analysis.cost.estimate import Estimate
from inspector.analysis.cost.latency import Efficiency, Latency, LayerLoad, Rates
from inspector.analysis.cost.memory_fit import MemoryFit
from inspector.analysis.devices.known_devices import KnownDevice
from inspector.model.model import Model


class DeviceEstimate(Struct, frozen=True):
    """What is estimated of a model on one device.

    validated: whether held-out models were measured on this device, so that the interval holds.
    memory: None where the memory of the device is not known. latency: None where its ceilings
    are not.
    """

    device: Efficiency | KnownDevice
    rates: Rates | None
    latency: Latency | None
    validated: bool
    memory: MemoryFit | None = None


class ModelEstimates(Struct, frozen=True):
    """Estimates of a model with certain lengths of free axes, one for each device.
    loads: what the layers ask of a device. cached_tokens: of a language model, for which RAM
    holds a cache; 0 of others."""

    model: Model
    cost: Estimate
    loads: tuple[LayerLoad, ...]
    devices: tuple[DeviceEstimate, ...]
    cached_tokens: int = 0

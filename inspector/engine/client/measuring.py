"""What only measurements need of an engine's client: others start without these 60 modules."""

from inspector.backends import partial_reports
from inspector.backends.interleaving import run_interleaved
from inspector.backends.onnxruntime.placement import absent_devices
from inspector.engine.client import cpu_speed_history
from inspector.engine.client.exact_float16 import Float16Run
from inspector.engine.client.process_repetitions import measure_in_processes, with_part
from inspector.engine.client.report_completion import (
    check_float16,
    check_outputs,
    has_float16,
    layers_without_marks,
    measure_with_retries,
    with_predicted_devices,
    with_provider_counters,
    with_support_marks,
)

__all__ = [
    "Float16Run",
    "absent_devices",
    "check_float16",
    "check_outputs",
    "cpu_speed_history",
    "has_float16",
    "layers_without_marks",
    "measure_in_processes",
    "measure_with_retries",
    "partial_reports",
    "run_interleaved",
    "with_part",
    "with_predicted_devices",
    "with_provider_counters",
    "with_support_marks",
]

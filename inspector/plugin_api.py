"""What plugins of other packages import: the types and functions that docs/plugins.md names.

A name is loaded from its place when it is first used, so that a plugin loads only what
it needs. These names stay where they are; the modules behind them may move.
"""

from typing import TYPE_CHECKING, Any

from inspector.platform import plugins

if TYPE_CHECKING:
    from inspector.analysis.advice.rules import Advice as Advice
    from inspector.analysis.advice.rules import Rule as Rule
    from inspector.analysis.advice.rules import on_report as on_report
    from inspector.analysis.devices.support_tables import SupportTableFile as SupportTableFile
    from inspector.analysis.layer_numbers import NumberSource as NumberSource
    from inspector.backends.base import Backend as Backend
    from inspector.backends.base import BackendInfo as BackendInfo
    from inspector.backends.onnxruntime.info import ONNXRUNTIME as ONNXRUNTIME
    from inspector.cli.command_table import Command as Command
    from inspector.conversion.action import Action as Action
    from inspector.conversion.action import Effect as Effect
    from inspector.conversion.action import Option as Option
    from inspector.conversion.action import OptionKind as OptionKind
    from inspector.conversion.plan import Plan as Plan
    from inspector.errors import BadInput as BadInput
    from inspector.errors import InspectorError as InspectorError
    from inspector.formats.model_formats import ModelFormat as ModelFormat
    from inspector.model.model import FormatDetails as FormatDetails
    from inspector.model.model import Layer as Layer
    from inspector.model.model import Model as Model
    from inspector.model.model import TensorInfo as TensorInfo
    from inspector.preview.families.family_table import Family as Family
    from inspector.preview.families.family_table import OutputDecoder as OutputDecoder
    from inspector.preview.inputs.plugin_inputs import InputKind as InputKind
    from inspector.remote.machine_kinds import MachineKind as MachineKind
    from inspector.remote.machine_kinds import Pool as Pool
    from inspector.remote.machines import Saved as Saved
    from inspector.remote.messages import DONE as DONE
    from inspector.remote.messages import End as End
    from inspector.remote.messages import Job as Job
    from inspector.remote.other_machine import MeasuringMachine as MeasuringMachine
    from inspector.remote.other_machine import OtherMachine as OtherMachine
    from inspector.render.code_languages import CodeLanguage as CodeLanguage
    from inspector.render.registry import ExportFormat as ExportFormat
    from inspector.render.registry import Subject as Subject
    from inspector.report.report import PerformanceReport as PerformanceReport
    from inspector.report.report_values import Device as Device
    from inspector.report.run_spec import RunSpec as RunSpec

_PLACES = {
    "inspector.analysis.advice.rules": ("Advice", "Rule", "on_report"),
    "inspector.analysis.devices.support_tables": ("SupportTableFile",),
    "inspector.analysis.layer_numbers": ("NumberSource",),
    "inspector.backends.base": ("Backend", "BackendInfo"),
    "inspector.backends.onnxruntime.info": ("ONNXRUNTIME",),
    "inspector.cli.command_table": ("Command",),
    "inspector.conversion.action": ("Action", "Effect", "Option", "OptionKind"),
    "inspector.conversion.plan": ("Plan",),
    "inspector.errors": ("BadInput", "InspectorError"),
    "inspector.render.code_languages": ("CodeLanguage",),
    "inspector.render.registry": ("ExportFormat", "Subject"),
    "inspector.formats.model_formats": ("ModelFormat",),
    "inspector.model.model": ("FormatDetails", "Layer", "Model", "TensorInfo"),
    "inspector.preview.families.family_table": ("Family", "OutputDecoder"),
    "inspector.preview.inputs.plugin_inputs": ("InputKind",),
    "inspector.remote.machine_kinds": ("MachineKind", "Pool"),
    "inspector.remote.machines": ("Saved",),
    "inspector.remote.messages": ("DONE", "End", "Job"),
    "inspector.remote.other_machine": ("MeasuringMachine", "OtherMachine"),
    "inspector.report.report": ("PerformanceReport",),
    "inspector.report.report_values": ("Device",),
    "inspector.report.run_spec": ("RunSpec",),
}
_MODULE_OF = {name: module for module, names in _PLACES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'inspector.plugin_api' has no attribute {name!r}")
    return plugins.load(f"{_MODULE_OF[name]}:{name}")


def __dir__() -> list[str]:
    return sorted((*globals(), *_MODULE_OF))

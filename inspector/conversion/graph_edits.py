"""Edits of the graph and of what it declares; the answers stay the same."""

from onnx import ModelProto, TensorProto, helper, version_converter

from inspector.conversion.action import Effect
from inspector.conversion.editable_model import EditableModel
from inspector.conversion.plan import Context, Plan
from inspector.units import plural


def opset(model: EditableModel, to: int) -> Plan:
    """Plan a conversion to a newer default operator set, by onnx's own converter."""
    size, now = model.size_bytes(), model.opset
    if now >= to:
        return Plan(Effect(bytes_before=size, nothing=f"it has opset {now} already"))
    if not now:
        return Plan(Effect(bytes_before=size, nothing="it uses no operators of ai.onnx"))
    touches = f"opset {now} to {to}, {plural(len(model.proto.graph.node), 'layer')}"
    effect = Effect(touches, len(model.proto.graph.node), size, size)
    return Plan(effect, lambda context: _to_opset(model, to, context))


def _to_opset(model: EditableModel, to: int, context: Context) -> None:
    proto = model.proto
    # The converter does not know references to weights in files: it gets them as inputs.
    outside = [t for t in proto.graph.initializer if t.data_location == TensorProto.EXTERNAL]
    names = {tensor.name for tensor in outside}
    declared = {value.name for value in proto.graph.input}
    kept = [t for t in proto.graph.initializer if t.name not in names]
    slim = ModelProto()
    slim.CopyFrom(proto)
    del slim.graph.initializer[:]
    slim.graph.initializer.extend(kept)
    added = [tensor for tensor in outside if tensor.name not in declared]
    slim.graph.input.extend(
        helper.make_tensor_value_info(t.name, t.data_type, tuple(t.dims)) for t in added
    )
    converted = version_converter.convert_version(slim, to)
    inputs = [v for v in converted.graph.input if v.name not in {t.name for t in added}]
    del converted.graph.input[:]
    converted.graph.input.extend(inputs)
    converted.graph.initializer.extend(outside)
    # What the converter drops from the model.
    converted.producer_name = proto.producer_name
    converted.producer_version = proto.producer_version
    converted.domain, converted.model_version = proto.domain, proto.model_version
    converted.doc_string = proto.doc_string
    if not converted.metadata_props:
        converted.metadata_props.extend(proto.metadata_props)
    converted.ir_version = max(
        converted.ir_version, helper.find_min_ir_version_for(converted.opset_import)
    )
    proto.CopyFrom(converted)

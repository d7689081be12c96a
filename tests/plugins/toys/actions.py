"""An action: this file is all that it takes."""

from inspector.conversion.action import Action, Effect
from inspector.conversion.editable_model import EditableModel
from inspector.conversion.plan import Context, Plan


def stamp(model: EditableModel) -> Plan:
    """Plan another description of the model."""

    def work(_: Context) -> None:
        model.proto.doc_string = "stamped"

    return Plan(Effect("the description"), work)


ACTIONS = (Action("stamp", "Stamp", "write 'stamped'", f"{__name__}:stamp", after="metadata"),)

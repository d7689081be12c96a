"""Which signature of a model with several runs, and how another one comes to run."""

from inspector.model.model import TFLITE, Model
from inspector.ui import commands
from inspector.ui.translate import tr
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.parts import Card, label, row
from inspector.ui.widgets.theme import Theme
from inspector.units import clip

_WIDTH = 220  # px of the field; longer names have dots in the middle


def has_signatures(model: Model | None) -> bool:
    """Return whether another signature than the one that runs can be chosen."""
    return (
        model is not None
        and model.format == TFLITE
        and any(each.function for each in model.signatures)
    )


class SignatureCard(Card):
    """Names the signature that runs; another one that is chosen runs in a copy of the file."""

    def __init__(self, theme: Theme, model: Model) -> None:
        super().__init__(theme)
        main = next((each.name for each in model.signatures if not each.function), "")
        names = [main, *(each.name for each in model.signatures if each.function)]
        self.field = ChoiceField(
            tr("Signature"), names, [clip(name, 60) or tr("main graph") for name in names]
        )
        self.field.setFixedWidth(_WIDTH)
        self.field.currentIndexChanged.connect(self._choose)
        about = label(tr("Another signature runs in a copy of the model."), "secondary")
        about.setWordWrap(True)
        self.body.addLayout(row(label(tr("Signature"), "value"), self.field, None, spacing=12))
        self.body.addWidget(about)

    def _choose(self, place: int) -> None:
        """Have a copy saved and opened; this file keeps its own."""
        chosen = self.field.value
        if place:
            self.field.show_value(str(self.field.itemData(0)))
            commands.run(self, "signature", chosen)

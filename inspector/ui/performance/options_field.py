"""Options for the provider of the chosen device, as a line of text."""

from PySide6.QtWidgets import QLineEdit

from inspector.report import ProviderOption, RunSpec
from inspector.ui.documents.document import Document
from inspector.ui.kit.parts import tip
from inspector.units import clip

_PLACEHOLDER = "key=value; …"
_TOLD = "Options for the provider of the device, parted by semicolons"
_NONE = "The CPU takes no options; choose another device"


class OptionsField(QLineEdit):
    """Says its options when it is finished, and what is wrong with them in its tooltip."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.setPlaceholderText(_PLACEHOLDER)
        self.setAccessibleName("Options for the provider")
        self.editingFinished.connect(self._choose)
        document.spec_changed.connect(self.show_spec)
        self.show_spec()

    def show_spec(self) -> None:
        """Bring the line to what the spec says, without telling it so."""
        spec = self._document.spec
        able = not set(spec.devices) <= {"cpu"}
        self.setEnabled(able)
        self.setToolTip(tip(_TOLD if able else _NONE))
        try:
            same = parsed(self.text()) == spec.provider_options
        except ValueError:
            same = False
        if not same:
            self.setText(words_of(spec))
        self.setAccessibleDescription("")

    def _choose(self) -> None:
        try:
            options = parsed(self.text())
        except ValueError as error:
            self.setToolTip(tip(str(error)))
            self.setAccessibleDescription(str(error))
            return
        if options != self._document.spec.provider_options:
            self._document.set_spec(provider_options=options)


def parsed(text: str) -> tuple[ProviderOption, ...]:
    """Read "key=value; key=value", the last of a key counts. Raises ValueError: no pair."""
    found = {}
    for part in filter(None, (piece.strip() for piece in text.split(";"))):
        key, sign, value = part.partition("=")
        if not key.strip() or not sign:
            raise ValueError(f"'{clip(part, 60)}' is not key=value")
        found[key.strip()] = value.strip()
    return tuple(ProviderOption(key, value) for key, value in found.items())


def words_of(spec: RunSpec) -> str:
    """The options of a spec as a line."""
    return "; ".join(f"{each.key}={each.value}" for each in spec.provider_options)

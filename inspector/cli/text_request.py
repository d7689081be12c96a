"""The text of the options --text, --text-window, --text-stride and --text-tokens."""

import argparse

from inspector.app.language.quality import TextSettings
from inspector.cli.options.of_text import SETTINGS, SHIPPED


def text_settings(options: argparse.Namespace, whole: bool) -> TextSettings:
    """Read the text. whole: all of it is scored, not only until the verdict is sure, as where
    conditions decide. Raises UnreadableFile, BadInput."""
    given = {name: getattr(options, f"text_{name}") for name in SETTINGS}
    return TextSettings.of(
        None if options.text == SHIPPED else options.text,
        whole=whole,
        **{name: value for name, value in given.items() if value is not None},
    )

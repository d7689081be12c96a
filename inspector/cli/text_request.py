"""The text of the options --text, --text-window, --text-stride and --text-tokens, and what is
said of how it is predicted."""

import argparse
from collections.abc import Sequence

from msgspec import structs

from inspector.app.language.quality import TextSettings
from inspector.cli import gate, pages
from inspector.cli.options.of_text import SETTINGS, SHIPPED
from inspector.comparison.ci_conditions import Finding
from inspector.errors import BadInput
from inspector.pages.language.quality import quality_page
from inspector.preview.runs.other_run import OtherRun
from inspector.report.language.quality import ConditionOutcome, Quality
from inspector.wording import stored


def text_settings(options: argparse.Namespace, whole: bool) -> TextSettings:
    """Read the text. whole: all of it is scored, not only until the verdict is sure, as where
    conditions decide. Raises UnreadableFile, BadInput."""
    given = {name: getattr(options, f"text_{name}") for name in SETTINGS}
    return TextSettings.of(
        None if options.text == SHIPPED else options.text,
        whole=whole,
        **{name: value for name, value in given.items() if value is not None},
    )


def expect_runtime(against: OtherRun) -> None:
    """Raise BadInput where the second run is too slow for a text."""
    if against.reference or against.float16:
        what = f"Could not score a text with {against.label}"
        why = "only a runtime is fast enough for a whole text"
        hint = "Compare with a model, a device or an optimization level."
        raise BadInput(what, why, hint)


def tell_quality(
    options: argparse.Namespace, quality: Quality, findings: Sequence[Finding]
) -> None:
    """Print how well a text is predicted; SystemExit where a condition holds."""
    if options.json:
        outcomes = tuple(
            ConditionOutcome(each.condition.text, each.outcome, each.plain) for each in findings
        )
        print(stored.json_text(structs.replace(quality, conditions=outcomes)))
    else:
        pages.show(quality_page(quality, findings), getattr(options, "details", False))
    gate.exit_if_failed(options, findings)

"""Verdicts on outputs as the first sentence of a page."""

from inspector.analysis.verdicts.outputs import sentence
from inspector.pages.blocks import Text
from inspector.report.output_verdict import OutputVerdict
from inspector.wording.values import Tone


def verdict_text(verdict: OutputVerdict) -> Text:
    """Return the one sentence on the outputs of another run, in the tone of its level."""
    tone = Tone.GOOD if verdict.good else Tone.BAD if verdict.bad else Tone.CAUTION
    return Text(sentence(verdict), tone, strong=True)

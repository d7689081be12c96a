"""Pages with every kind of block and value, of a model as large as wanted, friendly or hostile."""

from inspector.export.charts.improvement_plot import pareto_plot
from inspector.export.charts.roofline_plot import roofline_plot
from inspector.pages.blocks import (
    Amount, Block, Change, Chart, Code, Column, Count, Duration, DurationRange, Fact, Facts,
    Item, Items, Joined, Legend, Limits, MarkValue, Name, Number, Page, Picture, Rank, Row,
    Section, Sentence, Share, Side, Size, Table, Text, Tone, Toned, Value,
)  # fmt: skip
from inspector.preview.inputs import image_files
from inspector.report.support_marks import Mark

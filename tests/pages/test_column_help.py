"""Every head of a column says on hover what stands below it."""

import pytest

from inspector.pages.blocks import Table
from inspector.pages.column_help import HELP
from inspector.render.html import html
from tests.pages.examples import EXAMPLES


def columns(page):
    for section in page.sections:
        for block in section.blocks:
            if isinstance(block, Table):
                yield from block.columns


# Heads that are names of devices, machines and settings of the examples, or only a number.
NAMES = {"WebGPU", "CPU", "CUDA", "nuc", "pi5", "Threads", "B − A"} | {
    f"+{n}" for n in range(8)
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_column_is_explained(name):
    missing = {
        column.title
        for column in columns(EXAMPLES[name](str))
        if type(column.title) is str and column.title and not column.explanation
    }
    assert missing <= NAMES


def test_documents_explain_columns_on_hover(example):
    assert f'title="{HELP["Operator"]}"' in example


def test_each_sentence_is_one_line_and_ends_without_a_period():
    assert all(text and len(text) < 96 and not text.endswith(".") for text in HELP.values())


@pytest.fixture
def example():
    return html(EXAMPLES["model_page"](str)).decode()

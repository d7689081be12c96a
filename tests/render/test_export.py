import pytest

from inspector.errors import BadInput
from inspector.render.registry import FORMATS, Subject, export, formats_of, save_as
from inspector.report.report import LayerUse, Support, from_json
from inspector.trace.trace_builder import TraceBuilder
from inspector.wording.support_marks import Mark, Source, Status
from tests.reports import CPU, example_report

IDS = [each.id for each in formats_of(Subject.REPORT)]
HOSTILE = '"><script>alert(1)</script>=1+1|`\u202e\x00\n@all'
BARE = example_report(
    prediction_ns=(), prediction_cpu_ns=(), layers=(), inserted=(), devices=(), notes=(),
    kernel_ns=0, trace=TraceBuilder().trace(), created="some day",
)  # fmt: skip


@pytest.mark.parametrize("name", IDS)
def test_a_report_of_nothing_still_exports(name):
    assert export(BARE, name)


@pytest.mark.parametrize("name", IDS)
def test_hostile_names_never_stop_an_export(name):
    support = {CPU: Support(Mark.UNSUPPORTED, Source.TABLE, HOSTILE)}
    layer = LayerUse(0, HOSTILE, HOSTILE, Status.EXECUTED, "nowhere", 5, support, into=77)
    assert export(example_report(layers=(layer,), notes=(HOSTILE,)), name)


def test_json_is_the_report_itself():
    report = example_report()
    assert from_json(export(report, "json"), "r.json").layers == report.layers


def test_an_unknown_format_names_the_known_ones():
    with pytest.raises(BadInput) as failure:
        export(BARE, "docx")
    assert "html, pdf, csv, operators, md, json, trace" in failure.value.hint


def test_every_format_has_a_suffix_of_its_own_and_a_title():
    for subject in Subject:
        formats = formats_of(subject)
        assert formats
        assert len({each.id for each in formats}) == len({each.suffix for each in formats})
    assert all(each.suffix.startswith(".") and each.title and each.summary for each in FORMATS)


@pytest.mark.parametrize(
    ("name", "begin"),
    [("a", b'{"schema":"report/1"'), ("a.html", b"<!doctype"), ("a.md", b"### "),
     ("a.operators.csv", b"operator"), ("a.pdf", b"%PDF"), ("a.trace.json", b'{"display')],
)  # fmt: skip
def test_the_name_of_a_saved_report_decides_its_format(tmp_path, name, begin):
    save_as(Subject.REPORT, tmp_path / name, example_report())
    assert (tmp_path / name).read_bytes().lstrip(b"\xef\xbb\xbf").startswith(begin)

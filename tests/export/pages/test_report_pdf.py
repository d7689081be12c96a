"""The PDF of a report: vectors and text, equal for equal reports, nothing cut or left out."""

import re
import zlib
from dataclasses import replace

from inspector.export.registry import export
from tests.pdf_text import pdf_text
from tests.reports import example_report, half_slow, predicted_report


def streams(body: bytes) -> list[bytes]:
    found = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", body, re.DOTALL)
    return [zlib.decompress(one) for one in found if one[:1] == b"\x78"]


def test_it_is_text_and_vectors_with_its_fonts_inside():
    body = export(example_report(), "pdf")
    assert body.startswith(b"%PDF-")
    assert b"/FontFile2" in body
    assert b"/Subtype /Image" not in body
    drawn = b"".join(streams(body))
    assert len(re.findall(rb"\bre\b", drawn)) > 20
    assert b" Tj" in drawn or b" TJ" in drawn


def test_the_same_report_gives_the_same_file():
    assert export(example_report(), "pdf") == export(example_report(), "pdf")


def test_every_layer_and_every_number_is_there():
    text = pdf_text(half_slow())
    lines = text.splitlines()
    assert not [line for line in lines if line.startswith("…")]
    assert "`inspector" not in text


def test_predicted_devices_and_letters_of_other_scripts_are_written():
    report = predicted_report()
    odd = replace(report.layers[0], name="卷积\u202e/" + "n" * 5000)
    assert export(replace(report, layers=(odd, *report.layers[1:])), "pdf")

"""Many reports as one page: series, verdicts, links; and the page behind a link."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest

from inspector.app.sharing.results import gathered, links_beside, reports_in
from inspector.app.sharing.site import ResultsSite, Shared
from inspector.errors import BadInput
from inspector.report.report import save
from inspector.statistics.significance import Verdict
from inspector.wording.values import Link
from tests.command_line import errors_of, output_of
from tests.render.browser import PROGRAM, Browser
from tests.reports import example_report

EVIL = "<script>alert(1)</script>.onnx"


def write(folder: Path, name: str, day: int, p50_ns: int, **changes: object) -> Path:
    spread = tuple(p50_ns + step * p50_ns // 1000 for step in range(-15, 15))
    first = example_report(created=f"2026-11-{day:02}T10:00:00+00:00")
    save(replace(first, prediction_ns=spread, prediction_cpu_ns=(), **changes), folder / name)
    return folder / name


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three days of a model that became slower, and another model on another machine."""
    for day, p50_ns in ((1, 1_000_000), (2, 1_000_000), (3, 1_500_000)):
        write(tmp_path, f"{day}.json", day, p50_ns)
    other = replace(example_report().environment, cpu="Pi 5")
    model = replace(example_report().model, name=EVIL)
    write(tmp_path, "pi.json", 4, 2_000_000, environment=other, model=model)
    return tmp_path


def test_the_newest_of_each_series_is_held_against_its_baseline(folder):
    reports = reports_in([folder])
    other, slower = gathered(reports).series
    assert (other.newest.model, other.baseline, other.verdict) == (EVIL, None, None)
    assert slower.baseline is not None
    assert slower.baseline.path.name == "1.json", "without a tag the oldest"
    assert slower.verdict is not None
    assert slower.verdict.verdict is Verdict.SLOWER
    assert slower.verdict.ratio == pytest.approx(1.5, rel=0.02)
    chosen = gathered(reports, str(folder / "2.json")).series[1].baseline
    assert chosen is not None
    assert chosen.path.name == "2.json"
    stray = write(folder.parent, "stray.json", 5, 1)
    with pytest.raises(BadInput, match="it is none of the reports"):
        gathered(reports, str(stray))


def test_the_page_links_to_reports_below_its_folder_or_writes_them(folder, tmp_path):
    page = folder / "team.html"
    assert "4 reports" in output_of("history", "--from", folder, "-o", page)
    text = page.read_text()
    assert 'href="3.json"' in text
    assert "<script>alert" not in text
    assert "50.0% slower" in text
    assert str(folder) not in text, "nobody's folders are told"
    assert links_beside(folder / "sub" / "page.html", reports_in([folder])) == {}
    output_of("history", "--from", folder, "--with-reports", "-o", page)
    pages = sorted(each.name for each in (folder / "team_reports").iterdir())
    assert len(pages) == 4
    assert all(f'href="team_reports/{name}"' in page.read_text() for name in pages)
    none = errors_of("history", "none", "--from", folder, "-o", page)
    assert "no report matches" in none


@pytest.mark.parametrize(
    ("target", "safe"),
    [
        ("#trend-1", True), ("a/b%20c.html", True), ("../a.json", True), ("//evil/x", False),
        ("javascript:alert(1)", False), ("https://evil", False), ('a"onclick=x', False),
        ("/etc/passwd", False), ("a//b", False),
    ],
)  # fmt: skip
def test_a_link_leads_to_its_page_or_beside_it(target, safe):
    assert bool(Link("text", target).safe_target) is safe


@pytest.fixture
def site(folder: Path, tmp_path: Path) -> Iterator[ResultsSite]:
    made = ResultsSite(
        ("127.0.0.1", 0), tmp_path / "kept", lambda: Shared(reports_in([folder]), {})
    )
    thread = threading.Thread(target=made.run, daemon=True)
    thread.start()
    yield made
    made.close()
    thread.join(10)


def test_the_page_is_served_to_those_who_have_its_link(site, folder, tmp_path):
    _, _, host, secret, _ = site.link.split("/")

    def asked(target: str, method: str = "GET") -> tuple[int, str]:
        connection = HTTPConnection(host, timeout=10)
        connection.request(method, target)
        answer = connection.getresponse()
        body = answer.read().decode()
        connection.close()
        return answer.status, body

    status, page = asked(f"/{secret}/")
    assert status == 200
    assert "Results of 2 models on 2 machines" in page
    name = next(part for part in page.split('"') if part.endswith(".html") and "/" not in part)
    assert asked(f"/{secret}/{name}")[0] == 200
    for wrong in ("/", f"/{secret[:-1]}/", f"/{secret}/../3.json", f"/{secret}/3.json"):
        assert asked(wrong)[0] == 404, wrong
    assert asked(f"/{secret}/", "POST")[0] == 501
    write(folder, "new.json", 6, 900_000)
    assert "5 reports" in asked(f"/{secret}/")[1], "what is new is there at the next visit"
    again = ResultsSite(("127.0.0.1", 0), tmp_path / "kept", lambda: Shared([], {}))
    again.close()
    assert again.link.split("/")[3] == secret, "the link stays"
    with pytest.raises(BadInput, match="Could not serve at"):
        ResultsSite(("127.0.0.1", int(host.partition(":")[2])), folder, lambda: Shared([], {}))


@pytest.mark.slow
@pytest.mark.skipif(not PROGRAM, reason="no Chromium on this machine")
def test_a_reader_filters_by_machine_and_model_sorts_and_follows_links(folder, tmp_path):
    page = tmp_path / "team.html"
    output_of("history", "--from", folder, "--with-reports", "-o", page)
    rows = "[...document.querySelectorAll('#newest tbody tr')].filter(row => row.offsetHeight)"
    choose = (
        "{const list = document.querySelector('#newest .tools select:last-of-type');"
        "list.value = '=Pi 5'; list.dispatchEvent(new Event('change'))}"
    )
    with Browser(tmp_path / "home") as browser:
        browser.open(page)
        browser.settle()
        assert browser.run(f"{rows}.length") == 2
        browser.run(choose)
        assert browser.run(f"{rows}.map(row => row.cells[1].innerText)") == [EVIL]
        browser.run(choose.replace("=Pi 5", ""))
        browser.click("#newest th:nth-child(1) button")
        dates = browser.run(f"{rows}.map(row => row.cells[0].innerText)")
        assert dates == sorted(dates, reverse=True)
        browser.run("document.querySelector('#newest td a[href^=\"#\"]').click()")
        browser.settle()
        assert browser.run("!!document.querySelector(location.hash + ' svg')")
        target = browser.run("document.querySelector('#newest td a[href$=html]').href")
        assert browser.problems == []
    assert Path(unquote(urlparse(target).path)).is_file()

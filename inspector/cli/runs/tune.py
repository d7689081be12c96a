"""inspector tune: find the settings with the lowest latency, or another goal."""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace

from inspector.analysis.measured.tuning_results import chosen, leader_text
from inspector.app import subjects
from inspector.app.searches import Search, run_search
from inspector.app.tuner import Aim
from inspector.cli import model_request, other_machines, pages
from inspector.cli.options import option_types
from inspector.cli.progress import Progress
from inspector.errors import BadInput, InspectorError
from inspector.pages.blocks import Snippet
from inspector.pages.tuning import tuning_page
from inspector.render import code_languages
from inspector.report import tuning as tunings
from inspector.report.run_spec import Dimension, RunSpec
from inspector.report.settings import Goal
from inspector.report.sweep import MAX_WAIT_SECONDS
from inspector.report.tuning import Tuning


def run(options: argparse.Namespace) -> None:
    """Search. Raises InspectorError: the model cannot be measured at all."""
    free = tuple(Dimension(name, size) for name, size in options.dimensions)
    axis, batches = options.batch or ("", ())
    goal = Goal(options.goal)
    if batches and goal is not Goal.THROUGHPUT:
        why = "a larger batch only makes a run longer"
        raise BadInput("Could not try batches", why, "Add `--for throughput`.")
    aim = Aim(goal, options.p95_under * 1e6, axis)
    _, *others = dict.fromkeys(filter(None, options.device.split(",")))
    search = Search(options.time, aim, tuple(others), batches, tuple(options.try_option))
    first = options.device.split(",")[0]
    spec = RunSpec(
        devices=(first,),
        dimensions=free,
        cast=options.cast,
        custom_ops=tuple(options.custom_ops),
        profiled_runs=0,
        steady=MAX_WAIT_SECONDS,
    )
    (subject,) = subjects.subjects([options.model], spec=spec)
    given = model_request.parsed_values(options.inputs, subject.model)
    subject = subject.with_given(given)
    limits = option_types.job_limits(options)
    other_machines.confirm_uploads(options, [subject.path])
    with (
        Progress(sys.stderr) as progress,
        other_machines.engine(options, progress.show, limits) as engine,
    ):
        done, error = _followed(run_search(engine, subject, search), options, progress)
    if done is None:
        assert error is not None, "a search tells at least its begin"
        raise error
    if options.json:
        sys.stdout.write(tunings.to_json(done).decode())
    else:
        _show(done, options)
    if error is not None:
        raise error


def _followed(
    steps: Iterator[Tuning], options: argparse.Namespace, progress: Progress
) -> tuple[Tuning | None, BaseException | None]:
    """Print each step; return the last state and the error that ended the search early, if any.

    The state is None where nothing was measured before the end.
    """
    done, shown = None, ""
    try:
        for done in steps:
            progress.about = f"{done.done:.0%} · {done.step}"
            if done.step and done.step == shown and not options.json:
                progress.clear()
                _tell_step(done)
            shown = done.step
    except (KeyboardInterrupt, InspectorError) as error:
        if done is None or not done.trials:
            return None, error
        why = error.what if isinstance(error, InspectorError) else "Stopped"
        return replace(done, ended=f"The search ended early: {why}."), error
    return done, None


def _tell_step(now: Tuning) -> None:
    left = f"about {now.seconds_left:.0f} s left" if now.seconds_left else "time is up"
    line = f"[{now.done:4.0%}] {now.step}; best so far: {leader_text(now)}; {left}"
    print(line, file=sys.stderr, flush=True)


def _show(done: Tuning, options: argparse.Namespace) -> None:
    language = code_languages.language(options.code)
    code = language.session_code(chosen(done), options.model.name)
    print(file=sys.stderr)
    pages.show(tuning_page(done, Snippet(code, options.code)), options.details)

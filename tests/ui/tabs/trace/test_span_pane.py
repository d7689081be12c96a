from inspector.trace.trace import Kind, Lane, Trace, Track
from inspector.trace.trace_builder import TraceBuilder
from inspector.ui.tabs.trace.span_pane import predictions


def called(**times: int) -> Trace:
    build = TraceBuilder()
    run = 0
    for model, count in times.items():
        track = Track(Lane.ACTIVITY, model, "", "activity", model=model)
        for _ in range(count):
            build.add(track, "run", run * 100, 50, Kind.CALL, run=run)
            run += 1
    return build.trace()


def test_predictions_of_several_models_are_told_apart():
    assert predictions(called(a=42)) == (("Runs", "42"),)
    found = predictions(called(a=42, b=40))
    assert found == (("Runs", "82 across 2 models"), ("Runs of a", "42"), ("Runs of b", "40"))
    assert predictions(TraceBuilder().trace()) == ()

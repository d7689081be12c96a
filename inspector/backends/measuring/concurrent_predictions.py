"""Many predictions at once in one session: latency against load. Runs in the engine process."""

from collections.abc import Callable
from threading import Barrier, Thread
from time import perf_counter_ns

from inspector.errors import BadInput
from inspector.report.report import Throughput
from inspector.report.run_spec import RunSpec

MOST_AT_ONCE = 256
MOST_SAMPLES = 1_000_000
LEAST_SECONDS = 0.25  # until the load is steady
Run = Callable[[], object]
Tell = Callable[[str, float, tuple[int, ...]], None]


def throughput(prepare: Callable[[], Run], spec: RunSpec, tell: Tell) -> tuple[Throughput, ...]:
    """Predict with each number of `spec.concurrency` at once, each as long as `spec` asks.

    prepare: returns what predicts once; each thread has its own. Raises BadInput: a number that
    is none. Whatever the runtime raises in a thread.
    """
    for number in spec.concurrency:
        if not 1 <= number <= MOST_AT_ONCE:
            what = f"Could not measure {number} concurrent runs"
            raise BadInput(what, f"the number must be from 1 to {MOST_AT_ONCE}")
    results = []
    for place, number in enumerate(spec.concurrency):
        tell("throughput", place / len(spec.concurrency), ())
        runs = [prepare() for _ in range(number)]
        for run in runs[: max(1, spec.warmup)]:
            run()
        results.append(run_concurrently(runs, spec.runs, max(LEAST_SECONDS, spec.seconds)))
    return tuple(results)


def run_concurrently(runs: list[Run], least: int, seconds: float) -> Throughput:
    """Call each in a thread of its own until `least` calls and `seconds` are over in all."""
    done: list[list[tuple[int, int]]] = [[] for _ in runs]
    failures: list[Exception] = []
    barrier = Barrier(len(runs))
    share = -(-least // len(runs))
    most = MOST_SAMPLES // len(runs)

    def work(run: Run, calls: list[tuple[int, int]]) -> None:
        barrier.wait()
        until = perf_counter_ns() + int(seconds * 1e9)
        try:
            while len(calls) < most and not failures:
                began = perf_counter_ns()
                if len(calls) >= share and began >= until:
                    break
                run()
                calls.append((began, perf_counter_ns()))
        except Exception as error:  # noqa: BLE001 - all of it is raised below, there
            failures.append(error)

    threads = [
        Thread(target=work, args=pair, daemon=True) for pair in zip(runs, done, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    spans = [span for spans_of_thread in done for span in spans_of_thread]
    elapsed = max(end for _, end in spans) - min(begin for begin, _ in spans)
    return Throughput(len(runs), elapsed, tuple(end - begin for begin, end in spans))

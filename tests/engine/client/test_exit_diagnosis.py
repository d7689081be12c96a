import pytest

from inspector.engine.client.supervision import diagnose_exit, last_log_line

FAULT_HANDLER = """\x1b[0;93m2026-11-20 [E:onnxruntime:Default] Something broke\x1b[m
Fatal Python error: Segmentation fault

Current thread 0x00007f (most recent call first):
  File "/home/me/predict.py", line 3 in run
  File "/home/me/service.py", line 9 in serve

Extension modules: numpy._core (total: 1)
"""


@pytest.mark.parametrize(
    ("code", "log", "why"),
    [
        (-11, "", "the runtime crashed (SIGSEGV)"),
        (-8, "", "the runtime crashed (SIGFPE)"),
        (
            -9,
            "",
            "the engine process was killed (SIGKILL), possibly by the system because it ran "
            "out of memory",
        ),
        (-6, "terminate: std::bad_alloc", "the engine process ran out of memory"),
        (
            -11,
            "[E:onnxruntime] Failed to allocate memory",
            "the engine process ran out of memory",
        ),
        (0xC0000005, "", "the runtime crashed (an access violation)"),
        (3, "", "the engine process exited without a result (exit code 3)"),
        (0, "", "the engine process exited without a result (exit code 0)"),
        (None, "", "the engine process failed: it sent nonsense"),
    ],
)
def test_every_ending_has_words(code, log, why):
    assert diagnose_exit(code, log, "it sent nonsense")[0] == why


def test_a_kill_for_memory_is_told_from_any_other():
    assert (
        diagnose_exit(-9, "", "", True)[0]
        == "the system killed the engine process because it ran out of memory"
    )
    other = diagnose_exit(-9, "", "", False)
    assert (
        other[0]
        == "another program killed the engine process (SIGKILL); memory was not exhausted"
    )
    assert "memory" not in other[1]


def test_a_crash_has_a_hint():
    assert "another device" in diagnose_exit(-11, "", "")[1]


def test_a_missing_library_of_windows_is_named_with_where_to_get_it():
    log = "ImportError: DLL load failed while importing onnx_state: Module not found."
    why, hint = diagnose_exit(1, log, "")
    assert why == f"a library that the runtime needs is missing; its last output: {log}"
    assert "Visual C++ Redistributable" in hint
    assert diagnose_exit(1, log, "", engine_id="openvino") == (why, hint)


def test_a_damaged_environment_is_installed_again():
    log = "ModuleNotFoundError: No module named 'openvino'"
    assert diagnose_exit(1, log, "", engine_id="openvino")[1].endswith("--install openvino")
    assert "another device" in diagnose_exit(1, log, "")[1]


def test_the_last_words_are_what_came_before_the_trace():
    assert last_log_line(FAULT_HANDLER) == "2026-11-20 [E:onnxruntime:Default] Something broke"
    assert "Something broke" in diagnose_exit(-11, FAULT_HANDLER, "")[0]


def test_an_exceptions_last_words_are_its_message():
    trace = 'Traceback (most recent call last):\n  File "x.py", line 1, in f\n    1/0\n'
    log = trace + "ValueError: no"
    assert last_log_line(log) == "ValueError: no"


def test_nothing_said_is_nothing_added():
    assert last_log_line("\n \n") == ""

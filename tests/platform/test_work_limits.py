"""Time limits that count a process's work, with real processes on one core."""

import os
import subprocess
import sys
import time

import pytest

from inspector.platform.work_limits import Allowance, Limits

SPIN = "\nwhile True: pass"
# Beside a first thread that waits for it, and lets all others go first.
BESIDE = """
import threading
def spin():
    os.nice(19)
    print("begun", flush=True)
    while True: pass
threading.Thread(target=spin).start()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="binds processes to a core")
def test_waiting_for_a_core_costs_no_allowance():
    (core, *_) = os.sched_getaffinity(0)
    begin = f"import os; os.sched_setaffinity(0, [{core}])\n"
    last = subprocess.Popen([sys.executable, "-c", begin + BESIDE], stdout=subprocess.PIPE)
    assert last.stdout is not None
    last.stdout.readline()
    others = [subprocess.Popen([sys.executable, "-c", begin + SPIN]) for _ in range(3)]
    try:
        time.sleep(0.5)
        allowance = Allowance(0.5)
        for _ in range(6):
            allowance.update(last.pid)
            time.sleep(0.2)
        assert allowance.passed > 0.9
        assert allowance.spent < allowance.passed / 2
        assert not allowance.exceeded
    finally:
        for process in (*others, last):
            process.kill()
            process.communicate()


def test_sleep_and_work_cost_allowance():
    for code in ("import time; time.sleep(60)", SPIN):
        process = subprocess.Popen([sys.executable, "-c", code])
        try:
            allowance = Allowance(0.3)
            for _ in range(200):
                allowance.update(process.pid)
                if allowance.exceeded:
                    break
                time.sleep(0.1)
            assert allowance.exceeded
        finally:
            process.kill()
            process.wait()


def test_a_limit_that_the_user_set_is_one_of_the_clock():
    allowance = Allowance(0.05, wall=True)
    allowance.update(os.getpid())
    time.sleep(0.1)
    allowance.update(os.getpid())
    assert allowance.exceeded
    assert allowance.text == "it took longer than the 0.05 s allowed"


def test_a_limit_by_the_clock_holds_beside_one_of_work():
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        allowance = Allowance(60.0, clock_seconds=0.3)
        allowance.update(process.pid)
        assert not allowance.exceeded
        time.sleep(0.4)
        allowance.update(process.pid)
        assert allowance.exceeded
        assert allowance.text == "it took longer than the 0.3 s allowed"
    finally:
        process.kill()
        process.wait()


def test_work_that_nobody_asked_for_also_ends_by_the_clock():
    allowance = Limits().allowance(60, clock_seconds=0.05)
    allowance.update(os.getpid())
    time.sleep(0.1)
    allowance.update(os.getpid())
    assert allowance.exceeded
    assert not allowance.by_user
    assert allowance.text == "it took longer than 0.05 s"


def test_of_two_limits_of_the_clock_the_shorter_one_counts():
    of_user = Limits(job_seconds=0.05).allowance(60, clock_seconds=30)
    of_user.update(os.getpid())
    time.sleep(0.1)
    of_user.update(os.getpid())
    assert of_user.exceeded
    assert of_user.by_user
    assert of_user.text == "it took longer than the 0.05 s allowed"

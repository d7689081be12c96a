import os
import threading
from time import monotonic

from inspector.sandbox.decoding.decoder_process import Watch


def test_what_takes_too_long_is_ended_and_told_to_be_late():
    watch, ended = Watch(0.05), threading.Event()
    watch.begin(ended.set, os.getpid())
    assert ended.wait(60)
    assert watch.ended()


def test_what_ends_in_time_is_left_alone():
    watch, ended = Watch(0.5), threading.Event()
    watch.begin(ended.set, os.getpid())
    assert not watch.ended()
    assert not ended.wait(0.7)


def test_a_later_question_has_all_its_time_though_the_thread_sleeps_for_an_earlier_one():
    watch, first, second = Watch(0.06), threading.Event(), threading.Event()
    watch.begin(first.set, os.getpid())
    watch.ended()
    assert not first.wait(0.03)
    began = monotonic()
    watch.begin(second.set, os.getpid())
    assert second.wait(60)
    assert monotonic() - began >= 0.055
    assert watch.ended()
    assert not first.is_set()


def test_many_questions_share_one_thread():
    watch = Watch(30)
    before = threading.active_count()
    for _ in range(50):
        watch.begin(lambda: None, os.getpid())
        assert not watch.ended()
    assert threading.active_count() <= before + 1

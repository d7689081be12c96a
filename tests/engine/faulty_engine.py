"""An engine program that goes wrong on purpose, once. Not a test, and none of our modules.

    python faulty_engine.py PHASE FAULT MARK

It speaks the protocol by its own hand. As long as the file MARK exists it fails in PHASE in
the manner of FAULT. It removes MARK first, so that the next start works, and writes into
MARK.pid who it is and into MARK.when what the time was.
"""

import ctypes
import json
import os
import signal
import struct
import sys
import threading
import time
from pathlib import Path

phase_to_fail, fault, mark = sys.argv[1], sys.argv[2], Path(sys.argv[3])
told, answers = os.dup(0), os.dup(1)
os.dup2(2, 1)


def send_raw(body):
    while body:
        body = body[os.write(answers, body) :]


def send_frame(body):
    send_raw(struct.pack("<I", len(body)) + body)


def send(**message):
    send_frame(json.dumps(message).encode())


def receive():
    head = os.read(told, 4)
    if len(head) < 4:
        sys.exit(0)
    (rest,) = struct.unpack("<I", head)
    body = b""
    while len(body) < rest:
        body += os.read(told, rest - len(body))
    return json.loads(body)


def phase_name():
    return "start" if phase_to_fail == "ready" else phase_to_fail


def sleep():
    while True:
        time.sleep(60)


def spin():
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))
    while True:
        pass


def flood():
    while True:
        send(type="Step", step=phase_name(), done=0.5, samples_ns=[1_000_000] * 10_000)


def chatter():
    while True:
        send(type="Step", step=phase_name(), done=0.5)


def words_and_abort(words):
    os.write(2, words.encode() + b"\n")
    os.abort()


def outlived():
    """End while another process still holds the pipe, as a driver's daemon might."""
    if os.fork() == 0:
        time.sleep(1.5)
        os._exit(0)
    os._exit(3)


def half_gone():
    """End the first thread alone, as for a moment in a killed process with many threads."""
    threading.Thread(target=lambda: (time.sleep(1), os._exit(9)), daemon=True).start()
    ctypes.CDLL(None).syscall(93 if os.uname().machine == "aarch64" else 60, 0)


FAULTS = {
    "half_gone": half_gone,
    "killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "segfault": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "abort": lambda: words_and_abort("terminate called without an active exception"),
    "division": lambda: os.kill(os.getpid(), signal.SIGFPE),
    "bad_alloc": lambda: words_and_abort("terminate called: std::bad_alloc"),
    "memory_error": lambda: bytearray(1 << 60),
    "exception": lambda: 1 // 0,
    "left": lambda: os._exit(0),
    "left_3": lambda: os._exit(3),
    "garbage": lambda: (send_raw(bytes(range(60, 124))), sleep()),
    "endless_length": lambda: (send_raw(struct.pack("<I", 0xFFFFFFF0) + b"x"), sleep()),
    "half": lambda: (send_raw(struct.pack("<I", 100) + b'{"type":'), os._exit(0)),
    "half_and_silent": lambda: (send_raw(struct.pack("<I", 100) + b'{"type":'), sleep()),
    "no_json": lambda: (send_frame(b"hello"), sleep()),
    "not_utf8": lambda: (send_frame(b'{"type":"Step","step":"\xff","done":0}'), sleep()),
    "nested": lambda: (send_frame(b'{"type":"Step","x":' + b"[" * 100_000), sleep()),
    "unknown_message": lambda: (send(type="Party", time="8 pm"), sleep()),
    "wrong_answer": lambda: (send(type="Answered", body={"inline": []}), sleep()),
    "closed": lambda: (os.close(answers), sleep()),
    "flood": flood,
    "chatter": chatter,
    "deaf": sleep,
    "busy": spin,
    "outlived": outlived,
}


def reach(phase):
    if phase == phase_to_fail and mark.exists():
        mark.unlink()
        mark.with_suffix(".pid").write_text(str(os.getpid()))
        mark.with_suffix(".when").write_text(repr(time.time()))
        FAULTS[fault]()


receive()
reach("start")
send(type="Ready", confinement="none")
while True:
    job = receive()
    reach("ready")
    for phase in ("load", "prediction", "answer"):
        send(type="Step", step=phase, done=-1)
        reach(phase)
    if job["request"] == "Measure":
        send(type="Answered", body={"file": "report.json"})
    else:
        answer = {"outputs": [], "devices": ["cpu"], "prediction_ns": 1, "load_ns": 1}
        send(type="Answered", body={"inline": {"prediction": answer, "outputs": []}})
    reach("idle")

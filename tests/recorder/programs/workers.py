"""Workers that predict, and end in the way that is asked for.

pool: as the last lines of a pool end them; daemon: at the end of the program; executor: by
themselves; fault: by a fault of their own, which the program outlives; popen: by `terminate`;
broken: one by a fault, upon which the program ends all of them; stay: by nobody.
"""

import ctypes
import multiprocessing  # noqa: TID251 - it is what many programs do
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import wait  # noqa: TID251

import numpy as np
import onnxruntime

HOW, START, MODEL = sys.argv[1:4]


def predict(count: int) -> int:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(MODEL, options)
    for _ in range(count):
        session.run(None, {"picture": np.zeros((1, 1, 8, 8), np.float32)})
    return count


def fault(_: int) -> None:
    """Predict, then read where nothing is."""
    predict(3)
    signal.signal(signal.SIGSEGV, signal.SIG_DFL)
    ctypes.string_at(0)


def stay(told: object) -> None:
    """Predict, say so, and wait for the end."""
    predict(3)
    told.set()
    time.sleep(60)


def linger(_: int) -> None:
    predict(3)
    time.sleep(60)


def main() -> None:
    multiprocessing.set_start_method(START)
    if HOW == "pool":
        with multiprocessing.Pool(2) as pool:
            pool.map(predict, [3] * 4)
    elif HOW == "executor":
        with ProcessPoolExecutor(2) as executor:
            list(executor.map(predict, [3] * 4))
    elif HOW == "stay":
        with multiprocessing.Pool(2) as pool:
            pool.map(linger, range(2))
    elif HOW == "daemon":
        told = multiprocessing.Event()
        multiprocessing.Process(target=stay, args=(told,), daemon=True).start()
        told.wait(60)
    elif HOW == "broken":
        told = multiprocessing.Event()
        workers = [multiprocessing.Process(target=stay, args=(told,))]
        workers.append(multiprocessing.Process(target=fault, args=(0,)))
        workers[0].start()
        told.wait(60)
        workers[1].start()
        wait([workers[1].sentinel])
        for worker in workers:  # as an executor does
            worker.terminate()
    elif HOW == "fault":
        worker = multiprocessing.Process(target=fault, args=(0,))
        worker.start()
        worker.join()
    elif HOW == "popen":
        child = [sys.executable, __file__, "wait", START, MODEL]
        with subprocess.Popen(child, stdout=subprocess.PIPE) as running:
            running.stdout.readline()
            running.terminate()
    else:
        predict(3)
        os.write(1, b"ready\n")
        time.sleep(60)


if __name__ == "__main__":
    main()

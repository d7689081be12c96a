"""Estimated memory of decoders beside the measured peak: python -m benchmarks.language_memory

For decoders with float32, float16 and int4 weights or caches, three contexts each and one
batch, a bare loop of ONNX Runtime in a process of its own fills the cache: prompts in pieces,
then single tokens. Prints estimate, peak (RSS) and the difference. Status 1 where one is more
than `MOST_ERROR` off. Folders of onnxruntime-genai can be named in place of those it makes.
Linux only: it reads /proc.
"""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from inspector.analysis.language.memory import PIECE, needs_of
from inspector.formats.opening import open_model
from inspector.units import size
from sample_models.making.decoder import DecoderSize, Form
from tests.language_folders import genai_folder

TINY = DecoderSize()
LARGE = DecoderSize(512, 8, 8, 4, 1408, 8_000, 4_096)  # 128 MB as float32
FORMS = {"float32": Form(), "float16 cache": Form(cache="float16"), "int4": Form("int4")}
CONTEXTS = (512, 2_048, 4_096)  # as far as a model has positions
BATCH = 4
BATCH_CONTEXT = PIECE + 8  # no more than one piece and some tokens: then the cache is full
MOST_ERROR = 0.10
SECONDS = 600

# A process that does nothing but this. Its arguments: model, context, batch, tokens at once.
# Caches are filled with zeros, so that all of their memory is in use, as GenAI does it.
LOOP = """
import os, sys
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
import numpy as np, onnxruntime
path, context, batch, piece = sys.argv[1], *map(int, sys.argv[2:])
options = onnxruntime.SessionOptions()
options.intra_op_num_threads, options.log_severity_level = 2, 3
session = onnxruntime.InferenceSession(path, options, ["CPUExecutionProvider"])
open("/proc/self/clear_refs", "w").write("5")  # the peak from here on, not that of loading
binding, caches = session.io_binding(), {}
for value in session.get_inputs():
    if "past" in value.name:
        shape = [batch, value.shape[1], context, value.shape[3]]
        array = np.empty(shape, np.float16 if "16" in value.type else np.float32)
        array.fill(0)
        name = value.name.replace("past_key_values", "present")
        caches[value.name, name] = onnxruntime.OrtValue.ortvalue_from_numpy(array)
vocabulary = session.get_outputs()[0].shape[2]
ids = np.random.default_rng(0).integers(0, vocabulary, (batch, context))
def feed(part, total):
    binding.clear_binding_inputs()
    binding.clear_binding_outputs()
    binding.bind_cpu_input("input_ids", np.ascontiguousarray(part))
    binding.bind_cpu_input("attention_mask", np.ones((batch, total), np.int64))
    binding.bind_output("logits", "cpu")
    for (past, present), cache in caches.items():
        binding.bind_ortvalue_input(past, cache)
        binding.bind_ortvalue_output(present, cache)
    session.run_with_iobinding(binding)
prompt = context - 4 if batch == 1 else piece
for begin in range(0, prompt, piece):
    end = min(begin + piece, prompt)
    feed(ids[:, begin:end], end)
for place in range(prompt, context):
    feed(ids[:, place : place + 1], place + 1)
lines = open("/proc/self/status").read().splitlines()
print(next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")))
"""


def main() -> None:
    """Compare all cases."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    named = parser.parse_args().folders
    with TemporaryDirectory() as made:
        folders = {folder.name: folder for folder in named} or _made(Path(made))
        errors = [error for name, folder in folders.items() for error in _errors(name, folder)]
    worst = max(errors, key=abs)
    print(f"{len(errors)} cases, worst {worst:+.1%}, limit {MOST_ERROR:.0%}")
    sys.exit(int(abs(worst) > MOST_ERROR))


def _made(folder: Path) -> dict[str, Path]:
    sizes = {"tiny": TINY, "large": LARGE}
    return {
        f"{size}, {form}": genai_folder(folder / f"{size} {form}", FORMS[form], sizes[size])
        for size in sizes
        for form in FORMS
    }


def _errors(name: str, folder: Path) -> Sequence[float]:
    path = folder / "model.onnx"
    needs = needs_of(open_model(path))
    assert needs is not None, folder
    limit = needs.context_limit or TINY.context
    cases = [(context, 1) for context in CONTEXTS if context <= limit]
    cases.append((min(BATCH_CONTEXT, limit), BATCH))
    errors = []
    for context, batch in cases:
        estimate = needs.estimate(context, batch).total_bytes
        measured = _peak_bytes(path, context, batch)
        errors.append(estimate / measured - 1)
        print(
            f"{name}: {context:,} tokens, batch {batch}: estimate {size(estimate)}, "
            f"measured {size(measured)}, {errors[-1]:+.1%}"
        )
    return errors


def _peak_bytes(path: Path, context: int, batch: int) -> int:
    arguments = [str(path), str(context), str(batch), str(min(PIECE, context - 8))]
    command = [sys.executable, "-c", LOOP, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=SECONDS)
    return int(done.stdout)


if __name__ == "__main__":
    main()

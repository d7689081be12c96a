"""Programs that answer as `adb` and as the benchmark programs on a phone do.

The phone's folder is one here; `onnxruntime_perf_test` runs the model with ONNX Runtime and
writes the files that the real one writes.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

_ADB = """#!/bin/sh
root={root}
there() {{ echo "$1" | sed -e "s#/data/local/tmp#$root#g" -e "s#/sys/devices/system#$root#g" \
  -e "s#/proc/meminfo#$root/meminfo#g"; }}
[ "$2" = PHONE1 ] || {{ echo "error: device '$2' not found" >&2; exit 1; }}
echo "$3 $4" >> $root/adb.log
case "$3" in
push) cp "$4" "$(there "$5")" ;;
pull) cp "$(there "$4")" "$5" || {{ echo "adb: error: failed to stat '$4'" >&2; exit 1; }} ;;
shell) PATH={tools}:$PATH; export PATH; exec sh -c "$(there "$4")" ;;
esac
"""
_GETPROP = """#!/bin/sh
case "$1" in
ro.product.manufacturer) echo Acme ;;
ro.product.model) echo Phone 5 ;;
ro.soc.model) echo SC9000 ;;
ro.build.version.release) echo 15 ;;
ro.product.cpu.abi) echo arm64-v8a ;;
esac
"""
_DUMPSYS = """#!/bin/sh
case "$1" in
thermalservice) echo "IsStatusOverride: false"; echo "Thermal Status: 1" ;;
battery) echo "  level: 80"; echo "  temperature: 284" ;;
esac
"""
_PERF_TEST = """#!{python}
import sys, time
import numpy as np
import onnxruntime
words, given, plain = sys.argv[1:], {{}}, []
while words:
    word = words.pop(0)
    if word in ("-I", "-P", "-A", "-M"):
        given[word] = ""
    elif word.startswith("-"):
        given[word] = words.pop(0)
    else:
        plain.append(word)
if given["-e"] not in ("cpu",):
    print(given["-e"].upper() + " is not supported in this build")
    sys.exit(255)
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = int(given.get("-x", 0))
if "-p" in given:
    options.enable_profiling, options.profile_file_prefix = True, given["-p"]
if "-u" in given:
    options.optimized_model_filepath = given["-u"]
for entry in given.get("-C", "").split():
    options.add_session_config_entry(*entry.split("|"))
begun = time.perf_counter()
session = onnxruntime.InferenceSession(plain[0], options)
print("Session creation time cost:", time.perf_counter() - begun, "s")
types = {{"tensor(float)": np.float32}}
feeds = {{
    each.name: np.ones([x if isinstance(x, int) else 1 for x in each.shape], types[each.type])
    for each in session.get_inputs()
}}
print("First inference time cost: 3 ms")
spent = []
for run in range(int(given["-r"]) + 1):
    begun = time.perf_counter_ns()
    session.run(None, feeds)
    spent.append(time.perf_counter_ns() - begun)
if "-p" in given:
    session.end_profiling()
if len(plain) > 1:
    with open(plain[1], "a") as written:
        for run, ns in enumerate(spent[1:]):
            written.write(f"a, name,{{ns}},123456789,97,{{run}}\\n")
print("Peak working set size: 123456789 bytes")
"""
_BENCHMARK_MODEL = """#!/bin/sh
cat <<'END'
INFO: STARTING!
INFO: Initialized session in 5.6ms.
INFO: count=1 curr=14600
{timings}
INFO: Memory footprint delta from the start of the tool (MB): init=3.2 overall=7.5
END
case "$*" in *enable_op_profiling*) cat <<'END'
Profiling Info for Benchmark Initialization:
============================== Run Order ==============================
\t{columns}
\t{loading}
Operator-wise Profiling Info for Regular Benchmark Runs:
============================== Run Order ==============================
\t{columns}
{rows}
============================== Top by Computation Time ==============================
END
esac
"""

_TIMINGS = (
    "INFO: Inference timings in us: Init: 5685, First inference: 18535, "
    "Warmup (avg): 14462.3, Inference (avg): 1460.5"
)
_COLUMNS = "\t".join(
    f"[{name}]"
    for name in ("node type", "first", "avg ms", "%", "cdf%", "mem KB", "times called", "Name")
)
_LOADING = "\t".join(
    ("AllocateTensors", "0.064", "0.064", "100%", "100%", "132", "1", "AllocateTensors/0")
)


def benchmark_model(rows: Sequence[tuple[str, float, str]]) -> str:
    """Return the program, with a table of operators: type, milliseconds and name."""
    cells = [f"\t  {a}\t 1.0\t {ms}\t 50%\t 50%\t 0.0\t 1\t{n}" for a, ms, n in rows]
    texts = {"timings": _TIMINGS, "columns": _COLUMNS, "loading": _LOADING}
    texts |= {"rows": "\n".join(cells)}
    text = _BENCHMARK_MODEL
    for name, value in texts.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def install(folder: Path, rows: Sequence[tuple[str, float, str]] = ()) -> tuple[Path, Path]:
    """Write the programs; returns the folder of `adb` and that of the phone's programs.

    rows: as for `benchmark_model`.
    """
    phone, tools, bin_, programs = (folder / n for n in ("phone", "tools", "bin", "android"))
    for made in (phone, tools, bin_, programs):
        made.mkdir()
    for core in range(2):
        clock = phone / "cpu" / f"cpu{core}" / "cpufreq"
        clock.mkdir(parents=True)
        (clock / "scaling_cur_freq").write_text("1200000\n")
        (clock / "scaling_max_freq").write_text("2400000\n")
        (clock / "scaling_governor").write_text("schedutil\n")
    (phone / "meminfo").write_text("MemTotal:        7812345 kB\n")
    values = {"python": sys.executable, "root": str(phone), "tools": str(tools)}
    texts = {
        bin_ / "adb": _ADB.format(**values),
        tools / "getprop": _GETPROP,
        tools / "dumpsys": _DUMPSYS,
        programs / "onnxruntime_perf_test": _PERF_TEST.format(**values),
        programs / "android_aarch64_benchmark_model": benchmark_model(rows),
    }
    for path, text in texts.items():
        path.write_text(text)
        path.chmod(0o755)
    (programs / "libonnxruntime.so").write_bytes(b"a library")
    return bin_, programs

#!/bin/sh
# Builds a frozen program, which needs no Python, in out/bundle/dist/inspector, and tries it:
# it has to open, predict, measure, decode and record. About five minutes and 350 MB.
set -eu
python="${PYTHON:-python3}"
root="$(cd "$(dirname "$0")/.." && pwd)"
place="$root/out/bundle"
mkdir -p "$place/try"
[ -d "$place/env" ] || "$python" -m venv "$place/env"
bin="$place/env/bin"
[ -d "$bin" ] || bin="$place/env/Scripts"  # on Windows, where Git's shell runs this
# From a wheel, since only an installed package has its resources inside.
"$bin/python" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps "$root"
"$bin/python" -m pip install --quiet --disable-pip-version-check "$root[text,sound]" "pyinstaller>=6,<7"
printf 'import sys\nfrom inspector.__main__ import main\nsys.exit(main())\n' >"$place/entry.py"
(cd "$place" && "$bin/python" -m PyInstaller --noconfirm --log-level WARN --name inspector \
  --collect-all inspector --copy-metadata onnx-inspector --copy-metadata onnxruntime \
  --collect-binaries onnxruntime --exclude-module tkinter entry.py)

program="$place/dist/inspector/inspector"
cd "$place/try"
rm -rf ./*
"$program" sample digits_float32.onnx -o . >/dev/null
"$program" info digits_float32.onnx >/dev/null
"$program" predict digits_float32.onnx --input picture=inputs/digit_3.png | grep -q "digit_3.png"
"$program" measure digits_float32.onnx --runs 20 -o report.json >/dev/null
"$program" export report.json --format pdf -o report.pdf >/dev/null
# A language model, whose tokenizer needs an extra.
"$program" chat sample:alice --prompt "Alice was" --max-tokens 8 >/dev/null
# Its own plugins, with their templates.
"$program" code digits_float32.onnx --language swift >/dev/null
if "$program" plugins --built-in | grep "not installed"; then exit 1; fi
cat >program.py <<'PROGRAM'
import numpy
import onnxruntime

session = onnxruntime.InferenceSession("digits_float32.onnx")
session.run(None, {"picture": numpy.zeros((1, 1, 8, 8), numpy.float32)})
PROGRAM
"$program" record -o calls.trace.json -- "$bin/python" program.py >/dev/null
echo "Works: $program ($(du -sh "$place/dist/inspector" | cut -f1))"

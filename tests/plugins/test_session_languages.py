"""Sessions in languages other than Python."""

import shutil
import subprocess
from typing import Any

import pytest

from inspector.render.code_languages import languages
from inspector.report.run_spec import RunSpec
from tests.render.test_session_code import EVERYTHING


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("C++", ("options.SetIntraOpNumThreads(2);", "options.DisableCpuMemArena();")),
        ("C#", ("options.IntraOpNumThreads = 2;", "options.EnableCpuMemArena = false;")),
    ],
)
def test_other_languages_set_the_same(language, lines):
    code = languages()[language].session_code(EVERYTHING, "net.onnx")
    for line in (*lines, "session.intra_op.allow_spinning", "ORT_ENABLE_BASIC", '"batch", 1'):
        assert line in code


def test_libraries_of_operators_are_named():
    spec = RunSpec(custom_ops=("/lib/ops.so",))
    assert "/lib/ops.so" in languages()["Swift"].session_code(spec, "m.onnx")


_HEADER = """
#define ORT_TSTR(x) x
enum Level { ORT_ENABLE_BASIC }; enum Mode { ORT_PARALLEL };
namespace Ort {
struct Env {};
struct SessionOptions {
  void SetGraphOptimizationLevel(Level); void SetIntraOpNumThreads(int);
  void SetExecutionMode(Mode); void SetInterOpNumThreads(int); void DisableCpuMemArena();
  void DisableMemPattern(); void AddConfigEntry(const char*, const char*);
  operator void*() const;
};
struct Api { void* AddFreeDimensionOverrideByName(void*, const char*, long long) const; };
const Api& GetApi(); void ThrowOnError(void*);
struct Session { Session(Env&, const char*, const SessionOptions&); };
}
"""


@pytest.mark.skipif(shutil.which("g++") is None, reason="no compiler")
def test_the_cpp_code_is_cpp(tmp_path):
    code: Any = languages()["C++"].session_code(EVERYTHING, "net.onnx")
    (tmp_path / "onnxruntime_cxx_api.h").write_text(_HEADER)
    head, body = code.split("\n\n", 1)
    (tmp_path / "main.cpp").write_text(f"{head}\nint main() {{\n{body}}}\n")
    command = ["g++", "-fsyntax-only", "-I.", "main.cpp"]
    subprocess.run(command, check=True, cwd=tmp_path)

"""Programs that generate text: Python's are run and say what the engine says, C++'s is C++."""

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from inspector.app.language.chat_model import open_chat
from inspector.formats.opening import open_model
from inspector.plugins.code.running import decoder_code
from inspector.render.code_languages import languages
from inspector.report.run_spec import RunSpec
from tests.command_line import errors_of, json_of, output_of
from tests.language_folders import (
    Form,
    genai_folder,
    optimum_folder,
    transformers_js_folder,
    write_tokenizer,
)

pytestmark = pytest.mark.engine
PROMPT = 'Where is\nthe "cat"?'
_CPP_HEADER = """
#include <cstdint>
#include <vector>
#define ORT_TSTR(text) text
enum GraphOptimizationLevel { ORT_DISABLE_ALL, ORT_ENABLE_ALL };
enum { OrtArenaAllocator, OrtMemTypeDefault };
namespace Ort {
struct Float16_t { uint16_t value; float ToFloat() const { return value; } };
struct Env {};
struct SessionOptions { void SetIntraOpNumThreads(int) {} };
struct MemoryInfo { static MemoryInfo CreateCpu(int, int) { return {}; } };
struct Shape { std::vector<int64_t> GetShape() const { return {1, 1, 1}; } };
struct Value {
    template <typename T>
    static Value CreateTensor(const MemoryInfo&, T*, size_t, const int64_t*, size_t) {
        return {};
    }
    Shape GetTensorTypeAndShapeInfo() const { return {}; }
    template <typename T> const T* GetTensorData() const { return nullptr; }
    Value() = default;
    Value(Value&&) = default;
    Value& operator=(Value&&) = default;
};
struct RunOptions { RunOptions(std::nullptr_t) {} };
struct Session {
    Session(Env&, const char*, SessionOptions&) {}
    std::vector<Value> Run(RunOptions, const char* const*, Value*, size_t,
                           const char* const*, size_t) { return {}; }
};
}
"""


def printed(folder: Path, program: str) -> str:
    """What a Python program prints for the prompt, started in the folder of the model."""
    command = [sys.executable, "-X", "utf8", "-c", program, PROMPT]
    run = subprocess.run(command, cwd=folder, capture_output=True, check=True)
    return run.stdout.decode("utf-8").strip()


def tokens_of(folder: Path, program: str) -> list[int]:
    """The tokens that a program chooses; random weights write bytes that are no characters."""
    assert "print(tokenizer.decode(answer))" in program
    with_ids = program.replace("print(tokenizer.decode(answer))", "print(*answer)")
    return list(map(int, printed(folder, with_ids).split()))


def in_chat(folder: Path) -> tuple[list[int], str]:
    """The tokens of the answer in a chat, and its text."""
    found = json_of("chat", folder, "--prompt", PROMPT, "--max-tokens", "128")["answers"][0]
    return [token["id"] for token in found["tokens"]], found["text"]


@pytest.mark.parametrize("layout", ["genai", "float16 cache", "two graphs", "merged"])
def test_the_python_program_says_what_the_chat_says(tmp_path, layout):
    if layout == "two graphs":
        folder = optimum_folder(tmp_path / "model")
    elif layout == "merged":
        folder = optimum_folder(tmp_path / "model", as_one=True)
    else:
        form = Form(cache="float16") if layout == "float16 cache" else Form()
        folder = genai_folder(tmp_path / "model", form)
    assert tokens_of(folder, output_of("code", folder)) == in_chat(folder)[0]


def test_a_variant_in_a_folder_below_and_a_model_without_a_template(tmp_path):
    folder = transformers_js_folder(tmp_path / "model")
    shutil.copy(folder / "tokenizer.json", folder / "onnx")
    program = output_of("code", folder / "onnx" / "model_q4.onnx")
    assert '"model_q4.onnx"' in program
    chosen, _ = in_chat(folder / "onnx" / "model_q4.onnx")
    assert tokens_of(folder / "onnx", program) == chosen
    plain = genai_folder(tmp_path / "plain")
    write_tokenizer(plain, template="")
    program = output_of("code", plain)
    assert "prompt = sys.argv[1]" in program
    assert tokens_of(plain, program) == in_chat(plain)[0]


def test_the_program_for_genai_says_the_same(samples):
    pytest.importorskip("onnxruntime_genai")
    folder = samples / "alice"
    program = output_of("code", folder, "--device", "genai:cpu")
    assert printed(folder, program) == in_chat(folder)[1]
    shown = errors_of("code", folder, "--device", "genai:cpu", "--language", "cpp")
    assert "Python" in shown


@pytest.mark.skipif(shutil.which("g++") is None, reason="no compiler")
@pytest.mark.parametrize("form", [Form(), Form("float16", "float16")], ids=str)
def test_the_cpp_program_is_cpp(tmp_path, form):
    folder = genai_folder(tmp_path / "model", form)
    program = output_of("code", folder, "--language", "cpp", "--threads", "2")
    (tmp_path / "onnxruntime_cxx_api.h").write_text(_CPP_HEADER)
    (tmp_path / "main.cpp").write_text(program)
    command = ["g++", "-std=c++17", "-fsyntax-only", "-I.", "main.cpp"]
    subprocess.run(command, check=True, cwd=tmp_path)


@pytest.mark.parametrize("language", ["Python", "C++"])
def test_a_cache_of_a_rare_type_gets_the_code_of_a_graph(tmp_path, language):
    chat = open_chat(genai_folder(tmp_path / "model", Form(cache="float16")))
    model, chosen = open_model(Path(chat.path)), languages()[language]
    assert decoder_code(chosen, model, chat, RunSpec())
    rare = {
        side: tuple(
            replace(info, dtype="bfloat16") if info.dtype == "float16" else info
            for info in getattr(model, side)
        )
        for side in ("inputs", "outputs")
    }
    assert decoder_code(chosen, replace(model, **rare), chat, RunSpec()) is None


def test_a_decoder_without_a_tokenizer_gets_the_code_of_a_graph(tmp_path):
    folder = genai_folder(tmp_path / "model")
    for each in folder.glob("*.json"):
        each.unlink()
    assert "Tokenizer" not in output_of("code", folder / "model.onnx")

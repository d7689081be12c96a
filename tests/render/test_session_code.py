import subprocess

import pytest

from inspector.render.code_languages import languages
from inspector.report.run_spec import Dimension, RunSpec

LANGUAGES = tuple(languages())
EVERYTHING = RunSpec(
    optimization="basic", threads=2, execution_mode="parallel", inter_threads=3, spinning=False,
    arena=False, memory_pattern=False, dimensions=(Dimension("batch", 1),),
)  # fmt: skip
_RUN = """
import sys
{code}
told = session.get_session_options()
print(told.intra_op_num_threads, told.inter_op_num_threads, told.enable_cpu_mem_arena,
      told.enable_mem_pattern, told.execution_mode.name, told.graph_optimization_level.name,
      told.get_session_config_entry("session.intra_op.allow_spinning"))
"""


def test_the_python_code_makes_the_session_it_names(samples):
    import sys

    code = languages()["Python"].session_code(EVERYTHING, "digits_float32.onnx")
    command = [sys.executable, "-c", _RUN.format(code=code)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=samples)
    assert run.stdout.split() == [
        "2", "3", "False", "False", "ORT_PARALLEL", "ORT_ENABLE_BASIC", "0",
    ]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_settings_of_the_runtime_itself_are_not_written(language):
    code = languages()[language].session_code(RunSpec(), "net.onnx")
    assert '"net' in code  # Swift names the suffix apart
    assert 'onnx"' in code
    for word in ("hreads", "xecution", "rena", "spinning", "ptimization"):
        assert word not in code.replace("xecutionProvider", "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hostile_name_stays_a_literal(language):
    name = 'a"; evil(); "\\\n\u202e\U0001f600.onnx'
    code = languages()[language].session_code(RunSpec(), name)
    (line,) = (line for line in code.splitlines() if 'onnx"' in line)
    assert 'a\\"; evil(); \\"\\\\' in line
    assert line.isascii()


def test_devices_that_code_cannot_name_are_a_comment():
    code = languages()["Python"].session_code(RunSpec(devices=("webgpu:0", "cpu")), "net.onnx")
    assert "# Add the execution provider of webgpu:0 here" in code

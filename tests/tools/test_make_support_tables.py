import json

import pytest

from tools import make_support_tables as tool

DOCUMENT = """
<a name="cpuexecutionprovider"/>

|**Operator Domain:** *ai.onnx*||||
|Abs|*in* X:**T**|13+|**T** = tensor(string)|

<a name="dmlexecutionprovider"/>

| Op Name | Parameters | OpSet Version | Types Supported |
|---------|------------|---------------|-----------------|
|**Operator Domain:** *ai.onnx*||||
|Abs|*in* X:**T**<br> *out* Y:**T**|13+|**T** = tensor(float), tensor(float16)|
|||[6, 12]|**T** = tensor(float)|
|Gather|*in* data:**T**|13+|**T** = tensor(bool)<br/> **Tind** = tensor(int32), tensor(int64)|
|SequenceAt|*in* s:**S**|11+|**S** = seq(tensor(bool))|
|**Operator Domain:** *com.microsoft*||||
|Gelu|*in* X:**T**|1+|**T** = tensor(float)|
|**Operator Domain:** *com.microsoft.dml*||||
|DmlFusedAdd|*in* X:**T**|1+|**T** = tensor(float)|
"""


def test_a_published_list_of_kernels_is_read():
    types: list[str] = []
    rows = tool.rows(tool.of_document(DOCUMENT, "DmlExecutionProvider"), types)
    assert set(rows) == {"Abs", "Gather", "SequenceAt", "com.microsoft.Gelu"}
    old, new = rows["Abs"]
    assert (old[:2], new[:2]) == ([6, 12], [13, 0])
    assert [types[place] for place in new[2]] == ["float16 float32"]
    assert [types[place] for place in rows["Gather"][0][2]] == ["bool", "int32 int64"]
    assert rows["SequenceAt"] == [[11, 0, [], []]]


def test_an_operator_without_a_kernel_may_be_made_of_others():
    assert tool.functions(["HardSigmoid", "Mul"])["HardSwish"] == ["HardSigmoid", "Mul"]
    assert "HardSwish" not in tool.functions(["Mul"])
    assert "HardSwish" not in tool.functions(["HardSigmoid", "Mul", "HardSwish"])


@pytest.mark.parametrize("path", sorted(tool.FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_the_tables_are_as_the_tool_writes_them(path):
    stored = path.read_text("utf-8")
    assert tool.written(json.loads(stored)) == stored

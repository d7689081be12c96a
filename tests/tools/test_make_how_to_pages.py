import pytest

from tools.make_how_to_pages import with_outputs

PAGE = """# Page

```
inspector info sample_models/digits_float32.onnx --no-hash
```

<!-- {end} 2 lines -->
```text
old
```

```
inspector info mine.onnx
```

The end.
"""


@pytest.mark.parametrize("end", ["first", "last"])
def test_what_a_command_prints_stands_below_it(samples, end):
    page = with_outputs(PAGE.replace("{end}", end), samples.parent)
    printed = page.partition("```text\n")[2].partition("```")[0].splitlines()
    assert len(printed) == 3
    assert printed[-1 if end == "first" else 0] == "…"
    assert (printed[0] == "digits_float32.onnx") is (end == "first")
    assert page.endswith("```\ninspector info mine.onnx\n```\n\nThe end.\n")


def test_a_command_that_fails_is_no_output(tmp_path):
    with pytest.raises(RuntimeError, match="status 1"):
        with_outputs(PAGE.replace("{end}", "first"), tmp_path)

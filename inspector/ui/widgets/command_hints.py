"""Rewrite advice and hints that name command-line options as what to press in the window.

They come from other packages in English and are not translated.
"""

import re

from inspector.ui import units
from inspector.ui.translate import mark, tr, values, wording

# What is replaced has one of them; most texts have none.
_SIGNS = ("`", "--", "inspector ", "weights-not-inputs")
_AGAIN = r"(?:[Rr]un )?`inspector measure (?:'[^`]*'|[^'`\s]+)`"
# Longer patterns first: options that follow "measure again" belong to its sentence.
_REPLACEMENTS = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (rf"{_AGAIN} with --optimization all", mark("measure again with all optimizations")),
        (
            rf"{_AGAIN} with --optimization extended",
            mark("measure again with “Optimization” set to “Extended”"),
        ),
        (
            rf"{_AGAIN} with --threads (\d+), or without it",
            r"measure again with \1 threads, or with the default number",
        ),
        (
            rf"{_AGAIN} with --binding outputs; in (?:a|your) program,? (?:use )?IoBinding",
            mark(
                "measure again with “I/O binding” set to “Inputs and outputs”; in your "
                "program, use IoBinding"
            ),
        ),
        (
            rf"{_AGAIN} without --load-from, and compare the memory",
            mark("measure again with “Load from” set to “File”, and compare the memory"),
        ),
        (
            rf"{_AGAIN} with --load-from reader",
            mark("measure again with “Load from” set to “Re-serialized copy”"),
        ),
        (r"(in (?:Improve|Preview)) or with `inspector [^`]*`", r"\1"),
        (r"(in „[^“]+“) oder mit `inspector [^`]*`", r"\1"),  # as the catalog words it
        (rf"{_AGAIN} with", mark("measure again with")),
        (rf"{_AGAIN}", mark("measure again and compare the two reports")),
        (
            r"(?:Leave them out of|Remove them from) --on-cpu",
            mark("Remove them from “Forced to CPU” in the settings"),
        ),
        (
            r"Set other sizes for dynamic axes with --dim NAME=N, or other input values "
            r"with --input NAME=VALUE",
            mark("Set other sizes for dynamic axes, or other input values, in Preview"),
        ),
        (
            r"give the library that provides it with --custom-ops, or in the settings",
            mark("choose the library that provides it"),
        ),
        (r"(?: with|:) --input NAME=(\w+)(?=[.;])", r" in Preview (\1)"),
        (r" in Preview \((?:VALUE|FILE)\)", mark(" in Preview")),
        (
            r"other values \(--input NAME=VALUE\), "
            r"other sizes of dynamic axes \(--dim NAME=N\)",
            mark("different values or different sizes of dynamic axes"),
        ),
        (r"`inspector info MODEL --validate` shows", mark("“Check” in Overview shows")),
        (r"`inspector info MODEL` lists the names", mark("Overview lists the names")),
        (r", or use --cast(?: to convert floating-point values)?(?=\.)", ""),
        (r" or, on the command line, --cast", ""),
        (r"`inspector devices` (lists|tells)", r"“Device” in the Performance settings \1"),
        (
            r"; set (?:another|one) with --dim .*\.$",
            mark("; set a different one next to the inputs."),
        ),
        (
            r"Fix the sizes with --dim NAME=N",
            mark("Set the sizes of the dynamic axes in the settings"),
        ),
        (
            r"Force (it|them) to the CPU with --on-cpu '(.*?)'; "
            r"`inspector measure MODEL --around-failures` finds all such layers",
            r"Run \1 on the CPU: set “Forced to CPU” in the Performance settings, or turn on "
            r"“Move failing layers to the CPU” under Session options",
        ),
        (r" \(--processes \d+\)", mark(" (“Processes” in the Performance settings)")),
        (r"with --processes (\d+)", r"with “Processes” set to \1"),
        (
            r", (or|and) `?(inspector )?measure NEW --against OLD.*?\.$",
            ".",
        ),  # the window does not offer interleaved measurement
        (r"Choose a device with --device", mark("Choose a device in the settings")),
        (
            r"(?:run )?`inspector convert [^`]*`, then `inspector measure [^`]*--against "
            r"[^`]*`(?: ausführen)?",
            mark("make the change in Improve, which measures both models"),
        ),
        (
            r"(?:run )?`inspector measure [^`]*--against [^`]*`(?: ausführen)?",
            mark("measure both models and compare the reports"),
        ),
        (
            r"Repair it: inspector convert MODEL litert-repair -o FILE",
            mark("“Repair…” in Overview saves a copy that other runtimes load."),
        ),
        (r"(?:use )?inspector convert MODEL repair -o FILE", mark("“Repair…” in Overview")),
        (
            r" (?:With|Mit) `--nodes #10:50`.*$",
            mark(
                " “Record layers of the next … runs”, while the program runs, profiles later "
                "ones."
            ),
        ),
        (
            r"`inspector sweep MODEL --batch 1,8`",
            mark("“Sweep” in Performance, with several batch sizes,"),
        ),
        (
            r"(?:Install it with:|Installieren mit:) inspector engines --install \w+ "
            r"\((?:or|oder) pip install \"[^\"]*\"\)",
            mark("Install it"),
        ),
        (r"or use --device openvino:cpu", mark("or choose OpenVINO CPU as the device")),
        (
            r"(?:Apply|Zuerst) ['„]weights-not-inputs['“] (?:first|anwenden) \((.*?)\)",
            mark(r"Add “\1” first"),
        ),
        (r"`inspector record`", mark("“Record program”")),
        (r"`inspector devices` lists them", mark("The Performance settings list them")),
    )
)


def in_window(text: str, *, begins: bool = True) -> str:
    """Return advice with command-line options replaced by the controls of the window.

    Commands are replaced in the language of the window; where an option is left, in English.
    begins: whether it begins a sentence; a name in front keeps its case otherwise.
    """
    for version in (wording().text(text, values.Markup(code="`{}`".format)), text):
        if any(sign in version for sign in _SIGNS):
            for pattern, replacement in _REPLACEMENTS:
                version = pattern.sub(tr(replacement), version)
        if "--" not in version:
            break
    plain = version.replace("`", "")
    return units.capitalized(plain) if begins else plain

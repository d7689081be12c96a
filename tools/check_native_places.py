"""Compare the places of functions that native programs are recorded by with a header.

Run: python -m tools.check_native_places PATH/onnxruntime_c_api.h [...], for each new release of
ONNX Runtime. Prints what differs, and the number of entries of each header's table; status 1
where a place is another one than `places.def` says.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

PLACES = Path(__file__).parent.parent / "inspector" / "recorder" / "native" / "places.def"
_PLACE = re.compile(r"^PLACE\((\w+), (\d+), (\d+)\)", re.MULTILINE)
_VERSION = re.compile(r"#define ORT_API_VERSION (\d+)")


def places_in(header: Path, names: list[str]) -> tuple[dict[str, int], int]:
    """Return the places of functions in a header's table, and how many entries it has."""
    lines = [f'printf("{name} %zu\\n", offsetof(OrtApi, {name}) / P);' for name in names]
    source = (
        f'#include "{header.resolve()}"\n#include <stddef.h>\n#include <stdio.h>\n'
        "enum { P = sizeof(void *) };\nint main(void) {\n" + "\n".join(lines)
        + '\nprintf("all %zu\\n", sizeof(OrtApi) / P);\nreturn 0; }\n'
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "places"
        made.with_suffix(".c").write_text(source)
        subprocess.run(["cc", "-w", "-o", made, made.with_suffix(".c")], check=True)
        told = subprocess.run([made], capture_output=True, text=True, check=True).stdout
    found = {name: int(place) for name, place in map(str.split, told.splitlines())}
    return found, found.pop("all")


def main() -> int:
    """Return 1 where a place differs."""
    known = [
        (name, int(at), int(since)) for name, at, since in _PLACE.findall(PLACES.read_text())
    ]
    wrong = 0
    for header in map(Path, sys.argv[1:]):
        match = _VERSION.search(header.read_text(errors="replace"))
        version = int(match[1]) if match else 0
        names = [name for name, _, since in known if since <= version]
        found, entries = places_in(header, names)
        print(f"{header}: version {version}, {entries} entries, {len(names)} places compared")
        for name, at, _ in known:
            if name in found and found[name] != at:
                wrong += 1
                print(f"  {name}: {found[name]} here, {at} in {PLACES.name}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())

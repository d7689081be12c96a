"""Make every sample model, its inputs and index.json again.

`python -m sample_models.make_models` needs `pip install -e .[samples]`. Seeded: the same
machine writes the same bytes; another processor may round differently while training and end
with weights that differ slightly.
"""

import hashlib
import json
import os
from pathlib import Path

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # must be there before onnxruntime is imported

from threadpoolctl import threadpool_limits

from sample_models.making import alice, clothes, digits, filters, languages, spikes, tones, wine

FOLDER = Path(__file__).parent
MAKERS = (digits, clothes, filters, wine, spikes, tones, languages)


def main() -> None:
    """Make all of them, one after the other, and write the index."""
    (FOLDER / "inputs").mkdir(exist_ok=True)
    entries = []
    with threadpool_limits(1):  # sums in another order would change the trained weights
        for maker in MAKERS:
            made = clothes.kept(FOLDER) if maker is clothes else maker.make(FOLDER)
            for entry in made:
                entries.append(entry | _fingerprint(FOLDER / str(entry["file"])))
                print(entry["file"], entry.get("held_out_accuracy", ""))
    entries.append(_language_model())
    inputs = sorted((FOLDER / "inputs").iterdir())
    index = {
        "schema": "samples/1",
        "models": entries,
        "folders": [_folder(name) for name in (clothes.TEST, clothes.CALIBRATION)],
        "inputs": [{"file": f"inputs/{path.name}"} | _fingerprint(path) for path in inputs],
    }
    text = json.dumps(index, indent=2, ensure_ascii=False)
    (FOLDER / "index.json").write_text(f"{text}\n", "utf-8")


def _folder(name: str) -> dict[str, object]:
    """Return what the index says of a folder; the hash is of the sorted hashes of its files."""
    bodies = [path.read_bytes() for path in (FOLDER / name).rglob("*.png")]
    counted = {"folder": name, "model": clothes.FILE, "files": len(bodies)}
    return counted | _sum_of(bodies)


def _language_model() -> dict[str, object]:
    """Return what the index says of the folder that is a language model."""
    paths = sorted((FOLDER / alice.FOLDER).iterdir())
    files = [{"file": f"{alice.FOLDER}/{each.name}"} | _fingerprint(each) for each in paths]
    return alice.ENTRY | _sum_of([each.read_bytes() for each in paths]) | {"files": files}


def _sum_of(bodies: list[bytes]) -> dict[str, object]:
    """Return the size of several files, and the hash of their sorted hashes."""
    hashes = "".join(sorted(hashlib.sha256(body).hexdigest() for body in bodies))
    return {
        "size_bytes": sum(map(len, bodies)),
        "sha256": hashlib.sha256(hashes.encode()).hexdigest(),
    }


def _fingerprint(path: Path) -> dict[str, object]:
    body = path.read_bytes()
    return {"size_bytes": len(body), "sha256": hashlib.sha256(body).hexdigest()}


if __name__ == "__main__":
    main()

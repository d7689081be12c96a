"""Which release of ONNX Runtime came with which version of ONNX.

Releases up to 1.14 from the table in ONNX Runtime's docs/Versioning.md and ONNX's own table
of released versions; later ones as the wheels of those releases themselves say when they
refuse a model ("max supported IR version", "official support ... is till opset").
"""

from dataclasses import dataclass

NEWEST = "1.31"  # the newest release that was asked


@dataclass(frozen=True, slots=True)
class Release:
    """The first release of ONNX Runtime with these limits, and its limits."""

    version: str
    opset: int
    ml_opset: int
    ir_version: int


RELEASES = (
    Release("1.0", 11, 2, 6),
    Release("1.3", 12, 2, 7),
    Release("1.6", 13, 2, 7),
    Release("1.8", 14, 2, 7),
    Release("1.9", 15, 2, 8),
    Release("1.11", 16, 3, 8),
    Release("1.12", 17, 3, 8),
    Release("1.14", 18, 3, 8),
    Release("1.15", 19, 3, 9),
    Release("1.17", 20, 4, 9),
    Release("1.18", 21, 5, 10),
    Release("1.21", 22, 5, 10),
    Release("1.23", 23, 5, 11),
    Release("1.24", 25, 5, 13),
    Release("1.25", 26, 5, 13),
)


def first_with_opset(version: int) -> str:
    """Return the first release that takes a version of ai.onnx; empty when none does."""
    return next((release.version for release in RELEASES if release.opset >= version), "")


def first_with_ml_opset(version: int) -> str:
    """Return the first release that takes a version of ai.onnx.ml; empty when none does."""
    return next((release.version for release in RELEASES if release.ml_opset >= version), "")


def first_with_ir(version: int) -> str:
    """Return the first release that takes an IR version; empty when none does."""
    return next((release.version for release in RELEASES if release.ir_version >= version), "")


def order(version: str) -> tuple[int, ...]:
    """Make releases comparable: '1.9' comes before '1.21', '' (none yet) after all."""
    return tuple(int(part) for part in version.split(".")) if version else (1 << 30,)

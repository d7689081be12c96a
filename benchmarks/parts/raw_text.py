"""What a user is never shown of a message of the runtime."""

import re

RAW = re.compile(
    "|".join((
        r"::", r"->", r"&&", r"\|\|", r"\bstd\b", r"nullptr", r"operator\(\)", r"<lambda",
        r"\bwas false\b", r"\[with ", r"\bconst ", r"static_cast", r"unordered_map",
        r"\[?ONNXRuntimeError\]?", r"Non-zero status code", r"Status Message",
        r"onnxruntime_src",
        r"\.(?:cc|cpp|h|hpp|cu):\d", r"\b0x[0-9a-f]{4,}", r"InferenceError", r"\bTypeProto\b",
        r"unknown \(unknown\)", r"\b[a-z]+_ [<>=!]", r"\btensor\(", r" in node \(\)",
        r"Exception during", r"\bOrtValue\b", r"\bstod\b", r"INVALID_[A-Z]+", r"\bFAIL\b",
    ))
)  # fmt: skip

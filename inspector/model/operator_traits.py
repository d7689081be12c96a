"""Sets of standard operators: which compute nothing, repeat, are random, or run bodies."""

# The result is the input; Dropout does nothing outside of training.
WITHOUT_EFFECT = frozenset({"Identity", "Dropout"})
# The result has the values of the input in their order, at most under another shape.
VIEWS = WITHOUT_EFFECT | {"Reshape", "Flatten", "Squeeze", "Unsqueeze"}
# The same of TensorFlow Lite.
TFLITE_VIEWS = frozenset({"RESHAPE", "SQUEEZE", "EXPAND_DIMS"})
# Two runs on one input differ, so that no result may be computed in advance.
RANDOM = frozenset(
    ("RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike", "Multinomial",
     "Bernoulli")
)  # fmt: skip
# They go through a sequence step by step, with a state.
RECURRENT = frozenset({"LSTM", "GRU", "RNN"})
# They run graphs that are inside of them.
CONTROL_FLOW = frozenset({"If", "Loop", "Scan"})

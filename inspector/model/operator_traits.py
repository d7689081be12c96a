"""Sets of standard operators: without effect, of shapes alone, random, with graphs inside."""

# The result is the input; Dropout does nothing outside of training.
WITHOUT_EFFECT = frozenset({"Identity", "Dropout"})
# The result has the values of the input in their order, at most under another shape.
VIEWS = WITHOUT_EFFECT | {"Reshape", "Flatten", "Squeeze", "Unsqueeze"}
# The same of TensorFlow Lite.
TFLITE_VIEWS = frozenset({"RESHAPE", "SQUEEZE", "EXPAND_DIMS"})
# The result follows from the shape of the input alone; their kernels run on the CPU.
OF_SHAPE = frozenset({"Shape", "Size"})
# Two runs on one input differ, so that no result may be computed in advance.
RANDOM = frozenset(
    ("RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike", "Multinomial",
     "Bernoulli")
)  # fmt: skip
# Input 1 holds indices of input 0.
INDEXED = frozenset({"Gather", "GatherElements", "GatherND", "ScatterElements", "ScatterND"})
# They go through a sequence step by step, with a state.
RECURRENT = frozenset({"LSTM", "GRU", "RNN"})
# Outputs after the first, of RECURRENT all, cost memory or time only where they are named.
OPTIONAL_OUTPUTS = RECURRENT | {
    "BatchNormalization",
    "Dropout",
    "LayerNormalization",
    "MaxPool",
}
# They run a graph that is inside of them again and again.
LOOPS = frozenset({"Loop", "Scan"})
# They run graphs that are inside of them.
CONTROL_FLOW = LOOPS | {"If"}

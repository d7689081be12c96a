"""What standard operators have in common, whoever asks: which ones compute nothing."""

# The result is the input; Dropout does nothing outside of training.
WITHOUT_EFFECT = frozenset({"Identity", "Dropout"})
# The result has the values of the input in their order, at most under another shape.
VIEWS = WITHOUT_EFFECT | {"Reshape", "Flatten", "Squeeze", "Unsqueeze"}
# The same of TensorFlow Lite.
TFLITE_VIEWS = frozenset({"RESHAPE", "SQUEEZE", "EXPAND_DIMS"})

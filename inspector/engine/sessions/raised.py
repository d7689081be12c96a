"""What the runtime raises when it refuses; all else out of a call is a bug of ours."""

from onnxruntime.capi import onnxruntime_pybind11_state as native

# Its own kinds, and what pybind11 makes of C++'s: runtime_error and all that is unknown,
# invalid_argument and length_error, out_of_range, overflow_error, bad_alloc. Its Python half
# raises ValueError and RuntimeError, and OSError for a file.
REFUSALS: tuple[type[Exception], ...] = (
    *(
        kind
        for kind in vars(native).values()
        if isinstance(kind, type) and issubclass(kind, Exception)
    ),
    RuntimeError,
    ValueError,
    IndexError,
    OverflowError,
    MemoryError,
    OSError,
)

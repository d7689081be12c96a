"""Short tensors as nearly all are written: where their values lie, without a general walk."""

_DIMS, _TYPE, _PACKED_DIMS, _NAME, _RAW = 0x08, 0x10, 0x0A, 0x42, 0x4A  # tags of one byte
_LONGEST = 127  # what one byte can say


def raw_values(data: bytes, at: int, end: int) -> tuple[int, int, int] | None:
    """Find the values of an onnx.TensorProto with only dims, type, name and raw_data.

    Returns where they start and stop, and the number of fields; None for any other tensor,
    one with numbers above 127 among them.
    """
    fields = start = stop = 0
    while at < end:
        tag, number = data[at], data[at + 1]
        if number > _LONGEST:
            return None
        at += 2
        fields += 1
        if tag in (_RAW, _NAME, _PACKED_DIMS):
            if tag == _RAW:
                if stop:
                    return None
                start, stop = at, at + number
            at += number
        elif tag not in (_DIMS, _TYPE):
            return None
    return (start, stop, fields) if at == end and stop else None

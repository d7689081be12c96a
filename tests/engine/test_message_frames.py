import os
import struct
from threading import Thread

import pytest

from inspector.engine import protocol
from inspector.engine.protocol import MalformedMessage, frame, read_messages


def read_all(sent: bytes) -> list[bytes]:
    reading, writing = os.pipe()

    def write() -> None:
        with os.fdopen(writing, "wb", buffering=0) as file:
            file.write(sent)

    # A pipe of Windows holds 4 KiB: writing more waits until somebody reads.
    writer = Thread(target=write)
    writer.start()
    try:
        return list(read_messages(reading))
    finally:
        writer.join()
        os.close(reading)


def test_messages_come_out_as_they_went_in():
    bodies = [b"{}", b"", b'{"a":1}' * 1000]
    assert read_all(b"".join(map(frame, bodies))) == bodies


def test_messages_come_out_when_they_arrive_byte_by_byte():
    reading, writing = os.pipe()
    messages = read_messages(reading)
    for byte in frame(b"hello"):
        os.write(writing, bytes([byte]))
    assert next(messages) == b"hello"
    os.close(writing)
    assert list(messages) == []
    os.close(reading)


@pytest.mark.parametrize("kept", [1, 4, 6])
def test_an_end_inside_a_message_is_noticed(kept):
    with pytest.raises(MalformedMessage, match="closed in the middle") as caught:
        read_all(frame(b"hello")[:kept])
    assert caught.value.closed


def test_an_impossible_length_is_noticed_before_anything_is_read():
    with pytest.raises(MalformedMessage, match="4294967295 bytes") as caught:
        read_all(struct.pack("<I", 0xFFFFFFFF))
    assert not caught.value.closed


def test_a_message_too_long_is_not_sent():
    with pytest.raises(ValueError, match="too long"):
        frame(b"x" * (protocol.MESSAGE_BYTES + 1))

"""Keys that move the window of time of a timeline."""

from PySide6.QtCore import Qt

from inspector.ui.timeline.window import TimeWindow

_ZOOM, _PAN = 0.8, 0.12
_Key = Qt.Key
# Plus and equals are one key on some keyboards, minus and underscore as well.
_CLOSER = (_Key.Key_W, _Key.Key_Plus, _Key.Key_Equal)
_FARTHER = (_Key.Key_S, _Key.Key_Minus, _Key.Key_Underscore)
_EARLIER, _LATER = (_Key.Key_A, _Key.Key_Left), (_Key.Key_D, _Key.Key_Right)


def moved(window: TimeWindow, key: Qt.Key) -> bool:
    """Zoom or pan as a key says; whether it is one of these.

    W S and plus minus zoom, A D and the arrows pan, Home and End go to both ends, F shows all.
    """
    step, whole = _PAN * window.length_ns, window.whole_ns
    if key in _CLOSER or key in _FARTHER:
        window.zoom(_ZOOM if key in _CLOSER else 1 / _ZOOM)
    elif key in _EARLIER or key in _LATER:
        window.pan(step if key in _LATER else -step)
    elif key in (_Key.Key_Home, _Key.Key_End):
        window.pan(whole if key is _Key.Key_End else -whole)
    elif key is _Key.Key_F:
        window.fit()
    else:
        return False
    return True

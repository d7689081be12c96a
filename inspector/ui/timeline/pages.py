"""Memory that frames free stays with the program: new pages cost more than all reckoning."""

import numpy as np

_KEPT = 31 << 20  # bytes; the C library learns from no more than 32 MiB


def keep_pages() -> None:
    """Have the C library keep what is freed from now on, up to twice as much.

    glibc gives large pieces back to the system at once, and learns from the largest one that
    was freed, up to its own limit, to keep such as are smaller (`man 3 mallopt`, under
    M_MMAP_THRESHOLD). This one is never written to, so that it has no pages.
    """
    np.empty(_KEPT, np.uint8)

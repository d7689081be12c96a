"""What advice and hints say of the command line, as what to press in the window."""

import re

_AGAIN = r"`?inspector measure MODEL --baseline REPORT`?"
# The longer ones first: what stands with "measure again" belongs into its sentence.
_WORDS = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (rf"{_AGAIN} with --optimization all", "measure again with all optimisations"),
        (
            rf"{_AGAIN} with --threads (\d+), or without it",
            r"measure again with \1 threads, or with automatic ones",
        ),
        (
            rf"{_AGAIN} with --binding outputs; in a program IoBinding",
            "measure again with Binding on ‘In and out’; in a program IoBinding",
        ),
        (
            rf"{_AGAIN} without --load-from, and hold the memory",
            "measure again with Load from on ‘File’, and hold the memory",
        ),
        (
            rf"{_AGAIN} with --load-from reader",
            "measure again with Load from on ‘Our reader’",
        ),
        (rf"{_AGAIN} with", "measure again with"),
        (rf"{_AGAIN}", "measure again and compare the two reports"),
        (r"Leave them out of --on-cpu", "Take them out of ‘Kept on the CPU’ in the settings"),
        (r"Fix the lengths with --dim NAME=N", "Give the free axes lengths in the settings"),
        (
            r"Keep (it|them) on the CPU: --on-cpu '(.*?)'; `inspector measure` finds all such "
            r"layers with --around-failures",
            r"The CPU can run \1 and the device the rest: ‘Kept on the CPU’ in the settings "
            r"of Performance, or ‘Around failures’ there under Session",
        ),
        (r" \(--starts \d+\)", " (‘Starts’ in the settings of Performance)"),
        (r"with --starts (\d+) on both", r"with \1 ‘Starts’ in the settings on both"),
        (
            r", (or|and) (inspector )?measure NEW --against OLD.*?\.$",
            ".",
        ),  # the window takes no turns
        (r"Choose a device with --device", "Choose a device in the settings"),
        (r"`inspector devices` lists them", "The settings of Performance list them"),
        (r"Look at `inspector devices`", "Look at Device in the settings of Performance"),
    )
)


def in_window(text: str) -> str:
    """Say it for somebody who has the window before them; other text stays as it is."""
    for pattern, words in _WORDS:
        text = pattern.sub(words, text)
    found = text.replace("`", "")
    return f"{found[:1].upper()}{found[1:]}"

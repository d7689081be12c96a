"""inspector memory: how much memory a language model takes by context, and what fits."""

import argparse
from pathlib import Path

from inspector.app.language.memory import memory
from inspector.cli import pages
from inspector.cli.commands.memory import SCHEMA
from inspector.pages.language.memory import memory_page
from inspector.render.tables.memory_json import memory_fields
from inspector.wording import stored


def run(options: argparse.Namespace) -> None:
    """Print what the model takes. Raises InspectorError: it cannot be read, or has no cache."""
    named = Path(options.named)
    path = named if named.is_dir() else options.model  # of a folder, all parts count
    found = memory(path, options.context, options.batch, options.cache_types, options.fits)
    if options.json:
        print(stored.json_text({"schema": SCHEMA, **memory_fields(found)}))
    else:
        pages.show(memory_page(found))

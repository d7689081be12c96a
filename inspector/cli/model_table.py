"""The table of many models on standard output."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from inspector.cli import pages
from inspector.pages.lists.model_rows import ModelRow, ordered, with_duplicates
from inspector.pages.models import models_page
from inspector.platform import files
from inspector.render.tables import model_table
from inspector.wording import stored


def print_table(rows: Sequence[ModelRow], options: argparse.Namespace) -> None:
    """Print rows as --sort, --json and --csv ask. Raises NotSaved: the CSV file."""
    rows = with_duplicates(rows)
    if options.sort:
        rows = ordered(rows, options.sort)
    if options.json:
        print(stored.json_text(model_table.as_plain(rows)))
    elif options.csv == "-":
        sys.stdout.write(model_table.as_csv(rows).decode())
    else:
        pages.show(models_page(rows))
    if options.csv and options.csv != "-":
        files.write_atomic(Path(options.csv), model_table.as_csv(rows))

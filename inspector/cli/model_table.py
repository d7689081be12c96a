"""The table of many models on standard output."""

import argparse
from collections.abc import Sequence

from inspector.cli import pages
from inspector.pages.lists.model_rows import ModelRow, ordered, with_duplicates
from inspector.pages.models import models_page
from inspector.render.tables import model_table
from inspector.wording import stored


def print_table(rows: Sequence[ModelRow], options: argparse.Namespace) -> None:
    """Print rows as --sort, --json and --csv ask. Raises NotSaved: the CSV file."""
    rows = with_duplicates(rows)
    if options.sort:
        rows = ordered(rows, options.sort)
    if options.json:
        print(stored.json_text(model_table.as_plain(rows)))
    elif options.csv != "-":
        pages.show(models_page(rows))
    if options.csv and not (options.json and options.csv == "-"):
        pages.write(options.csv, model_table.as_csv(rows))

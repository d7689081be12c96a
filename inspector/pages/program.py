"""Pages of the program itself: its settings and its plugins."""

from collections.abc import Sequence
from pathlib import Path

from inspector.pages.blocks import (
    Column,
    Fact,
    Facts,
    Limits,
    Page,
    Row,
    Section,
    Side,
    Table,
    Text,
)
from inspector.platform.plugins import Group, Plugin
from inspector.platform.settings import Value as Setting
from inspector.wording.values import Code, Duration, Name, Sentence, Tone, Value

_ALL = Limits(terminal=1000, document=1000)


def settings_page(file: Path, settings: Sequence[Setting]) -> Page:
    """Return every setting with its value and where that comes from."""
    columns = (
        Column("name", "Setting"),
        Column("value", "Value", stretch=True),
        Column("source", "From", Side.LEFT),
    )
    rows = tuple(
        Row((Code(each.setting.name), _value(each), _source(each)),
            details=f"{each.setting.summary}; {each.setting.kind}")
        for each in settings
    )  # fmt: skip
    where = Sentence(
        "{file}" if file.is_file() else "{file} (does not exist)", file=Name(str(file))
    )
    blocks = (
        Table(columns, rows, _ALL, "setting"),
        Facts((Fact("Configuration file", where),)),
    )
    return Page("settings", "Settings", (Section("settings", "", blocks),))


def _value(value: Setting) -> Value:
    match value.value:
        case None:
            return value.setting.default
        case bool(on):
            return str(on).lower()
        case str(text):
            return Name(text)
        case seconds:
            return Duration(1e9 * seconds)


def _source(value: Setting) -> Value:
    place = {"source": value.source.value, "where": Name(value.where)}
    return Sentence("{source} ({where})" if value.where else "{source}", **place)


def plugins_page(plugins: Sequence[Plugin], groups: Sequence[Group], off: str = "") -> Page:
    """Return the plugins of other packages. off: what disables them; "" if nothing does."""
    if off:
        blocks: tuple[Table | Text | Facts, ...] = (
            Text(Sentence("Plugins are disabled by {where}.", Name(off))),
        )
    elif plugins:
        columns = (
            Column("group", "Adds to"),
            Column("name", "Plugin", stretch=True),
            Column("package", "Package"),
            Column("state", "State"),
        )
        rows = tuple(
            Row((
                Code(each.group.id), Name(each.name), Name(each.distribution),
                Name(each.problem) if each.problem else "loaded",
            ), Tone.BAD if each.problem else Tone.PLAIN)
            for each in plugins
        )  # fmt: skip
        blocks = (Table(columns, rows, _ALL, "plugin"),)
    else:
        facts = tuple(Fact(Code(group.id), group.adds) for group in groups)
        blocks = (Text("No plugins are installed. Packages can add:"), Facts(facts))
    return Page("plugins", "Plugins", (Section("plugins", "", blocks),))

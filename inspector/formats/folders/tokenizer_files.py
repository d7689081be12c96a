"""What the files of a tokenizer say: where it is, its chat template, its special tokens."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from inspector.formats.folders.config_facts import token_ids, whole
from inspector.formats.folders.listing import Listing

TOKENIZER = "tokenizer.json"
CONFIG = "tokenizer_config.json"
TEMPLATE = "chat_template.jinja"
OLD_TEMPLATE = "chat_template.json"  # of processors, before there was the other
# Other files that hold a tokenizer; none of them is read to make tokens.
OTHERS = (
    "tokenizer.model", "spiece.model", "sentencepiece.bpe.model", "vocab.json", "vocab.txt",
    "tokens.txt", "source.spm",
)  # fmt: skip
_DEFAULT = "default"  # name of the template of several that is used
_OF_MARKS = "_token"  # with which the names of special tokens end


class TokenizerFiles(NamedTuple):
    """What a folder says of its tokenizer.

    path: the tokenizer.json. template: the chat template; "" without one. template_file: the
    file that it is from. marks: special tokens by the names that configuration and template
    have for them (eos_token). ids: of tokens by their texts, as far as that configuration lists
    them.
    """

    path: Path | None
    template: str
    template_file: str
    marks: Mapping[str, str]
    ids: Mapping[str, int]

    @property
    def end(self) -> str:
        """Return the token that ends a text; "" where nobody says which."""
        return self.marks.get("eos_token", "")


def tokenizer_files(folder: Listing) -> TokenizerFiles:
    """Read what is small; the tokenizer itself is only looked up."""
    config = folder.json(CONFIG)
    special = folder.json("special_tokens_map.json")
    ids = {}
    listed = config.get("added_tokens_decoder")
    for number, token in listed.items() if isinstance(listed, dict) else ():
        content = token.get("content") if isinstance(token, dict) else None
        if isinstance(content, str) and str(number).isdecimal() and len(str(number)) < 12:
            ids[content] = int(number)
    return TokenizerFiles(
        folder.path / TOKENIZER if TOKENIZER in folder.names else None,
        *_template(folder, config),
        {**_marks(special), **_marks(config)},
        ids,
    )


def end_ids(*configs: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the tokens that end an answer, of the first configuration that says it."""
    return next(filter(None, (token_ids(each.get("eos_token_id")) for each in configs)), ())


def bos_id(*configs: Mapping[str, Any]) -> int | None:
    """Return the token in front of a text, of the first configuration that says it."""
    found = (whole(each.get("bos_token_id")) for each in configs)
    return next((each for each in found if each is not None and each >= 0), None)


def _template(folder: Listing, config: Mapping[str, Any]) -> tuple[str, str]:
    """Return the chat template, of its own file or of a configuration, and the file's name."""
    own = folder.text(TEMPLATE)
    if own:
        return own, TEMPLATE
    for name, source in ((CONFIG, config), (OLD_TEMPLATE, folder.json(OLD_TEMPLATE))):
        value = source.get("chat_template")
        if isinstance(value, list):  # several, by names
            named = {
                str(each.get("name")): each.get("template")
                for each in value
                if isinstance(each, dict)
            }
            value = named.get(_DEFAULT) or next(iter(named.values()), "")
        if value and isinstance(value, str):
            return value, name
    return "", ""


def _marks(config: Mapping[str, Any]) -> dict[str, str]:
    """Return the texts of special tokens: given as such, or as objects with their content."""
    marks = {}
    for name, value in config.items():
        text = value.get("content") if isinstance(value, dict) else value
        if name.endswith(_OF_MARKS) and isinstance(text, str):
            marks[name] = text
    return marks

"""What the files of a tokenizer say: where it is, its chat template, its special tokens."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from inspector.formats.folders.config_facts import token_ids, whole
from inspector.formats.folders.listing import Listing

TOKENIZER = "tokenizer.json"
CONFIG = "tokenizer_config.json"
TEMPLATE = "chat_template.jinja"
# Other files that hold a tokenizer; none of them is read to make tokens.
OTHERS = (
    "tokenizer.model", "spiece.model", "sentencepiece.bpe.model", "vocab.json", "vocab.txt",
    "tokens.txt", "source.spm",
)  # fmt: skip
_DEFAULT = "default"  # name of the template of several that is used


class TokenizerFiles(NamedTuple):
    """What a folder says of its tokenizer.

    path: the tokenizer.json. template: the chat template; "" without one. end, bos: the names
    of those tokens, as the tokenizer's configuration has them. ids: of tokens by their names,
    as far as that configuration lists them.
    """

    path: Path | None
    template: str
    end: str
    bos: str
    ids: Mapping[str, int]


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
        _template(folder, config),
        _named(config, special, "eos_token"),
        _named(config, special, "bos_token"),
        ids,
    )


def end_ids(*configs: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the tokens that end an answer, of the first configuration that says it."""
    return next(filter(None, (token_ids(each.get("eos_token_id")) for each in configs)), ())


def bos_id(*configs: Mapping[str, Any]) -> int | None:
    """Return the token in front of a text, of the first configuration that says it."""
    found = (whole(each.get("bos_token_id")) for each in configs)
    return next((each for each in found if each is not None and each >= 0), None)


def _template(folder: Listing, config: Mapping[str, Any]) -> str:
    """Return the chat template: of its own file, or of the tokenizer's configuration."""
    own = folder.text(TEMPLATE)
    if own:
        return own
    value = config.get("chat_template") or folder.json("chat_template.json").get(
        "chat_template"
    )
    if isinstance(value, list):  # several, by names
        named = {
            str(each.get("name")): each.get("template")
            for each in value
            if isinstance(each, dict)
        }
        value = named.get(_DEFAULT) or next(iter(named.values()), "")
    return value if isinstance(value, str) else ""


def _named(config: Mapping[str, Any], special: Mapping[str, Any], key: str) -> str:
    """Return the text of a special token: given as such, or as an object with its content."""
    for source in (config, special):
        value = source.get(key)
        if isinstance(value, dict):
            value = value.get("content")
        if isinstance(value, str):
            return value
    return ""

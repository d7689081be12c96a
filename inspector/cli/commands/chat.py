"""inspector chat: talk to a language model."""

import argparse
from pathlib import Path

from inspector.cli.options import arguments, option_types, session_options
from inspector.cli.options.option_types import at_least, between

SCHEMA = "chat/1"
MAX_TOKENS = 256
NO_TEMPLATE = "none"  # of --template: the model continues the text as it is
_MOST_TEMPERATURE = 100.0  # from about 5 on all tokens are as likely as each other


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument(
        "model",
        type=Path,
        metavar="MODEL",
        help="folder of a language model, or its decoder with a tokenizer.json beside it",
    )
    parser.add_argument(
        "--prompt",
        metavar="TEXT",
        help="generate one answer to this text; without it, chat on the terminal, or answer "
        "what standard input says",
    )
    parser.add_argument(
        "--messages",
        type=Path,
        metavar="FILE",
        help="JSON file of the conversation so far, a list such as "
        '[{"role": "user", "content": "Hello"}]; a last message of the user is answered',
    )
    parser.add_argument("--system", default="", metavar="TEXT", help="system text of the chat")
    parser.add_argument(
        "--template",
        default="",
        metavar=f"FILE|{NO_TEMPLATE}",
        help=f"another chat template (Jinja); '{NO_TEMPLATE}' continues the text as it is",
    )
    parser.add_argument("--tokenizer", type=Path, metavar="FILE", help=arguments.TOKENIZER_HELP)
    parser.add_argument(
        "--against",
        type=Path,
        metavar="MODEL",
        help="let a second model answer after the first, and say where the answers differ",
    )
    _add_generation(parser)
    arguments.add_device(parser)
    session_options.add_setting(parser, "threads")
    session_options.add_setting(parser, "custom_ops")
    parser.add_argument(
        "--tokens",
        action="store_true",
        help="list the tokens of the answer with probabilities, alternatives and times",
    )
    parser.add_argument(
        "--save",
        type=Path,
        metavar="FILE",
        help=f"save the conversation (schema {SCHEMA}), which the Chat tab opens again",
    )
    arguments.add_on(parser)
    option_types.add_time_limit(parser)
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")
    arguments.add_details(parser)


def _add_generation(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("generation")
    group.add_argument(
        "--max-tokens",
        type=at_least(1),
        default=MAX_TOKENS,
        metavar="N",
        help=f"generate up to N tokens (default: {MAX_TOKENS})",
    )
    group.add_argument(
        "--context",
        type=at_least(0),
        default=0,
        metavar="N",
        help="tokens that the prompt and the answer may have together (default: as the model's "
        "configuration says)",
    )
    group.add_argument(
        "--temperature",
        type=between(0, _MOST_TEMPERATURE, f"not between 0 and {_MOST_TEMPERATURE:g}"),
        default=0.0,
        metavar="T",
        help="0 takes the most probable token; larger values choose more freely (default: 0)",
    )
    group.add_argument(
        "--top-k",
        type=at_least(0),
        default=0,
        metavar="K",
        help="choose among the K most probable tokens (default: 0, all)",
    )
    group.add_argument(
        "--top-p",
        type=between(1e-6, 1, "not between 0 and 1"),
        default=1.0,
        metavar="P",
        help="choose among the most probable tokens whose probabilities reach P in sum "
        "(default: 1, all)",
    )
    group.add_argument(
        "--seed",
        type=at_least(0),
        default=0,
        metavar="N",
        help="equal seeds give equal answers on one machine (default: 0)",
    )

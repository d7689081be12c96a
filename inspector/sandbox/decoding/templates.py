"""Fills in chat templates, which are programs out of a model's folder, by Jinja's sandbox.

The names that a template may use are those that Hugging Face gives them (transformers,
utils/chat_template_utils.py), for which templates are written.
"""

import json
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from typing import Any, NoReturn

import msgspec
from jinja2 import Template, TemplateSyntaxError, nodes
from jinja2.exceptions import TemplateError
from jinja2.ext import Extension
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

from inspector import units
from inspector.errors import BadInput
from inspector.sandbox.decoding.channel import Request, Response

MOST_TEMPLATE_CHARS = 1_000_000  # the longest public ones have 30,000
MOST_CHARS = 8_000_000  # of the result: a million tokens have half of it
KEPT = 8  # compiled templates, the latest ones
_SHOWN_CHARS = 200  # of a message of a template or of Jinja
_WHAT = "Could not fill in the chat template"
_HINT = "Use another template, or none."
# One of each construct that makes Jinja or Python load a module, which later is not possible.
_WARM_UP = (
    "{% macro m(a) %}{{ a | trim }}{% endmacro %}{% set n = namespace(i=0) %}"
    "{% for x in messages | selectattr('role', 'equalto', 'user') %}{% generation %}{{ m(x) }}"
    "{% endgeneration %}{{ x | tojson(indent=2) }}{{ loop.index | string | upper }}"
    "{% if loop.first %}{% continue %}{% endif %}{% endfor %}{{ strftime_now('%d %b %Y %j') }}"
    "{{ [3, 1] | sort | map('string') | join(',') | replace(',', ';') | indent }}"
    "{{ 'a%s{}'.format(1) }}{{ {'a': 1} | items | list }}{{ [1] | random }}"
    "{{ 'a b' | title | urlize | wordwrap(1) | striptags }}{{ 1.5 | round | pprint }}"
)


class Filling(msgspec.Struct, frozen=True):
    """A template and the values of its names. now: local time, ISO 8601."""

    template: str
    values: dict[str, Any]
    now: str


class _Refused(Exception):
    """What a template says with `raise_exception`."""


class _AnswerMarks(Extension):
    """The tag `generation`, which marks the model's part for training and shows its inside."""

    tags = {"generation"}  # noqa: RUF012 - as Jinja declares it

    def parse(self, parser: Parser) -> nodes.Node | list[nodes.Node]:
        """Return what stands between the tags."""
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


def prepare() -> None:
    """Load what templates need, while files can still be opened."""
    messages = [{"role": "user", "content": "a"}]
    _filled(Filling(_WARM_UP, {"messages": messages}, "2026-01-01T00:00:00"))
    with suppress(BadInput):
        _filled(Filling("{% if %}", {}, "2026-01-01T00:00:00"))  # how Jinja says where


def answer(request: Request, body: memoryview) -> tuple[Response, bytes]:
    """Fill in the template of a `Filling`, given as JSON. Raises BadInput: what it refuses, and
    what is wrong with it."""
    filling = msgspec.json.decode(body, type=Filling)
    return Response(texts=(_filled(filling),)), b""


def _filled(filling: Filling) -> str:
    if len(filling.template) > MOST_TEMPLATE_CHARS:
        raise BadInput(_WHAT, f"it has {len(filling.template):,} characters", _HINT)
    try:
        template = _compiled(filling.template)
        parts, length = [], 0

        def strftime_now(form: str) -> str:
            return datetime.fromisoformat(filling.now).strftime(form)

        for part in template.generate(
            **filling.values, raise_exception=_refuse, strftime_now=strftime_now
        ):
            parts.append(part)
            length += len(part)
            if length > MOST_CHARS:
                break
        text = "".join(parts)
    except _Refused as error:
        raise BadInput(_WHAT, f"the template refuses these messages: {_said(error)}") from error
    except TemplateSyntaxError as error:
        why = f"line {error.lineno} is not valid Jinja: {_said(error.message or '')}"
        raise BadInput(_WHAT, why, _HINT) from error
    except RecursionError as error:
        raise BadInput(
            _WHAT, "it is nested too deeply, or calls itself without end", _HINT
        ) from error
    except MemoryError as error:
        raise BadInput(_WHAT, "it needs more memory than allowed", _HINT) from error
    except TemplateError as error:
        raise BadInput(_WHAT, f"the template fails: {_said(error)}", _HINT) from error
    except Exception as error:  # a template can raise whatever Python can
        why = f"the template fails: {type(error).__name__}: {_said(error)}"
        raise BadInput(_WHAT, why, _HINT) from error
    if len(text) > MOST_CHARS:
        why = f"the result has more than {units.count(MOST_CHARS)} characters"
        raise BadInput(_WHAT, why, _HINT)
    return text


@lru_cache(KEPT)
def _compiled(text: str) -> Template:
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=[_AnswerMarks, "jinja2.ext.loopcontrols"],
    )
    environment.filters["tojson"] = _to_json
    return environment.from_string(text)


def _to_json(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    """Return JSON with < and & as they are, which the filter of Jinja escapes."""
    return json.dumps(
        value,
        ensure_ascii=ensure_ascii,
        indent=indent,
        separators=separators,
        sort_keys=sort_keys,
    )


def _refuse(message: object) -> NoReturn:
    raise _Refused(message)


def _said(error: object) -> str:
    return units.clip(str(error), _SHOWN_CHARS)

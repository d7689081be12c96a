"""A language of generated code: this file is all that it takes."""

from inspector.render.code_languages import CodeLanguage
from inspector.report.run_spec import RunSpec


def session(language: CodeLanguage, spec: RunSpec, model: str) -> str:
    """Return lines that create a session."""
    return f'10 LOAD "{model}": REM {language.name}, {spec.threads} threads\n'


CODE_LANGUAGES = (
    CodeLanguage("basic", "BASIC", ".bas", "a computer of 1980", f"{__name__}:session"),
)

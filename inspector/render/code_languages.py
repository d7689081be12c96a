"""The programming languages of generated code: Python, and those that plugins add.

A language makes the lines that create a session, and may make whole programs.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.errors import BadInput
from inspector.platform import plugins
from inspector.platform.data_struct import DataStruct
from inspector.units import clip

if TYPE_CHECKING:
    from inspector.model.model import Model
    from inspector.preview.preprocessing.recipe import ImagePreprocessing
    from inspector.report.run_spec import RunSpec


class CodeLanguage(DataStruct, frozen=True):
    """A programming language.

    id: on the command line. name: for people. suffix: of its files. needs: what its programs
    need, and how that is installed. comment: what begins a comment. The functions are given as
    "module:function", imported once code is made, and take this language first:

    session: then takes the `RunSpec` and the name of the model's file, and returns lines that
    create a session. program: then takes the `Model`, the preprocessing of inputs that take an
    image by name, the `RunSpec`, and the names of the classes, and returns a program that
    prepares inputs, runs the model and prints its answer; "" where the language has none.
    """

    id: str
    name: str
    suffix: str
    needs: str
    session: str
    program: str = ""
    comment: str = "//"

    def session_code(self, spec: "RunSpec", model: str) -> str:
        """Return lines that create a session with the settings that are not the usual.

        model: the file's name. Devices other than the CPU are named in a comment: how they are
        added depends on their package.
        """
        with self._blamed():
            return str(plugins.load(self.session)(self, spec, model))

    def program_code(
        self,
        model: "Model",
        images: Mapping[str, "ImagePreprocessing"],
        spec: "RunSpec",
        classes: Sequence[str] = (),
    ) -> str:
        """Return a program that calls a model. Raises BadInput: it could not run."""
        with self._blamed():
            return str(plugins.load(self.program)(self, model, images, spec, classes))

    def _blamed(self) -> AbstractContextManager[None]:
        what = f"Could not generate code in {self.name}"
        return plugins.blamed(plugins.CODE_LANGUAGES, self, what)


PYTHON = CodeLanguage(
    "python",
    "Python",
    ".py",
    "pip install onnxruntime numpy pillow",
    "inspector.render.session_code:python_session",
    comment="#",
)


def languages() -> dict[str, CodeLanguage]:
    """Return all languages by name, Python first.

    Our own plugin of code makes whole programs in Python, too: it takes the place of `PYTHON`.
    """
    own = {each.name: each for each in (PYTHON, *plugins.built_in(plugins.CODE_LANGUAGES))}
    merged: dict[str, CodeLanguage] = {}
    for each in plugins.with_others(own.values(), plugins.CODE_LANGUAGES):
        merged[each.name] = each
    return merged


def own_languages() -> dict[str, CodeLanguage]:
    """Return Python and the languages of our own plugins by id, without a look for others."""
    return {each.id: each for each in (PYTHON, *plugins.built_in(plugins.CODE_LANGUAGES))}


def with_programs() -> dict[str, CodeLanguage]:
    """Return the languages that make whole programs, by name; none without a plugin."""
    return {name: each for name, each in languages().items() if each.program}


def any_programs() -> bool:
    """Return whether a language makes whole programs; quick where ours do."""
    return any(each.program for each in own_languages().values()) or bool(with_programs())


def language(text: str) -> CodeLanguage:
    """Return a language by its id or its name. Raises BadInput: there is none."""
    known = languages()
    for each in known.values():
        if text in (each.id, each.name):
            return each
    what = f"Could not generate code in '{clip(text, 40)}'"
    why = "there is no such language here"
    raise BadInput(what, why, plugins.hint(f"Use {', '.join(known)}."))


def language_for(path: Path | None, text: str = "") -> CodeLanguage:
    """Return the language of a program's file: the given one, that of its name, or Python.

    Raises BadInput: there is no such language, or the name stands for another one.
    """
    suffix = path.suffix.lower() if path else ""
    named = next((each for each in with_programs().values() if each.suffix == suffix), None)
    if not text:
        return named or language(PYTHON.id)
    chosen = language(text)
    if path is None or named is None or named.suffix == chosen.suffix:
        return chosen
    what, why = f"Could not save {clip(path.name, 80)}", f"its name stands for {named.name}"
    raise BadInput(what, why, f"Use a name that ends in {chosen.suffix}, or omit --language.")

"""The page of one prediction: the answer in one sentence, then what it was read from."""

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from statistics import median

from msgspec import Struct

from inspector import units
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.pages.blocks import (
    Block,
    Column,
    Fact,
    Facts,
    Item,
    Items,
    Limits,
    Page,
    Rank,
    Row,
    Section,
    Side,
    Snippet,
    Table,
    Text,
)
from inspector.pages.tables import table_of
from inspector.preview.families.output_structure import of_model
from inspector.preview.families.piano_notes import Meaning
from inspector.preview.families.scripts import foreign_script
from inspector.preview.inputs.feeds import input_caution
from inspector.preview.inputs.model_states import states
from inspector.preview.outputs import audio_outputs, results
from inspector.preview.outputs.results import Class, Classes
from inspector.preview.outputs.scene import BOXES, PlacedScene, name_of
from inspector.preview.outputs.time_series import Series, series_of
from inspector.preview.outputs.token_outputs import DecodedText, decode_text
from inspector.preview.runs.predicted import PredictionResult
from inspector.wording.class_scores import share_places
from inspector.wording.values import (
    Capital,
    Count,
    Duration,
    Joined,
    Name,
    Number,
    Probability,
    Real,
    Sentence,
    Share,
    Tone,
    Value,
)

_UNSURE = 0.5  # another class may be as likely as the best one
_LISTED = 16  # elements of an output that stand below its row
_ACROSS = 8  # elements in a row of a table
_CURVE = 72
_LEVELS = "▁▂▃▄▅▆▇█"
_THRESHOLD = 0.5  # of a curve of probabilities
_LONGEST = 400  # letters of a text that was read
_ALL = Limits(terminal=100_000, document=200, page=2000)
_SOME = Limits(terminal=40, document=100, page=2000)


class _Reading(Struct, frozen=True, eq=False):
    """An output in its most likely reading; only one of the others is there."""

    output: OutputValue
    kind: str
    classes: tuple[Classes, ...] = ()
    text: DecodedText | None = None
    series: Series | None = None


def prediction_page(result: PredictionResult, top: int = 5) -> Page:
    """Return the page. top: classes of each row of scores."""
    readings = tuple(_reading(result, output, top) for output in result.prediction.outputs)
    answer, doubts = _answer(result, readings), _doubts(result, readings)
    tone = Tone.CAUTION if doubts else Tone.PLAIN
    facts = (*_caution(doubts), *_times(result.prediction), *_decoder(result.scene),
             *_family(result, answer))  # fmt: skip
    columns = (
        Column("input", "Input", stretch=True), Column("shape", "Shape", digits=True),
        Column("value", "Value", stretch=True), Column("chosen", "", keep=3),
    )  # fmt: skip
    rows = tuple(
        Row(
            (Name(each.name), units.shape(each.array.shape), Name(each.value),
             "" if each.given else "default"),
            details=Name(each.description) if each.given else each.description,
        )
        for each in sorted(result.filled, key=lambda each: not each.given)
    )  # fmt: skip
    sections = (
        Section("summary", "", (Facts(facts),)),
        *_generated(result),
        *_scene(result.scene),
        *(_section(each, len(readings) == 1) for each in readings),
        _scores(result),
        *_similarities(result),
        Section("inputs", "Inputs", table_of(columns, rows, _SOME, "input")),
        _outputs(readings, {} if result.answer is None else result.answer.meanings),
        _tried(result),
        notes_section(result.notes),
    )
    devices = " + ".join(map(units.device, result.prediction.devices))
    values: dict[str, Value] = {"model": Name(result.model.name), "device": devices}
    if answer and result.made_up and result.filled:
        answer = Sentence("For made-up input: {answer}", answer)
    verdict = Text(answer, tone, strong=True) if answer else None
    return Page("prediction", Sentence("{model} on {device}", **values), sections, verdict)


def notes_section(notes: Sequence[str]) -> Section:
    """Return what else there is to say, each once."""
    items = tuple(Item(_sentence(note)) for note in dict.fromkeys(notes))
    blocks = (Items(items, Limits(terminal=20, document=40), "note"),) if items else ()
    return Section("notes", "Notes", blocks)


def _sentence(text: str) -> Value:
    """Return a note with a capital letter, unless it begins with the name of something."""
    return Capital(text) if text.partition(" ")[0].isalpha() else text


def _reading(result: PredictionResult, output: OutputValue, top: int) -> _Reading:
    labels, structure = result.labels, of_model(result.model)
    decoded = result.scene is not None and result.scene.scene.lists_boxes
    series = series_of(output, result.pace.steps, result.pace.step_seconds)
    kind = results.read(output, labels, decoded, structure)[0]
    if series is not None:
        return _Reading(output, kind, series=series)
    is_list = decoded and results.is_list(output)
    text = None if is_list else decode_text(output, None, labels)
    if text is not None:
        return _Reading(output, kind, text=text)
    classes: tuple[Classes, ...] = ()
    if kind == results.CLASSES:
        classes = results.classes(output, labels, top, structure=structure)
    return _Reading(output, kind, classes)


def _answer(result: PredictionResult, readings: Sequence[_Reading]) -> Value:
    """Return the answer in one sentence, "" where the outputs are only numbers."""
    if result.generated is not None:
        text = Name(units.clip(" ".join(result.generated.text.split()), _LONGEST))
        return Sentence("Generated text: “{text}”", text)
    if result.scene is not None:
        return _scene_answer(result.scene)
    best = _best(readings)
    if best is not None:
        return Sentence(
            "Most likely class: {name} ({probability})" if best.probability
            else "Highest class: {name} ({value})",
            name=Name(best.label or str(best.index)), value=Real(best.value),
            probability=Probability(best.probability, share_places((best.probability,))),
        )  # fmt: skip
    if result.answer is not None and result.answer.lines:
        line = result.answer.lines[0]
        return Capital(line) if isinstance(line, Sentence) else Name(units.capitalized(line))
    lines = next((each.text.lines for each in readings if each.text is not None), ())
    text = Name(units.clip(lines[0], _LONGEST)) if lines else Name("")
    return Sentence("Text: “{text}”", text) if text.text else ""


def _best(readings: Sequence[_Reading]) -> Class | None:
    """Return the highest class of the first output that has classes, None of several rows."""
    rows = next((each.classes for each in readings if each.classes), ())
    return rows[0].top[0] if len(rows) == 1 and rows[0].top else None


def _scene_answer(placed: PlacedScene) -> Value:
    scene, best = placed.scene, next(iter(placed.scene.boxes), None)
    if best is not None:
        return Sentence(
            "{boxes}; highest score: {name} ({score})",
            Count(len(scene.boxes), "box"),
            Name(name_of(best.kind, placed.labels)),
            Number(best.score, digits=2),
        )
    if scene.decoder.kind == BOXES:
        return "No boxes found"
    if scene.points:
        return Sentence("{points} found", Count(len(scene.points), "point"))
    for kind, share, _ in scene.overlay.parts[:1] if scene.overlay else ():
        part: dict[str, Value] = {"name": Name(name_of(kind, placed.labels))}
        part["share"] = Share(share)
        return Sentence("Largest part: {name} ({share})", **part)
    return ""


def _doubts(result: PredictionResult, readings: Sequence[_Reading]) -> tuple[Value, ...]:
    """Return why the answer may be wrong, as sentences."""
    doubts: list[Value] = []
    if result.made_up and result.filled:
        doubts.append("No input was given: the answer says nothing about real data.")
    best = _best(readings)
    if best is not None and 0 < best.probability < _UNSURE:
        doubts.append("The most likely class has a probability below 50%.")
    memory = states(result.model.inputs, result.model.outputs)
    doubts += (
        Sentence("Check input {input}: {reason}.", Name(filled.name), odd)
        for filled in result.filled
        if (odd := input_caution(filled, memory) or foreign_script(filled, result.labels))
    )
    placed = () if result.scene is None else (result.scene.scene.doubt,)
    doubts += (
        _sentence(doubt) if doubt.endswith(".") else Sentence("{doubt}.", _sentence(doubt))
        for doubt in (*placed, *result.doubts)
        if doubt
    )
    return tuple(doubts)


def _caution(doubts: tuple[Value, ...]) -> Iterator[Fact]:
    if doubts:
        yield Fact("Caution", Joined(doubts, " "), tone=Tone.CAUTION)


def _times(prediction: Prediction) -> Iterator[Fact]:
    """Yield warm latency, first run and load, each by its name."""
    warm = prediction.warm_median_ns
    if prediction.steps > 1 and warm is not None:
        yield Fact("Latency", Duration(warm), prediction.warm_label)
        steps = Count(prediction.steps, "step")
        yield Fact("Whole run", Duration(prediction.prediction_ns), steps)
    elif not prediction.first_call_ns:  # not by the runtime
        yield Fact("Run", Duration(prediction.prediction_ns))
    else:
        if warm is not None:
            yield Fact("Latency", Duration(warm), prediction.warm_label)
        first_ns = prediction.first_call_ns if warm is None else prediction.cold_call_ns
        if first_ns:
            yield Fact("First run", Duration(first_ns), "with cold caches")
    if prediction.load_ns:
        yield Fact("Load", Duration(prediction.load_ns))


def _decoder(placed: PlacedScene | None) -> Iterator[Fact]:
    if placed is None:
        return
    decoder, settings = placed.scene.decoder, list[Value]()
    if decoder.score is not None:
        settings.append(Sentence("score threshold {score}", Real(decoder.score)))
    if decoder.overlap is not None:
        overlap = {"overlap": Real(decoder.overlap)}
        settings.append(Sentence("overlap threshold {overlap} (NMS IoU)", **overlap))
    yield Fact("Decoder", Joined((Name(decoder.name), *settings), "; "))


def _family(result: PredictionResult, shown: Value) -> Iterator[Fact]:
    answer = result.answer
    if answer is None:
        return
    yield Fact("Recognized as", answer.family.name)
    yield Fact("Usual input", answer.family.preprocessing, rank=Rank.DOCUMENT)
    # Its lines are the answer, or say again what the sections of the outputs show.
    first = isinstance(shown, Name | Capital)
    for line in answer.lines[first:]:
        text = line if isinstance(line, Sentence) else Name(units.clip(line, _LONGEST))
        rank = Rank.TERMINAL if first or not shown else Rank.DOCUMENT
        yield Fact("Details", text, rank=rank)
    if answer.assumed:
        yield Fact("Assumed", "; ".join(answer.assumed))


def _generated(result: PredictionResult) -> Iterator[Section]:
    text = result.generated
    if text is None:
        return
    count, further = len(text.tokens), [token.prediction_ns for token in text.tokens[1:]]
    facts = [Fact("Tokens", Count(count), "until the end of the text" if text.ended else "")]
    if text.language:
        facts.append(Fact("Spoken language", Name(text.language), "found by the model"))
    if text.encode_ns:
        facts.append(Fact("Encoder", Duration(text.encode_ns), "once for each input"))
    if text.first_token_ns:
        prompt = Count(text.prompt_tokens, "prompt token")
        facts.append(Fact("First token", Duration(text.first_token_ns), prompt))
    if further:
        facts.append(Fact("Each further token", Duration(round(median(further))), "median"))
    facts.append(Fact("Key-value cache", "used" if text.cached else "not used"))
    lines = tuple(Text(Name(line)) for line in text.text.split("\n"))
    yield Section("generated", "Generated text", (*lines, Facts(tuple(facts))))


def _scene(placed: PlacedScene | None) -> Iterator[Section]:
    if placed is None:
        return
    scene = placed.scene
    place = [Column(key, key.capitalize(), Side.RIGHT) for key in ("x", "y", "width", "height")]
    boxes = tuple(
        Row((
            Name(name_of(box.kind, placed.labels)), Number(box.score, digits=2),
            *(Count(round(side)) for side in (box.x, box.y, box.width, box.height)),
        ))
        for box in placed.boxes
    )  # fmt: skip
    score = Column("score", "Score", Side.RIGHT)
    columns = (Column("class", "Class", stretch=True), score, *place)
    yield Section("boxes", "Boxes", table_of(columns, boxes, _SOME, "box"))
    height, width = placed.original.shape[:2]
    points = tuple(
        Row((Count(round(p.x * width)), Count(round(p.y * height)), Number(p.score, digits=2)))
        for p in placed.points
    )
    blocks = table_of((*place[:2], score), points, _SOME, "point")
    yield Section("points", "Points", blocks, Rank.DOCUMENT)
    parts = tuple(
        Row((Name(name_of(kind, placed.labels)), Share(share), Number(share)))
        for kind, share, _ in (scene.overlay.parts if scene.overlay else ())
    )
    columns = (Column("class", "Class", stretch=True), Column("share", "Share", Side.RIGHT),
               Column("bar", "", bar=True, keep=1))  # fmt: skip
    yield Section("parts", "Parts", table_of(columns, parts, _SOME, "class"))


def _section(reading: _Reading, only: bool) -> Section:
    """Return the section of an output that is more than its row in the table of outputs."""
    output = reading.output
    id_ = f"output {output.name}"

    def title(one: str, template: str) -> Value:
        return one if only else Sentence(template, output=Name(output.name))

    if reading.series is not None:
        return Section(id_, title("Over time", "{output} over time"), _curve(reading.series))
    if reading.text is not None:
        texts = [Text(Name(units.clip(line, _LONGEST))) for line in reading.text.lines]
        note = [Text(reading.text.note, Tone.SECONDARY)] if reading.text.note else []
        return Section(id_, title("Text", "Text of {output}"), (*texts, *note))
    if reading.classes:
        return Section(id_, title("Classes", "Classes of {output}"), (*_classes(reading),))
    array = output.array
    if reading.kind == results.NUMBERS and array is not None and array.size > _LISTED:
        return Section(id_, title("Numbers", "Numbers of {output}"), (_numbers(output),))
    return Section(id_, "", ())


def _classes(reading: _Reading) -> Iterator[Block]:
    rows, several = reading.classes, len(reading.classes) > 1
    raw = not all(row.shares for row in rows)
    columns = (
        Column("row", "Row", Side.RIGHT),
        Column("index", "Class", Side.RIGHT),
        Column("value", "Output", Side.RIGHT, keep=5),
        Column("probability", "Softmax" if raw else "Probability", Side.RIGHT),
        Column("bar", "", bar=True, keep=1),
        Column("label", "Name", stretch=True),
    )
    cells = tuple(
        Row((
            Count(place) if several else "",
            Count(each.index),
            Real(each.value) if raw else "",
            Probability(each.probability, places) if row.logits or row.shares else "",
            Number(each.probability if isfinite(each.probability) else 0.0),
            Name(each.label),
        ))
        for place, row in enumerate(rows)
        for places in (share_places([each.probability for each in row.top]),)
        for each in row.top
    )  # fmt: skip
    yield from table_of(columns, cells, _ALL, "class")
    for note in dict.fromkeys(row.note for row in rows if row.note):
        yield Text(Capital(note), Tone.CAUTION)


def _curve(series: Series) -> tuple[Block, ...]:
    low, high = 0.0, 1.0
    if not series.probable:
        low, high = float(series.values.min()), float(series.values.max())
    step = (high - low) / (len(_LEVELS) - 1) or 1.0
    levels = (round((top - low) / step) for _, top in series.thinned(_CURVE))
    each: Value = Sentence("of {time}", Duration(series.step_seconds * 1e9))
    facts = [Fact("Steps", Count(len(series.values)), each), Fact("Mean", Real(series.mean))]
    if series.probable:
        share = Share(series.share_over(_THRESHOLD))
        facts.append(Fact("Above 0.5", share, "of the time"))
    return Snippet("".join(_LEVELS[level] for level in levels)), Facts(tuple(facts))


def _numbers(output: OutputValue) -> Table:
    """Return the elements of a row, so many of them in each row of a table."""
    assert output.array is not None, "only tensors are lists of numbers"
    flat = [Real(float(value)) for value in output.array.ravel().tolist()]
    columns = (Column("index", "#", Side.RIGHT), *(
        Column(str(place), f"+{place}", Side.RIGHT) for place in range(_ACROSS)
    ))  # fmt: skip
    rows = tuple(
        Row((Count(at), *flat[at : at + _ACROSS], *([""] * (at + _ACROSS - len(flat)))))
        for at in range(0, len(flat), _ACROSS)
    )
    return Table(columns, rows, _ALL, "row")


def _scores(result: PredictionResult) -> Section:
    scores = audio_outputs.scores(result.model.inputs, result.prediction.outputs)
    facts = tuple(Fact(name, Number(score)) for name, score in scores)
    return Section("scores", "Scores, 1 to 5", (Facts(facts),) if facts else ())


def _similarities(result: PredictionResult) -> Iterator[Section]:
    columns = (Column("input", "Input", stretch=True), Column("cosine", "Cosine", Side.RIGHT))
    for output, alike in result.similarities.items():
        rows = tuple(Row((Name(each.name), Real(each.cosine))) for each in alike)
        title = Sentence("Cosine similarity of {output}", Name(output))
        yield Section(f"similar {output}", title, table_of(columns, rows, _SOME, "input"))


def _outputs(readings: Sequence[_Reading], meanings: Mapping[str, Meaning]) -> Section:
    numbers = (("min", "Min"), ("max", "Max"), ("mean", "Mean"), ("deviation", "Std dev"))
    columns = (
        Column("output", "Output", stretch=True), Column("type", "Type", keep=5),
        Column("shape", "Shape", digits=True),
        *(Column(key, title, Side.RIGHT, keep=7 if key in ("min", "max") else 4)
          for key, title in numbers),
        Column("odd", "NaN or infinite"),
    )  # fmt: skip
    rows = tuple(
        Row((*_output(each), _odd(each.output)), details=_elements(each, meanings))
        for each in readings
    )
    return Section("outputs", "Outputs", table_of(columns, rows, _SOME, "output"))


def _output(reading: _Reading) -> Iterator[Value]:
    output = reading.output
    yield Name(output.name)
    yield Name(output.type_text)
    yield units.shape(output.shape)
    known = output.statistics()
    if known is None or output.array is None or output.array.size < 2:
        yield from ("",) * 4
        return
    yield from map(Real, (known.minimum, known.maximum, known.mean, known.deviation))


def _odd(output: OutputValue) -> str:
    known = output.statistics()
    parts = ((known.nan, "NaN"), (known.infinite, "infinite")) if known is not None else ()
    return ", ".join(f"{count:,} {name}" for count, name in parts if count)


def _elements(reading: _Reading, meanings: Mapping[str, Meaning]) -> Value:
    """Return what an output holds, or its first elements where nothing else shows them."""
    if meaning := meanings.get(reading.output.name):
        return Sentence("{title}: {rows}", meaning.title, meaning.rows)
    if reading.kind == results.IMAGE:
        return "Has the shape of an image; `--save DIR` writes it as PNG."
    array = reading.output.array
    shown = reading.classes or reading.text is not None or reading.series is not None
    listed = reading.kind == results.NUMBERS and array is not None and array.size > _LISTED
    return "" if shown or listed else Name(results.numbers(reading.output, _LISTED))


def _tried(result: PredictionResult) -> Section:
    columns = (
        Column("preset", "Preset"), Column("probability", "Probability", Side.RIGHT),
        Column("answer", "Answer", stretch=True),
        Column("preprocessing", "Preprocessing", keep=3),
    )  # fmt: skip
    rows = tuple(
        Row((
            each.name, Probability(each.result.share) if each.result.share else "",
            Name(each.result.text), each.text,
        ))
        for each in result.tried
    )  # fmt: skip
    return Section(
        "presets", "Common preprocessing presets", table_of(columns, rows, _SOME, "preset")
    )

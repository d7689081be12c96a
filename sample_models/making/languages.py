"""Which language a text is in: a small BERT of which only the last layer has learnt."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from sample_models.making import encoder
from sample_models.making.graph import save
from sample_models.making.running import run

FILE, SEED = "language_bert.onnx", 44
WORDS = {
    "English": "the and of to in that was with for they have this from which their would there"
    " been one all were when who will more about some could into time than only its over think"
    " also back after work first well way even want because any these give day most should"
    " house night water light morning friend through thought world under never together child"
    " hand school number people speak letter country story small large between found river",
    "German": "der die und das ist nicht von mit auf für ein eine dem sich auch als nach wie"
    " werden aber wenn noch über einen durch wird sein sie ihre schon mehr vor zur können ich"
    " sehr zwischen immer wieder gegen jahr heute haben weil unter muss viele zeit gut hier"
    " haus nacht wasser licht morgen freund gedanke welt niemals zusammen kind straße schön"
    " hand schule zahl leute sprechen brief land geschichte klein groß gefunden fluss gehen",
    "French": "le la les et des est pas que dans pour une qui sur avec sont plus par mais nous"
    " vous cette comme tout elle fait être ont même aussi leur bien sans peut deux où très"
    " encore après entre faire temps autre jamais toujours aujourd'hui chez depuis puis avait"
    " maison nuit eau lumière matin ami pensée monde sous ensemble enfant rue beau jour"
    " main école nombre gens parler lettre pays histoire petit grand trouvé rivière femme",
    "Spanish": "el la los las que de y en un por con no una su para es como más pero sus este"
    " ya todo esta entre cuando muy sin sobre también me hasta hay donde quien desde todos"
    " durante siempre otro otra hacer cada tiempo años porque nunca mismo después tiene ahora"
    " casa noche agua luz mañana amigo pensamiento mundo bajo juntos niño calle hermoso día"
    " mano escuela número gente hablar carta tierra historia pueblo nuevo ellos llevar llamar"
    " pueden vienen fuego bueno amigos muchos nosotros hombre mujer hermano jueves siguiente",
}
TEXTS = {
    "English": "The children went home before the rain came down on the old bridge.",
    "German": "Die Kinder gingen nach Hause, bevor der Regen auf die alte Brücke fiel.",
    "French": "Les enfants sont rentrés chez eux avant que la pluie tombe sur le vieux pont.",
    "Spanish": "Los niños vuelven a casa antes de que llueva sobre el viejo puente.",
}
LABELS = list(WORDS)
Bytes = NDArray[np.uint8]


def make(folder: Path) -> Iterator[dict[str, object]]:
    """Write the model and a sentence of each language; yield what the index says of it."""
    path = folder / FILE
    description = (
        "A BERT encoder with drawn, untrained weights; a last layer that learnt on top"
    )
    metadata = {
        "labels": LABELS,
        "preparation": f"bytes of a text in UTF-8, at most {encoder.LONGEST}",
        "training": "embeddings and encoder are random numbers; only the classifier learnt",
    }
    head = learnt(path, description)
    made = encoder.graph(head, LABELS, SEED)
    save(path, made, description, metadata)
    held_out, classes = sentences(600, seed=43)
    answers = run(path, {"text": held_out})["probabilities"].argmax(1)
    score = float((answers == classes).mean())
    save(path, made, description, metadata | {"held_out_accuracy": f"{score:.4f}"})
    for label, text in TEXTS.items():
        (folder / "inputs" / f"{label.lower()}.txt").write_text(f"{text}\n", "utf-8")
    yield {
        "file": FILE,
        "task": "text classification",
        "shows": "a transformer as exporters write it: scopes, attention, Gelu of five nodes, "
        "a free length; the encoder is untrained",
        "labels": LABELS,
        "held_out_accuracy": round(score, 4),
        "held_out_examples": len(held_out),
        "try": [
            {"inputs": {"text": f"inputs/{label.lower()}.txt"}, "answer": label}
            for label in TEXTS
        ],
    }


def learnt(path: Path, description: str) -> encoder.Head:
    """Fit the last layer to what the encoder makes of sentences; `path` is overwritten."""
    save(path, encoder.graph(None, LABELS, SEED), description, {})
    texts, classes = sentences(6000, seed=42)
    features = run(path, {"text": texts})["features"]
    fitted = LogisticRegression(C=30.0, max_iter=3000).fit(features, classes)
    return encoder.Head(fitted.coef_.T.astype("f4"), fitted.intercept_.astype("f4"))


def sentences(count: int, seed: int) -> tuple[Bytes, NDArray[np.int64]]:
    """Words in any order, as bytes with zeros behind: uint8 (count, LONGEST), and labels."""
    random = np.random.default_rng(seed)
    classes = random.integers(len(LABELS), size=count)
    rows = np.full((count, encoder.LONGEST), encoder.PADDING, np.uint8)
    for row, label in zip(rows, classes, strict=True):
        words = random.choice(WORDS[LABELS[label]].split(), random.integers(10, 25))
        text = " ".join(words.tolist()).capitalize() + "."
        content = text.encode()[: encoder.LONGEST]
        row[: len(content)] = np.frombuffer(content, np.uint8)
    return rows, classes

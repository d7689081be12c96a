"""Which language a text is in: a small BERT, trained on texts drawn from counts of letters."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sample_models.making import encoder
from sample_models.making.graph import save
from sample_models.making.running import run

FILE, SEED = "language_bert.onnx", 44
HELD_OUT = Path(__file__).parent / "language_sentences.txt"  # written for this; never trained
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
EVERYDAY = {  # of the later stages of training, besides WORDS
    "English": "hello thanks please yes no sorry where how why what who today tomorrow"
    " yesterday always"
    " i you he she we my your his her our me him us is are has had would should could cannot"
    " buy sell read write eat drink drive run walk sleep open close bring show ask answer"
    " bread milk car train road city street door window table phone money doctor teacher"
    " brother sister mother father red blue green white black new old cheap expensive late",
    "German": "hallo danke bitte ja nein wo wie warum was wer heute morgen gestern du er wir"
    " ihr mein"
    " dein sein unser mich dich uns bin bist sind war hat hast kann muss soll will möchte geht"
    " kaufen verkaufen lesen schreiben essen trinken fahren laufen schlafen öffnen schließen"
    " bringen zeigen fragen antworten brot milch auto zug stadt tür fenster tisch telefon geld"
    " arzt lehrer bruder schwester mutter vater rot blau grün weiß schwarz neu alt spät teuer",
    "French": "bonjour salut oui non comment pourquoi quoi qui quand aujourd'hui demain hier je"
    " tu il"
    " on mon ton son notre votre moi toi lui suis es est avons avez j'ai c'est n'est qu'il d'un"
    " l'eau acheter vendre lire écrire manger boire conduire courir dormir ouvrir fermer porter"
    " montrer demander répondre pain lait voiture train ville porte fenêtre table argent"
    " médecin frère sœur mère père rouge bleu vert blanc noir nouveau vieux cher peut-être",
    "Spanish": "hola gracias sí dónde cómo cuál quién hoy ayer yo tú él ella mi tu nuestro"
    " vuestro mí"
    " soy eres somos son está están estoy hay puedo quiero tengo va voy fue comprar vender leer"
    " escribir comer beber conducir correr dormir abrir cerrar traer mostrar preguntar pan"
    " leche coche tren ciudad puerta ventana mesa teléfono dinero médico profesor hermana madre"
    " padre rojo azul verde blanco negro viejo caro barato tarde usted ustedes",
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
    # Trained elsewhere: the other samples can be made without jax and langdetect.
    from sample_models.making.language_training import trained

    path = folder / FILE
    description = "Distinguishes English, German, French, and Spanish by the bytes of a text"
    made = encoder.graph(trained(encoder.start(LABELS, SEED)), LABELS)
    metadata = {
        "labels": LABELS,
        "preparation": f"bytes of a text in UTF-8, at most {encoder.LONGEST}",
        "trained_on": "texts drawn from the trigram counts of langdetect (Apache-2.0) and from "
        "frequent words",
    }
    save(path, made, description, metadata)
    held_out, classes = held_out_sentences()
    answers = run(path, {"text": held_out})["probabilities"].argmax(1)
    right = int((answers == classes).sum())
    limits = (
        f"Right on {right} of {len(classes)} whole sentences that it was not trained on. "
        "A single word is often wrong, and a text in another language gets one of these four."
    )
    accuracy = {"held_out_accuracy": f"{right / len(classes):.4f}", "limits": limits}
    save(path, made, description, metadata | accuracy)
    for label, text in TEXTS.items():
        (folder / "inputs" / f"{label.lower()}.txt").write_text(f"{text}\n", "utf-8")
    yield {
        "file": FILE,
        "task": "text classification",
        "shows": "a transformer as exporters write it: scopes, attention, Gelu of five nodes, "
        "a free length",
        "labels": LABELS,
        "held_out_accuracy": round(right / len(classes), 4),
        "held_out_examples": len(classes),
        "try": [
            {"inputs": {"text": f"inputs/{label.lower()}.txt"}, "answer": label}
            for label in TEXTS
        ],
    }


def held_out_sentences() -> tuple[Bytes, NDArray[np.int64]]:
    """Return whole sentences as bytes, uint8 (count, LONGEST), and their labels."""
    pairs = [line.split("\t") for line in HELD_OUT.read_text("utf-8").splitlines()]
    return rows([text for _, text in pairs]), np.array(
        [LABELS.index(each) for each, _ in pairs]
    )


def rows(texts: list[str]) -> Bytes:
    """Return texts as bytes with zeros behind: uint8 (count, LONGEST)."""
    made = np.full((len(texts), encoder.LONGEST), encoder.PADDING, np.uint8)
    for row, text in zip(made, texts, strict=True):
        content = text.encode()[: encoder.LONGEST]
        row[: len(content)] = np.frombuffer(content, np.uint8)
    return made

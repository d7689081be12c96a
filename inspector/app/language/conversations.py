"""Conversations saved and opened: answers as files hold them, and as they were."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from inspector.platform import files
from inspector.preview.inputs.tokens import TokenPiece
from inspector.preview.language.answers import Answer, Prompt
from inspector.preview.language.chat_template import ASSISTANT, SYSTEM, read_messages
from inspector.report.language.conversation import (
    Conversation,
    Message,
    SavedAlternative,
    SavedAnswer,
    SavedSettings,
    SavedToken,
    SavedTurn,
    decode,
    said,
)
from inspector.report.language.generation import (
    Alternative,
    GeneratedToken,
    Generation,
    StopReason,
)
from inspector.units import clip

_MOST_BYTES = 256 << 20  # of a file: 100,000 tokens with their alternatives take 60 MB


def saved_answer(
    answer: Answer,
    model: str,
    template: str,
    notes: tuple[str, ...] = (),
    pieces: Sequence[TokenPiece] = (),
) -> SavedAnswer:
    """Return an answer as it is saved. notes: on the model. template: its source, or "".

    pieces: of its tokens as they were shown, where a letter may consist of several.
    """
    generation = answer.generation
    shown = pieces or answer.pieces
    return SavedAnswer(
        model=model,
        template=template,
        prompt=answer.prompt.text,
        prompt_ids=tuple(answer.prompt.ids),
        text=answer.text,
        stop=generation.stop.value,
        prompt_tokens=generation.prompt_tokens,
        reused_tokens=generation.reused,
        context_limit=answer.context or None,
        context_used=answer.used,
        cache=generation.cache,
        load_ns=generation.load_ns,
        prefill_ns=generation.prefill_ns,
        first_token_ns=generation.first_token_ns or None,
        tokens_per_second=generation.tokens_per_second,
        speed_context=answer.speed_context or None,
        perplexity=answer.perplexity,
        tokens=tuple(
            SavedToken(
                id=token.id,
                piece=piece.text,
                special=piece.special,
                probability=token.probability,
                entropy_bits=token.entropy_bits,
                context=token.context,
                step_ns=token.step_ns,
                sampling_ns=token.sampling_ns,
                alternatives=tuple(
                    SavedAlternative(each.id, answer.piece(each.id).text, each.probability)
                    for each in token.alternatives
                ),
            )
            for token, piece in zip(answer.tokens, shown, strict=True)
        ),
        notes=(*notes, *generation.notes),
        kept=len(answer.kept),
    )


def answer_of(saved: SavedAnswer) -> Answer:
    """Return an answer as it was when it was given."""
    tokens = tuple(map(_token, saved.tokens))
    known = {}
    for token in saved.tokens:
        known.update({each.id: TokenPiece(each.id, each.piece) for each in token.alternatives})
    known.update({t.id: TokenPiece(t.id, t.piece, t.special) for t in saved.tokens})
    reasons = {each.value: each for each in StopReason}
    context = saved.context_limit or 0
    generation = Generation(
        tokens[saved.kept :],
        reasons.get(saved.stop, StopReason.STOPPED),
        saved.prompt_tokens,
        saved.prefill_ns,
        saved.cache,
        context,
        saved.load_ns,
        saved.notes,
        saved.reused_tokens,
    )
    prompt = Prompt(saved.prompt, saved.prompt_ids)
    return Answer(saved.text, prompt, generation, tokens[: saved.kept], known, context)


def _token(saved: SavedToken) -> GeneratedToken:
    return GeneratedToken(
        saved.id,
        saved.probability,
        saved.entropy_bits,
        tuple(Alternative(each.id, each.probability) for each in saved.alternatives),
        saved.context,
        saved.step_ns,
        saved.sampling_ns,
    )


def read_conversation(path: Path) -> Conversation:
    """Read a conversation from a file: one that was saved, or a list of messages with `role`
    and `content`, as chat templates take them. Raises UnreadableFile: it is neither;
    BadInput: a message is none.
    """
    body = files.read_capped(path, _MOST_BYTES)
    if body.lstrip()[:1] != b"[":
        return decode(body, clip(path.name))
    messages, turns = read_messages(path), list[SavedTurn]()
    for each in messages:
        if each.role == ASSISTANT and turns:
            turns[-1] = replace(turns[-1], answers=(said(each.content),))
        elif each.role != SYSTEM:
            turns.append(SavedTurn(each.content))
    saved = tuple(Message(each.role, each.content) for each in messages)
    return Conversation(saved, SavedSettings(), (), turns=tuple(turns))

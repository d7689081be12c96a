"""Folders of ONNX Runtime GenAI: genai_config.json names the parts and says how they run."""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.folders.config_facts import config_facts, take
from inspector.formats.folders.listing import Listing, inside
from inspector.formats.folders.tokenizer_files import (
    OTHERS,
    TOKENIZER,
    bos_id,
    end_ids,
    tokenizer_files,
)
from inspector.model.model_folder import FolderPart, ModelFolder
from inspector.wording.values import Name, Sentence

CONFIG = "genai_config.json"
TITLE = "ONNX Runtime GenAI"
# Parts of a model, the one that generates first, with the keys of each beside those of all.
# GenAI refuses any other key. Source: src/config.cpp of onnxruntime-genai at a0c04eb, 0.18.
_OF_ALL = {"filename", "session_options", "run_options", "inputs", "outputs"}
_SIZES = {
    "hidden_size", "num_attention_heads", "num_hidden_layers", "num_key_value_heads",
    "head_size",
}  # fmt: skip
_OF_DECODER = _SIZES | {
    "conv_cache_size", "sliding_window", "pipeline", "layer_types", "shared_initializers",
}  # fmt: skip
_PARTS: dict[str, set[str]] = {
    "decoder": _OF_DECODER,
    "encoder": _SIZES,
    "embedding": set(),
    "vision": {
        "config_filename", "adapter_filename", "spatial_merge_size", "tokens_per_second",
        "patch_size", "num_visual_tokens", "window_size", "pipeline",
    },
    "speech": {"config_filename", "adapter_filename"},
    "joiner": set(),
    "vad": {"threshold", "silence_duration_ms", "prefix_padding_ms"},
    "mtp": {
        "num_hidden_layers", "num_key_value_heads", "head_size", "main_hidden_states",
        "shared_initializers",
    },
    "draft": _OF_DECODER,
}  # fmt: skip
_OF_STAGE = _OF_ALL | {
    "run_on_prompt", "run_on_token_gen", "is_lm_head", "inherit_session_options",
    "reset_session_idx", "output_names_forwarder", "run_on_cpu",
}  # fmt: skip
_OF_MODEL = set(_PARTS) | {
    "type", "tokenizer_dir", "vocab_size", "context_length", "pad_token_id", "eos_token_id",
    "bos_token_id", "decoder_start_token_id", "sep_token_id", "image_token_id",
    "audio_token_id", "boa_token_id", "video_token_id", "vision_start_token_id", "num_mels",
    "fft_size", "hop_length", "win_length", "preemph", "log_eps", "norm_eps",
    "subsampling_factor", "left_context", "conv_context", "pre_encode_cache_size",
    "sample_rate", "chunk_samples", "blank_id", "max_symbols_per_step", "left_context_samples",
    "right_context_samples", "tdt_durations", "bot_token_id", "eot_token_id", "bor_token_id",
    "eor_token_id",
}  # fmt: skip
_OF_SEARCH = {
    "min_length", "max_length", "batch_size", "num_beams", "num_return_sequences", "top_k",
    "top_p", "temperature", "repetition_penalty", "length_penalty", "no_repeat_ngram_size",
    "diversity_penalty", "random_seed", "chunk_size", "do_sample", "past_present_share_buffer",
    "early_stopping", "blank_penalty",
}  # fmt: skip
_ROOT = {"model", "search", "speculative", "engine"}
_MOST_STAGES = 1_000  # of a pipeline
_SHOWN = 120  # characters of a name in a message
_MOST_KEYS = 3  # that are named

_Stage = tuple[str, Any]  # role, and the object with its file


def genai(folder: Listing) -> ModelFolder | None:
    """Read a folder with a genai_config.json. Raises UnreadableFile: the file is damaged."""
    if CONFIG not in folder.names:
        return None
    config = folder.json(CONFIG, required=True)
    model = _object(config, "model")
    if not model:  # another program's configuration of that name
        return None
    _check_keys(folder, config, model)
    missing: list[Sentence] = []
    parts = tuple(_parts(folder, model, missing))
    if not parts and not missing:
        missing.append(
            Sentence("'{config}' names no graph of its decoder", config=Name(CONFIG))
        )
    files = tokenizer_files(folder)
    elsewhere = folder.names & set(OTHERS) or inside(model.get("tokenizer_dir"))
    if files.path is None and not elsewhere:
        missing.append(Sentence("'{file}' is missing", file=Name(TOKENIZER)))
    _warn_of_code(folder, model)
    decoder = _object(model, "decoder")
    facts = config_facts({**model, **decoder, "model_type": model.get("type")})
    for name, value in config_facts(folder.json("config.json")).items():
        take(facts, name, value)
    window = _object(decoder, "sliding_window")
    take(facts, "sliding_window", window.get("window_size"))
    search = _object(config, "search")
    take(facts, "shares_cache", search.get("past_present_share_buffer"))
    take(facts, "search_max_length", search.get("max_length"))
    return ModelFolder(
        folder.path, TITLE, parts, facts, files.path, files.template,
        end_ids(model) or tuple(files.ids[t] for t in (files.end,) if t in files.ids),
        bos_id(model), tuple(missing), tuple(folder.notes), files.end,
    )  # fmt: skip


def _parts(
    folder: Listing, model: Mapping[str, Any], missing: list[Sentence]
) -> Iterator[FolderPart]:
    for role, stage in _stages(model):
        given = stage.get("filename") if isinstance(stage, dict) else None
        name = inside(given)
        if not name:
            missing.append(
                Sentence(
                    "'{file}', which '{config}' names for the {role}, is not in the folder",
                    file=Name(str(given)[:_SHOWN]), config=Name(CONFIG), role=Name(role),
                )
            )  # fmt: skip
            continue
        place = folder
        *folders, file = name.split("/")
        for each in folders:
            place = place.below(each)
        if file in place.names:
            yield FolderPart(role, folder.path / name)
        else:
            missing.append(
                Sentence(
                    "'{file}', which '{config}' names for the {role}, is missing",
                    file=Name(name[:_SHOWN]), config=Name(CONFIG), role=Name(role),
                )
            )  # fmt: skip


def _stages(model: Mapping[str, Any]) -> Iterator[_Stage]:
    """Yield the graphs that the configuration names; of a pipeline its stages, in order."""
    for role in _PARTS:
        part = _object(model, role)
        pipeline = part.get("pipeline")
        stages = pipeline if isinstance(pipeline, list) else [pipeline] if pipeline else []
        yielded = False
        for stage in stages[:_MOST_STAGES]:
            for name, each in stage.items() if isinstance(stage, dict) else ():
                yielded = True
                yield f"{role} {str(name)[:_SHOWN]}", each
        if not yielded and "filename" in part:
            yield role, part


def _check_keys(folder: Listing, config: Mapping[str, Any], model: Mapping[str, Any]) -> None:
    """Note the keys that version 0.18 does not know: it would not open such a folder."""
    unknown = [key for key in config if key not in _ROOT]
    unknown += [f"model.{key}" for key in model if key not in _OF_MODEL]
    unknown += [f"search.{key}" for key in _object(config, "search") if key not in _OF_SEARCH]
    for role, known in _PARTS.items():
        part = _object(model, role)
        unknown += [
            f"model.{role}.{key}" for key in part if key not in known and key not in _OF_ALL
        ]
    for role, stage in _stages(model):
        if " " in role and isinstance(stage, dict):
            unknown += [f"{role}: {key}" for key in stage if key not in _OF_STAGE]
    if unknown:
        named = ", ".join(key[:_SHOWN] for key in unknown[:_MOST_KEYS])
        folder.note(
            "'{config}' was made for a newer version of ONNX Runtime GenAI than 0.18, which "
            "does not know: {keys}",
            config=Name(CONFIG), keys=Name(named),
        )  # fmt: skip


def _warn_of_code(folder: Listing, model: Mapping[str, Any]) -> None:
    """Note what would run code of the folder or write files; Inspector does neither."""
    for role in _PARTS:
        options = _object(_object(model, role), "session_options")
        risky = [
            key
            for key in options
            if key in ("custom_ops_library", "enable_profiling")
            or "filepath" in key
            or "file_path" in key
        ]
        for key in risky[:_MOST_KEYS]:
            folder.note(
                "'{config}' asks for '{key}' of the {role}, which can run code or write files: "
                "Inspector ignores it",
                config=Name(CONFIG), key=Name(key[:_SHOWN]), role=Name(role),
            )  # fmt: skip


def _object(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    inner = value.get(key)
    return inner if isinstance(inner, dict) else {}

"""Vocabularies out of the files that models come with: GGUF, Hugging Face and GPT-2's own.

Reads and refuses; what is read is a `Vocabulary`.  Whatever Foretype could not encode exactly as
the original does is refused with the reason.

Sources: the keys `tokenizer.ggml.*` of GGUF (ggml-org/ggml, docs/gguf.md); `tokenizer.json` as
huggingface/tokenizers writes it; `encoder.json` and `vocab.bpe` of openai/gpt-2.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from model.byte_alphabet import TokenizerError
from model.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

END_OF_TEXT_NAMES = ("<|endoftext|>", "<|end_of_text|>")
ONLY_BYTE_LEVEL = "byte-level BPE works (GPT-2, SmolLM2, Llama 3), SentencePiece does not"

# `tokenizer.ggml.pre` → our split.  A GGUF carries a name for its pre-tokenizer, not the rules.
GGUF_SPLITS = {
    "gpt-2": "gpt2",
    "smollm": "smollm",
    "starcoder": "smollm",
    "llama-bpe": "llama3",
    "llama3": "llama3",
    "llama-v3": "llama3",
}
CONTROL, USER_DEFINED, UNUSED = 3, 4, 5  # of `tokenizer.ggml.token_type`

# The steps of `pre_tokenizer` in a tokenizer.json → our split, as the file spells them.
BYTES = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True}
DIGITS = {"type": "Digits", "individual_digits": True}
LLAMA3 = {
    "type": "Split",
    "pattern": {
        "Regex": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    },
    "behavior": "Isolated",
    "invert": False,
}
STEPS = {
    "gpt2": [BYTES],
    "smollm": [DIGITS, BYTES],
    "llama3": [LLAMA3, {**BYTES, "use_regex": False}],
}

# What a file of the right format but the wrong shape raises on its way through.
MISSHAPEN = (ValueError, LookupError, TypeError, AttributeError, OverflowError)


def vocabulary_from_gguf(path: Path) -> Vocabulary:
    """Read the vocabulary of a GGUF file.

    Raises:
        TokenizerError: the file is damaged, or its tokenizer is none that Foretype reproduces.
    """
    from gguf import GGUFReader

    try:
        fields = GGUFReader(path).fields
        return _from_gguf(
            {
                key: field.contents()
                for key, field in fields.items()
                if key.startswith("tokenizer.ggml.") or key.count(".") == 1
            }
        )
    except TokenizerError as err:
        raise TokenizerError(f"{path}: {err}") from err
    except (OSError, *MISSHAPEN) as err:
        raise TokenizerError(f"{path} is no readable GGUF file ({err}); fetch it again") from err


def _from_gguf(fields: Mapping[str, Any]) -> Vocabulary:
    kind = fields.get("tokenizer.ggml.model")
    if kind != "gpt2":
        raise TokenizerError(f"its tokenizer is of the kind {kind!r}; {ONLY_BYTE_LEVEL}")
    architecture = fields.get("general.architecture")
    name = fields.get("tokenizer.ggml.pre", "default")
    # Old conversions name no pre-tokenizer; for GPT-2 itself there is no doubt which it is.
    if name == "default" and architecture == "gpt2":
        name = "gpt-2"
    if name not in GGUF_SPLITS:
        known = ", ".join(GGUF_SPLITS)
        raise TokenizerError(f"its pre-tokenizer is {name!r}; Foretype reproduces {known}")
    for key in ("tokens", "token_type", "merges"):
        if f"tokenizer.ggml.{key}" not in fields:
            raise TokenizerError(f"it lacks tokenizer.ggml.{key}; choose another conversion")
    tokens = fields["tokenizer.ggml.tokens"]
    types = fields["tokenizer.ggml.token_type"]
    special = _markup(
        (token, i, kind != USER_DEFINED)
        for i, (token, kind) in enumerate(zip(tokens, types, strict=True))
        if kind in (CONTROL, USER_DEFINED, UNUSED)
    )
    return Vocabulary.build(
        {token: i for i, token in enumerate(tokens) if token not in special},
        special,
        map(_pair, fields["tokenizer.ggml.merges"]),
        split=GGUF_SPLITS[name],
        end_of_text=_end_of_text(special, fields.get("tokenizer.ggml.eos_token_id")),
        vocab_size=fields.get(f"{architecture}.vocab_size"),
        whole_pieces=GGUF_SPLITS[name] == "llama3",
    )


def vocabulary_from_folder(folder: Path) -> Vocabulary:
    """Read `tokenizer.json`, else GPT-2's `encoder.json` and `vocab.bpe` (or their new names).

    V, and the end-of-text token if it has no usual name, come from `config.json` if there is one.

    Raises:
        TokenizerError: no file is there, one is damaged, or its tokenizer is none that Foretype
            reproduces.
    """
    try:
        config = _read_json(folder / "config.json") if (folder / "config.json").exists() else {}
        if (folder / "tokenizer.json").exists():
            return _from_tokenizer_json(_read_json(folder / "tokenizer.json"), config)
        for ids, merges in ("encoder.json", "vocab.bpe"), ("vocab.json", "merges.txt"):
            if (folder / ids).exists() and (folder / merges).exists():
                lines = (folder / merges).read_bytes().decode().split("\n")
                return _from_gpt2_files(_read_json(folder / ids), lines, config)
    except TokenizerError as err:
        raise TokenizerError(f"the tokenizer in {folder} cannot be used: {err}") from err
    except (OSError, *MISSHAPEN) as err:
        raise TokenizerError(f"the tokenizer in {folder} is damaged: {err!r}") from err
    if (folder / "tokenizer.model").exists():
        raise TokenizerError(f"{folder} has a tokenizer.model only; {ONLY_BYTE_LEVEL}")
    raise TokenizerError(
        f"{folder} has no tokenizer; it needs tokenizer.json, or encoder.json and vocab.bpe"
    )


def _from_tokenizer_json(data: Mapping[str, Any], config: Mapping[str, Any]) -> Vocabulary:
    """Source: the serialised form of huggingface/tokenizers, `tokenizers/src/models/bpe`."""
    bpe = data["model"]
    kind = bpe.get("type", "BPE")  # early files do not say
    if kind != "BPE" or bpe.get("byte_fallback"):
        raise TokenizerError(f"it is of the kind {kind!r}; {ONLY_BYTE_LEVEL}")
    for part in ("dropout", "continuing_subword_prefix", "end_of_word_suffix"):
        if bpe.get(part):
            raise TokenizerError(f"it has {part} {bpe[part]!r}, which Foretype cannot reproduce")
    if normalizer := data.get("normalizer"):
        raise TokenizerError(
            f"it rewrites text first (normalizer {normalizer['type']!r}), which would lose the "
            "positions of the tokens"
        )
    special = _markup(
        (token["content"], token["id"], token["special"]) for token in data.get("added_tokens", ())
    )
    return Vocabulary.build(
        {token: i for token, i in bpe["vocab"].items() if token not in special},
        special,
        map(_pair, bpe["merges"]),
        split=_split_of(data.get("pre_tokenizer")),
        end_of_text=_end_of_text(special, config.get("eos_token_id")),
        vocab_size=config.get("vocab_size"),
        whole_pieces=bool(bpe.get("ignore_merges")),
    )


def _split_of(pre_tokenizer: dict[str, Any] | None) -> str:
    steps = [pre_tokenizer or {}]
    if steps[0].get("type") == "Sequence":
        steps = steps[0]["pretokenizers"]
    for step in steps:
        step.pop("trim_offsets", None)  # concerns offsets, not ids
        if step.get("type") == "ByteLevel":
            step.setdefault("use_regex", True)  # early files do not say
    for split, known in STEPS.items():
        if steps == known:
            return split
    raise TokenizerError(
        f"it splits text by {json.dumps(steps)}; Foretype reproduces the pre-tokenizers of GPT-2, "
        "SmolLM2 and Llama 3"
    )


def _from_gpt2_files(
    ids: Mapping[str, int], merges: Iterable[str], config: Mapping[str, Any]
) -> Vocabulary:
    special = {name: ids[name] for name in END_OF_TEXT_NAMES if name in ids}
    return Vocabulary.build(
        {token: i for token, i in ids.items() if token not in special},
        special,
        (_pair(line) for line in merges if line and not line.startswith("#version")),
        split="gpt2",
        end_of_text=_end_of_text(special, config.get("eos_token_id")),
        vocab_size=config.get("vocab_size"),
    )


def _pair(merge: str | list[str]) -> tuple[str, str]:
    """The two halves of a merge, written "a b" or ["a", "b"]."""
    match merge.split() if isinstance(merge, str) else merge:
        case [str(left), str(right)]:
            return left, right
    raise TokenizerError(f"{merge!r} is no merge; it must name two tokens")


def _markup(tokens: Iterable[tuple[str, int, bool]]) -> dict[str, int]:
    """Ids of the tokens (name, id, special) that stand beside text; what a person types never is.

    The original takes tokens that are not special out of the text before it merges.  Where they
    are tags, such as <think>, they are markup all the same; where they are text, ids would differ.
    """
    names = {}
    for name, i, special in tokens:
        if not special and not name.startswith("<"):
            raise TokenizerError(
                f"it takes {name!r} out of the text before merging, which Foretype cannot reproduce"
            )
        names[name] = i
    return names


def _end_of_text(special: Mapping[str, int], declared: object) -> int:
    """The token between documents; an instruction-tuned model declares its end of turn instead."""
    for name in END_OF_TEXT_NAMES:
        if name in special:
            return special[name]
    if isinstance(declared, int):
        return declared
    raise TokenizerError("it has no end-of-text token, with which Foretype begins every text")


def _read_json(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as err:
        raise TokenizerError(f"{path.name} is not readable ({err}); fetch it again") from err
    if not isinstance(data, dict):
        raise TokenizerError(f"{path.name} holds a {type(data).__name__}; it must be an object")
    return data

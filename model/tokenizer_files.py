"""Vocabularies out of the files that models come with: GGUF, Hugging Face and GPT-2's own.

Reads and refuses; what is read is a `Vocabulary`.  Whatever Foretype could not encode exactly as
the original does is refused with the reason.

Sources: the GGUF keys `tokenizer.ggml.*` (ggml-org/ggml, docs/gguf.md); `tokenizer.json` as
huggingface/tokenizers writes it; `encoder.json` and `vocab.bpe` of openai/gpt-2.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from model.vocabulary import TokenizerError, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

END_OF_TEXT_NAMES = ("<|endoftext|>", "<|end_of_text|>")
SENTENCEPIECE = "only byte-level BPE works (GPT-2, SmolLM2, Llama 3), SentencePiece does not"

# `tokenizer.ggml.pre` → our split.  A GGUF carries a name for its pre-tokenizer, not the rules.
GGUF_SPLITS = {
    "gpt-2": "gpt2",
    "smollm": "smollm",
    "starcoder": "smollm",
    "llama-bpe": "llama3",
    "llama3": "llama3",
    "llama-v3": "llama3",
}
# llama.cpp keeps these apart from text: control, user-defined and unused tokens.
GGUF_SPECIAL_TYPES = (3, 4, 5)

# The regular expression of a `Split` step → our split.
REGEX_SPLITS = {
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+": "llama3",
}


def vocabulary_from_gguf(path: Path) -> Vocabulary:
    """Read the vocabulary of a GGUF file.

    Raises:
        TokenizerError: the file is damaged, or its tokenizer is none that Foretype reproduces.
    """
    from gguf import GGUFReader

    try:
        fields = GGUFReader(path).fields
        wanted = {key: field.contents() for key, field in fields.items()
                  if key.startswith("tokenizer.ggml.") or key.count(".") == 1}  # fmt: skip
        return _from_gguf(wanted)
    except TokenizerError as err:
        raise TokenizerError(f"{path.name}: {err}") from err
    except (OSError, ValueError, LookupError, OverflowError) as err:
        raise TokenizerError(f"{path.name} is no readable GGUF file ({err})") from err


def _from_gguf(fields: Mapping[str, Any]) -> Vocabulary:
    kind = fields.get("tokenizer.ggml.model")
    if kind != "gpt2":
        raise TokenizerError(f"its tokenizer is of the kind {kind!r}; {SENTENCEPIECE}")
    architecture = fields.get("general.architecture")
    name = fields.get("tokenizer.ggml.pre", "default")
    # Old conversions name no pre-tokenizer; for GPT-2 itself there is no doubt which it is.
    if name == "default" and architecture == "gpt2":
        name = "gpt-2"
    if name not in GGUF_SPLITS:
        raise TokenizerError(
            f"its pre-tokenizer is {name!r}; Foretype reproduces {', '.join(GGUF_SPLITS)}"
        )
    missing = {"tokens", "token_type", "merges"} - {key.rpartition(".")[2] for key in fields}
    if missing:
        raise TokenizerError(f"it lacks tokenizer.ggml.{min(missing)}; choose another conversion")
    tokens = fields["tokenizer.ggml.tokens"]
    types = fields["tokenizer.ggml.token_type"]
    special = {t: i for i, (t, kind) in enumerate(zip(tokens, types, strict=True))
               if kind in GGUF_SPECIAL_TYPES}  # fmt: skip
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

    V and the end-of-text token come from `config.json` where there is one.

    Raises:
        TokenizerError: no file is there, one is damaged, or its tokenizer is none that Foretype
            reproduces.
    """
    config = _read_json(folder / "config.json") if (folder / "config.json").exists() else {}
    if (file := folder / "tokenizer.json").exists():
        try:
            return _from_tokenizer_json(_read_json(file), config)
        except (KeyError, TypeError, AttributeError) as err:
            raise TokenizerError(f"{file} is no tokenizer of Hugging Face: {err!r}") from err
    for ids, merges in ("encoder.json", "vocab.bpe"), ("vocab.json", "merges.txt"):
        if (folder / ids).exists() and (folder / merges).exists():
            return _from_gpt2_files(_read_json(folder / ids), folder / merges, config)
    if (folder / "tokenizer.model").exists():
        raise TokenizerError(f"{folder} has a tokenizer.model; {SENTENCEPIECE}")
    raise TokenizerError(
        f"{folder} has no tokenizer; it needs tokenizer.json, or encoder.json and vocab.bpe"
    )


def _from_tokenizer_json(data: Mapping[str, Any], config: Mapping[str, Any]) -> Vocabulary:
    """Source: the serialised form of huggingface/tokenizers, `tokenizers/src/models/bpe`."""
    bpe = data["model"]
    if bpe.get("type", "BPE") != "BPE" or bpe.get("byte_fallback"):
        raise TokenizerError(f"its tokenizer is of the kind {bpe.get('type')!r}; {SENTENCEPIECE}")
    for part in ("dropout", "continuing_subword_prefix", "end_of_word_suffix"):
        if bpe.get(part):
            raise TokenizerError(f"its BPE has {part} {bpe[part]!r}, which Foretype leaves out")
    if normalizer := data.get("normalizer"):
        raise TokenizerError(
            f"it rewrites text first (normalizer {normalizer.get('type')!r}); positions would be "
            "lost, so Foretype takes tokenizers without one"
        )
    split = _split_of(data.get("pre_tokenizer"))
    special = _added_tokens(data.get("added_tokens") or [])
    return Vocabulary.build(
        {token: i for token, i in bpe["vocab"].items() if token not in special},
        special,
        map(_pair, bpe["merges"]),
        split=split,
        end_of_text=_end_of_text(special, config.get("eos_token_id")),
        vocab_size=config.get("vocab_size"),
        whole_pieces=bool(bpe.get("ignore_merges")),
    )


def _split_of(pre_tokenizer: dict[str, Any] | None) -> str:
    steps = [pre_tokenizer] if pre_tokenizer else []
    if pre_tokenizer and pre_tokenizer["type"] == "Sequence":
        steps = pre_tokenizer["pretokenizers"]
    match steps:
        case [{"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}]:
            pass
        case [{"type": "ByteLevel", "add_prefix_space": False}]:
            return "gpt2"
        case [
            {"type": "Digits", "individual_digits": True},
            {"type": "ByteLevel", "add_prefix_space": False, **rest},
        ] if rest.get("use_regex", True):
            return "smollm"
        case [
            {"type": "Split", "pattern": {"Regex": regex}, "behavior": "Isolated", "invert": False},
            {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False},
        ] if regex in REGEX_SPLITS:
            return REGEX_SPLITS[regex]
    raise TokenizerError(
        f"its pre-tokenizer is {json.dumps(steps, ensure_ascii=False)}; Foretype reproduces those "
        "of GPT-2, SmolLM2 and Llama 3"
    )


def _added_tokens(added: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Added tokens are markup here, never text; one that is ordinary text is refused."""
    for token in added:
        if not token["special"] and not token["content"].startswith("<"):
            raise TokenizerError(
                f"it takes {token['content']!r} out of the text before merging, which Foretype "
                "cannot reproduce; choose another model"
            )
    return {token["content"]: token["id"] for token in added}


def _from_gpt2_files(ids: Mapping[str, int], merges: Path, config: Mapping[str, Any]) -> Vocabulary:
    special = {name: ids[name] for name in END_OF_TEXT_NAMES if name in ids}
    try:
        lines = merges.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as err:
        raise TokenizerError(f"{merges} is not readable ({err})") from err
    return Vocabulary.build(
        {token: i for token, i in ids.items() if token not in special},
        special,
        (_pair(line) for line in lines if line.strip() and not line.startswith("#version")),
        split="gpt2",
        end_of_text=_end_of_text(special, config.get("eos_token_id")),
        vocab_size=config.get("vocab_size"),
    )


def _pair(merge: str | list[str]) -> tuple[str, str]:
    """The two halves of a merge, written "a b" or ["a", "b"]."""
    match merge.split(" ") if isinstance(merge, str) else merge:
        case [str(left), str(right)]:
            return left, right
    raise TokenizerError(f"{merge!r} is no merge; it must name two tokens")


def _end_of_text(special: Mapping[str, int], declared: object) -> int:
    """The token between documents; an instruction-tuned model declares its end of turn instead."""
    for name in END_OF_TEXT_NAMES:
        if name in special:
            return special[name]
    if isinstance(declared, int):
        return declared
    raise TokenizerError("it has no end-of-text token, which Foretype starts every text with")


def _read_json(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as err:
        raise TokenizerError(f"{path} is not readable ({err}); download it again") from err
    if not isinstance(data, dict):
        raise TokenizerError(f"{path} holds a JSON {type(data).__name__}; it must be an object")
    return data

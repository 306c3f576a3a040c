"""Bytes written as visible characters, as every byte-level BPE vocabulary file does since GPT-2.

Source: `bytes_to_unicode` of openai/gpt-2.
"""

from __future__ import annotations


class TokenizerError(ValueError):
    """A vocabulary or a tokenizer file that Foretype cannot use."""


def _byte_alphabet() -> str:
    """The character GPT-2 writes for each byte: itself where visible, else one from U+0100 on."""
    visible = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    spare = iter(range(0x100, 0x200))
    return "".join(chr(byte if byte in visible else next(spare)) for byte in range(256))


_ALPHABET = _byte_alphabet()
_TO_LATIN1 = {ord(char): byte for byte, char in enumerate(_ALPHABET)}
# Latin-1 characters outside the alphabet must not pass as the bytes that they happen to equal.
_TO_LATIN1 |= {code: 0xFFFF for code in range(256) if code not in _TO_LATIN1}


def bytes_of(piece: str) -> bytes:
    """The bytes that a piece in GPT-2's visible alphabet stands for.

    Raises:
        TokenizerError: a character is outside the alphabet.
    """
    try:
        return piece.translate(_TO_LATIN1).encode("latin-1")
    except UnicodeEncodeError as err:
        raise TokenizerError(
            f"the piece {piece!r} is not written in GPT-2's byte alphabet; only byte-level BPE "
            "vocabularies (GPT-2, SmolLM2, Llama 3) work, SentencePiece ones do not"
        ) from err


def visible(piece: bytes) -> str:
    """The inverse of `bytes_of`."""
    return piece.decode("latin-1").translate(_ALPHABET)

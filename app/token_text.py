"""How a token is shown and said: white space made visible, parts of a character in hex."""

from __future__ import annotations

from app.translation import marked, tr

VISIBLE = {" ": "·", "\n": "↵", "\t": "⇥", "\r": "␍", "\u00a0": "⍽"}
SPOKEN = {
    " ": marked("space "),
    "\n": marked("line end "),
    "\t": marked("tab "),
    "\r": marked("return "),
    "\u00a0": marked("space "),
}
END_OF_TEXT = marked("end of text")


def visible(piece: bytes) -> str:
    """Return a token's bytes as text that shows white space; parts of a character as hex."""
    if not piece:
        return tr(END_OF_TEXT)
    text = insertable(piece)
    if text is None:
        return piece.hex(" ").upper()
    return "".join(
        VISIBLE.get(character, character if character.isprintable() else f"U+{ord(character):04X}")
        for character in text
    )


def quoted(piece: bytes) -> str:
    """Return a token as a word of a sentence: “,” would else be lost among the commas."""
    text = visible(piece)
    return text if insertable(piece) is None else f"“{text}”"


def spoken(piece: bytes) -> str:
    """Return a token as a screen reader should say it; one space before a word goes unsaid."""
    text = insertable(piece)
    if text is None:
        return visible(piece)
    text = text[1:] if text.startswith(" ") and text != " " else text
    return "".join(
        tr(SPOKEN[character]) if character in SPOKEN else character for character in text
    ).strip()


def insertable(piece: bytes) -> str | None:
    """Return a token as text, or None if it is a part of a character or no text at all."""
    try:
        return piece.decode() or None
    except UnicodeDecodeError:
        return None

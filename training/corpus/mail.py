"""Mail (.eml, .mbox) → what its sender wrote: no quoted replies, no signature, no disclaimer."""

from __future__ import annotations

import email
import email.policy
import email.utils
import re
from typing import TYPE_CHECKING, Any

from training.corpus.cleaning import unwrap
from training.corpus.decoding import read_whole
from training.corpus.document import CorpusOptions, Document, Tally, Unreadable, in_utc
from training.corpus.markup import paragraphs_of_html

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from email.message import EmailMessage

    from training.corpus.files import Source

MOST_BYTES = 1 << 26  # of a message with its attachments
LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "da", "sv", "pl", "cs"]
_SIGNATURE = re.compile(
    r"\n(?:--|__+|[-_=*]{5,})[ \t]*\n.*"
    r"|\n(?:Sent from my|Sent from|Get Outlook for|Gesendet von|Von meinem|Envoyé d|Enviado desd"
    r"|Inviato da|Verzonden vanaf|Skickat från|Sendt fra|Wysłano z|Odesláno z)\b.*",
    re.DOTALL,
)
_CLOSING = re.compile(
    r"\W*(?:(?:kind|best|warm(?:est)?|with) +)*(?:regards|wishes|cheers|thanks|thank you|sincerely"
    r"|yours(?: \w+)?|love|best|mit freundlichen grüßen|(?:viele|liebe|beste) grüße|lg|mfg"
    r"|cordialement|bien à vous|saludos|un saludo|cordiali saluti|met vriendelijke groet)\W*",
    re.IGNORECASE,
)
LINES_AFTER_CLOSING = range(2, 12)  # a name stays; titles, telephones and addresses go


def read_eml(source: Source, _options: CorpusOptions, _tally: Tally) -> Iterator[Document]:
    """The one message of a file."""
    yield from _message(read_whole(source, MOST_BYTES), source.name)


def read_mbox(source: Source, _options: CorpusOptions, tally: Tally) -> Iterator[Document]:
    """The messages of a mailbox, one after the other; it is never in memory as a whole."""
    for number, data in enumerate(_messages(source), 1):
        try:
            yield from _message(data, f"{source.name}, message {number}")
        except (LookupError, ValueError, TypeError, AttributeError) as err:
            tally.leave_out("messages", f"they are damaged ({type(err).__name__})")


def _messages(source: Source) -> Iterator[bytes]:
    """The bytes of each message; a longer one than may be is cut, in its attachments."""
    lines: list[bytes] = []
    size, after_blank = 0, True
    with source.open() as stream:
        while line := stream.readline(MOST_BYTES):
            if after_blank and line.startswith(b"From "):
                if lines:
                    yield b"".join(lines)
                lines, size = [], 0
            elif size < MOST_BYTES:
                lines.append(line[line.startswith(b">From ") :])  # so it was hidden from the above
                size += len(line)
            after_blank = not line.strip()
    if lines:
        yield b"".join(lines)


def _message(data: bytes, where: str) -> Iterator[Document]:
    message = email.message_from_bytes(data, policy=email.policy.default)
    name, address = email.utils.parseaddr(str(message.get("from", "")))
    if not (name or address):
        raise Unreadable("it is no mail: it has no sender")
    text = own_words(_body(message))
    author = f"{name} <{address}>" if name and address else name or address
    yield Document(text, where, _date(message), where.partition(", message ")[0], author)


def _body(message: EmailMessage) -> str:
    part: Any = message.get_body(("plain", "html"))
    if part is None:
        return ""
    try:
        content = str(part.get_content())
    except LookupError:  # a charset that nobody knows
        content = part.get_payload(decode=True).decode("utf-8", "replace")
    if part.get_content_type() == "text/html":
        return "\n\n".join(paragraphs_of_html(content))
    if part.get_param("format", "").lower() == "flowed":
        content = re.sub(r"(?m)(?<!^--) \n(?!>)", " ", content)
    return content


def own_words(body: str) -> str:
    """What the sender wrote, of the plain text of a mail; what separates replies knows a library.

    Its rules for signatures would also cut a mail after a "Thanks," at its start: ours are milder.
    """
    from mailparser_reply import EmailReplyParser

    body = body.replace("\r\n", "\n")
    replies = EmailReplyParser(languages=LANGUAGES).read(body).replies
    written = ""
    for reply in replies[:2]:
        is_quoted = any(line.startswith(">") for line in reply.content.split("\n"))
        if written or (reply.headers and not is_quoted):
            break  # what was answered or forwarded
        text = reply.content.replace(reply.headers or "", "")
        written = "\n".join(line for line in text.split("\n") if not line.startswith(">")).strip()
    return unwrap(_without_signature(written))


def _without_signature(text: str) -> str:
    lines = _SIGNATURE.sub("", f"\n{text}").strip().split("\n")
    for place in range(len(lines) - 1, 0, -1):
        if _CLOSING.fullmatch(lines[place]) and len(lines) - place - 1 in LINES_AFTER_CLOSING:
            names = [line for line in lines[place + 1 :] if line.strip()][:1]
            return "\n".join([*lines[: place + 1], *names])
    return "\n".join(lines)


def _date(message: EmailMessage) -> datetime | None:
    try:
        return in_utc(email.utils.parsedate_to_datetime(str(message["date"])))
    except (ValueError, TypeError, OverflowError):
        return None

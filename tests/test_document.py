from __future__ import annotations

import codecs
import os
from pathlib import Path

import pytest

from app import atomic
from app.document import (
    LARGEST_FILE_BYTES,
    Document,
    DocumentError,
    UnencodableError,
    read_document,
)

FRENCH = "Où est le café ? Voilà, l’été à Paris, très agréable. C’est déjà fini, hélas.\r\n"
RUSSIAN = "Привет, как дела? Это простой текст на русском языке.\n"
JAPANESE = "日本語のテキストです。今日はいい天気ですね。\n"

FILES = {
    "empty": b"",
    "one line": b"one line",
    "unix": b"one\ntwo\n",
    "dos": b"one\r\ntwo\r\n",
    "old mac": b"one\rtwo\r",
    "mixed": b"one\r\ntwo\nthree\rfour\r\n\n",
    "utf-8": "naïve 😀 e\u0301 \u00a0nbsp \u2028 soft\n".encode(),
    "utf-8 with mark": codecs.BOM_UTF8 + "é\r\n".encode(),
    "utf-16-le": codecs.BOM_UTF16_LE + "a\r\n😀".encode("utf-16-le"),
    "utf-16-be": codecs.BOM_UTF16_BE + "a\n😀".encode("utf-16-be"),
    "utf-32-le": codecs.BOM_UTF32_LE + "a\n😀".encode("utf-32-le"),
    "utf-16 without mark": "plain English text\r\n".encode("utf-16-le"),
    "paragraph separator": "a\u2029b\nc\n".encode(),
    "non-characters": "a\ufdd0b\ufdd1\n".encode(),
    "french": FRENCH.encode("cp1252"),
    "short latin": "naïve".encode("latin-1"),
    "russian": RUSSIAN.encode("cp1251"),
    "russian koi8": RUSSIAN.encode("koi8_r"),
    "japanese": JAPANESE.encode("shift_jis"),
    "form feed and tabs": b"a\x0c\tb\x0b\n",
}


def written(folder: Path, data: bytes) -> Path:
    path = folder / "text.txt"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("data", FILES.values(), ids=FILES.keys())
def test_reading_and_saving_changes_no_byte(tmp_path: Path, data: bytes) -> None:
    path = written(tmp_path, data)
    document, text = read_document(path)
    document.save(text)
    assert path.read_bytes() == data


@pytest.mark.parametrize("data", FILES.values(), ids=FILES.keys())
def test_one_more_character_changes_nothing_else(tmp_path: Path, data: bytes) -> None:
    path = written(tmp_path, data)
    document, text = read_document(path)
    document = document.save("x" + text)
    more = path.read_bytes()
    assert len(more) == len(data) + len("x".encode(document.encoding))
    assert more.startswith(document.mark + "x".encode(document.encoding))
    assert more.endswith(data[len(document.mark) :])
    document.save(text)
    assert path.read_bytes() == data


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (FRENCH.encode("cp1252"), FRENCH.replace("\r", "")),
        (RUSSIAN.encode("koi8_r"), RUSSIAN),
        (JAPANESE.encode("euc_jp"), JAPANESE),
        ("naïve".encode("latin-1"), "naïve"),
        ("“quoted”".encode("cp1252"), "“quoted”"),
    ],
)
def test_legacy_encodings_are_recognised(tmp_path: Path, data: bytes, text: str) -> None:
    assert read_document(written(tmp_path, data))[1] == text


def test_the_editor_sees_only_newlines(tmp_path: Path) -> None:
    assert read_document(written(tmp_path, FILES["mixed"]))[1] == "one\ntwo\nthree\nfour\n\n"


BINARY = {
    "png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)),
    "zeros": bytes(1000),
    "elf": b"\x7fELF\x02\x01\x01\0\0\0\0\0" * 40,
    "damaged utf-16": codecs.BOM_UTF16_LE + b"\x00\xd8a",
    "damaged utf-8 with mark": codecs.BOM_UTF8 + b"\xff\xfe\xfd",
}


@pytest.mark.parametrize("data", BINARY.values(), ids=BINARY.keys())
def test_what_is_not_text_is_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(DocumentError, match=r"text\.txt is (not a text|marked as)"):
        read_document(written(tmp_path, data))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=r"absent\.txt: No such file"):
        read_document(tmp_path / "absent.txt")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="is a folder"):
        read_document(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_does_not_hang_the_window(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DocumentError, match="not a regular file"):
        read_document(tmp_path / "pipe")


def test_a_forbidden_file_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)  # the tests may run as root
    with pytest.raises(DocumentError, match="Permission denied"):
        read_document(written(tmp_path, b"secret"))


def test_an_enormous_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge.txt"
    with path.open("wb") as file:
        file.truncate(LARGEST_FILE_BYTES + 1)  # sparse: takes no space
    with pytest.raises(DocumentError, match="opens at most"):
        read_document(path)


def test_a_character_the_encoding_lacks_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, FRENCH.encode("cp1252"))
    document, text = read_document(path)
    with pytest.raises(UnencodableError, match=r"'→'.*save it as UTF-8"):
        document.save(text + "→")
    assert path.read_bytes() == FRENCH.encode("cp1252")
    document.as_utf8().save(text + "→")
    assert path.read_bytes() == (FRENCH + "→").encode()


def test_saving_keeps_permissions_and_links(tmp_path: Path) -> None:
    path = written(tmp_path, b"old")
    path.chmod(0o640)
    link = tmp_path / "link.txt"
    link.symlink_to(path)
    document, _ = read_document(link)
    document.save("new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_failed_save_leaves_the_old_file_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, b"old")
    document, _ = read_document(path)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(atomic.os, "replace", full)
    with pytest.raises(DocumentError, match=r"No space left.*unchanged"):
        document.save("new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.glob(".foretype*")) == []


def test_a_read_only_file_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, b"old")
    document, _ = read_document(path)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(DocumentError, match="read-only"):
        document.save("new")
    assert path.read_bytes() == b"old"


def test_a_new_file_gets_the_users_usual_permissions(tmp_path: Path) -> None:
    umask = os.umask(0o027)
    try:
        Document().save("text", tmp_path / "new.txt")
    finally:
        os.umask(umask)
    assert (tmp_path / "new.txt").stat().st_mode & 0o777 == 0o640


def test_a_change_by_another_program_is_noticed(tmp_path: Path) -> None:
    path = written(tmp_path, b"old")
    document, text = read_document(path)
    assert not document.is_changed_on_disk()
    path.write_bytes(b"other")
    assert document.is_changed_on_disk()
    assert not document.save(text).is_changed_on_disk()

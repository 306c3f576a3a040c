"""`foretype models`: the user's models as a table, and what can be done with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app import models
from app.commands import loading
from model.bundle import verify_bundle
from model.known_models import DEFAULT_MODEL, KNOWN

if TYPE_CHECKING:
    from model.catalogue import Installed


def show() -> None:
    """Print the installed models and those that can be installed by name."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    catalogue = models.catalogue()
    selected = catalogue.selected()
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("", "model", "size", "precision", "perplexity", "licence", ""):
        table.add_column(title, justify="right" if title in ("size", "perplexity") else "left")
    for entry in catalogue.installed():
        table.add_row(
            "●" if entry.name == selected else "",
            entry.name,
            f"{entry.size_bytes / 1e6:,.0f} MB",
            entry.precision,
            _perplexity(entry),
            entry.licence,
            Text(entry.problem or "", style="red"),
        )
    for name, known in KNOWN.items():
        if name not in catalogue.names():
            size = f"{known.download_bytes / 1e6:,.0f} MB"
            row = ("", name, size, "", "", known.licence, "not installed")
            table.add_row(*(Text(cell, style="dim") for cell in row))
    Console().print(table)


def install(source: str, options: list[str]) -> None:
    """Install a model and say under which name."""
    done = loading.install(source, options)
    selected = models.catalogue().selected() == done.name
    hint = "" if selected else f"; to use it: foretype models select {done.name}"
    print(f"{done.name} is installed{'' if done.is_new else ' already'}{hint}")


def remove(name: str) -> None:
    """Delete an installed model."""
    models.catalogue().remove(name)
    print(f"{name} is removed")


def select(name: str) -> None:
    """Use this model when none is named."""
    models.catalogue().select(name)
    print(f"{name} is selected")


def verify(name: str | None) -> None:
    """Compare every file of a model with its SHA-256."""
    catalogue = models.catalogue()
    name = name or catalogue.selected() or DEFAULT_MODEL
    bundle = verify_bundle(catalogue.folder(name))
    bundle.tokenizer()
    print(f"{name} is whole: {len(bundle.card['files'])} files, {bundle.size_bytes / 1e6:,.0f} MB")


def _perplexity(entry: Installed) -> str:
    value = entry.perplexity.get("exported")
    return f"{value:.1f}" if isinstance(value, float) else ""

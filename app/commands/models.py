"""`foretype models`: the user's models as a table, and what can be done with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app import models
from app.commands import loading
from app.personalise import measures
from model.bundle import verify_bundle
from model.known_models import DEFAULT_MODEL, KNOWN
from model.versions import KEPT_VERSIONS, short_version

if TYPE_CHECKING:
    from rich.console import Console

    from model.catalogue import Installed


def show() -> None:
    """Print the installed models, their versions, and those that can be installed by name."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    catalogue, console = models.catalogue(), Console()
    selected = catalogue.selected()
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("", "model", "size", "precision", "perplexity", "licence", ""):
        table.add_column(title, justify="right" if title in ("size", "perplexity") else "left")
    for entry in catalogue.installed():
        table.add_row(
            "●" if entry.name == selected else "",
            entry.name,
            _megabytes(entry.size_bytes),
            entry.precision,
            _perplexity(entry),
            entry.licence,
            Text(entry.problem, style="red") if entry.problem else _with(entry.adapter),
        )
    for name, known in KNOWN.items():
        if name not in catalogue.names():
            row = ("", name, _megabytes(known.download_bytes), "", "", known.licence)
            table.add_row(*(Text(cell, style="dim") for cell in (*row, "not installed")))
    console.print(table)
    for entry in catalogue.installed():
        versions = catalogue.versions(entry.name)
        if len(versions) > 1 or entry.trained:
            _show_versions(console, entry, versions)


def _with(adapter: str) -> str:
    """What was merged into a model when it was installed."""
    return f"with {adapter}" if adapter else ""


def _show_versions(console: Console, in_use: Installed, versions: list[Installed]) -> None:
    from rich.table import Table
    from rich.text import Text

    size = _megabytes(sum(entry.size_bytes for entry in versions))
    count = "1 version" if len(versions) == 1 else f"{len(versions)} versions"
    console.print(f"\n{in_use.name}: {count}, {size} (at most {KEPT_VERSIONS} are kept)")
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("", "version", "trained on", "before → after"):
        table.add_column(title, no_wrap=title == "version")
    names = [entry.version for entry in versions]
    for entry in versions:
        changes = measures.changes(entry.scores.get("before"), entry.scores.get("after"))
        told = [f"{c.measure.title.lower()} {c}" for c in changes if c.measure in TOLD]
        table.add_row(
            "●" if entry.version == in_use.version else "",
            short_version(entry.version, names),
            Text(entry.problem, style="red") if entry.problem else _trained(entry),
            "\n".join(told),
        )
    console.print(table)


TOLD = (measures.SAVED, measures.PERPLEXITY)


def _trained(entry: Installed) -> str:
    """How a version was trained, such as `12 texts, 4,821 tokens; from smollm2-135m, 9 minutes`."""
    said = entry.trained
    if not said:
        return "as installed"
    texts, tokens, seconds = (said.get(key) for key in ("documents", "tokens", "seconds"))
    amount = [f"{texts:,} text{'s' * (texts != 1)}"] if isinstance(texts, int) else []
    amount += [f"{tokens:,} tokens"] if isinstance(tokens, int) else []
    made = [f"from {said['base']}"] if said.get("base") else []
    made += [measures.duration(seconds)] if isinstance(seconds, int | float) else []
    return "; ".join(", ".join(part) for part in (amount, made) if part)


def install(source: str, options: list[str]) -> None:
    """Install a model and say under which name."""
    done = loading.install(source, options)
    selected = models.catalogue().selected() == done.name
    hint = "" if selected else f"; to use it: foretype models select {done.name}"
    print(f"{done.name} is installed{'' if done.is_new else ' already'}{hint}")


def remove(reference: str) -> None:
    """Delete an installed model, or one version of it."""
    models.catalogue().remove(reference)
    print(f"{reference} is removed")


def select(reference: str) -> None:
    """Use this model, or this version of it, when none is named."""
    models.catalogue().select(reference)
    print(f"{reference} is selected")


def rollback(name: str | None, to: str | None) -> None:
    """Return to an earlier version of a model, or to what it was trained from."""
    catalogue = models.catalogue()
    name = name or catalogue.selected() or DEFAULT_MODEL
    left = catalogue.folder(name).name
    entry = catalogue.rollback(name, to)
    if entry.name != name:
        print(
            f"{name} has no earlier version; {entry.name}, which it was trained from, is selected "
            f"now (forward again: foretype models select {name})"
        )
        return
    names = [version.version for version in catalogue.versions(name)]
    print(
        f"{name} is now version {short_version(entry.version, names)}: {_trained(entry)} (forward "
        f"again: foretype models rollback {name} --to {short_version(left, names)})"
    )


def prune(name: str | None, keep: int) -> None:
    """Delete the versions of one model, or of all, that are not in use."""
    catalogue = models.catalogue()
    names = [name] if name else catalogue.names()
    freed = sum(catalogue.prune(name, keep) for name in names)
    print(f"{_megabytes(freed)} freed")


def verify(reference: str | None) -> None:
    """Compare every file of a model with its SHA-256."""
    catalogue = models.catalogue()
    reference = reference or catalogue.selected() or DEFAULT_MODEL
    bundle = verify_bundle(catalogue.folder(reference))
    bundle.tokenizer()
    files = len(bundle.card["files"])
    print(f"{reference} is whole: {files} files, {_megabytes(bundle.size_bytes)}")


def _perplexity(entry: Installed) -> str:
    value = entry.perplexity.get("exported")
    return f"{value:.1f}" if isinstance(value, float) else ""


def _megabytes(size_bytes: int) -> str:
    return f"{size_bytes / 1e6:,.0f} MB"

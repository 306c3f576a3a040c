"""One installed version of a model, and what its card says of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from model.bundle import Bundle, BundleError, load_bundle

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Installed:
    """One version of a model; `problem` says why it cannot be used, if it cannot."""

    name: str
    folder: Path
    bundle: Bundle | None
    problem: str | None = None

    @property
    def version(self) -> str:
        """What tells this version from the model's other ones; later ones sort later."""
        return self.folder.name

    @property
    def size_bytes(self) -> int:
        """Bytes on disk, counted and not believed."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())

    @property
    def created(self) -> str:
        """When it was made, such as `2026-01-31T23:59:59Z`; "" if its card is lost."""
        return str(self._card.get("created", ""))

    @property
    def precision(self) -> str:
        """How the weights are stored, such as `int8`."""
        return str(self._card.get("precision", "unknown"))

    @property
    def licence(self) -> str:
        """The licence of the weights, as their card names it."""
        return str(self._card.get("licence") or "unknown")

    @property
    def adapter(self) -> str:
        """The name of the adapter merged into it; "" where there is none."""
        return str(self._object("adapter").get("name", ""))

    @property
    def perplexity(self) -> dict[str, Any]:
        """Perplexity on the reference text, `reference` in float and `exported` as it is stored."""
        return self._object("perplexity")

    @property
    def trained(self) -> dict[str, Any]:
        """How it was trained: `base`, `base_version`, `method`, `documents`, `tokens`, `seconds`.

        Empty for a model that was not trained here.
        """
        return self._object("trained")

    @property
    def scores(self) -> dict[str, Any]:
        """What training changed: `before` and `after`, measures by name, and a `verdict`."""
        return self._object("scores")

    def _object(self, key: str) -> dict[str, Any]:
        found = self._card.get(key)
        return found if isinstance(found, dict) else {}

    @property
    def _card(self) -> dict[str, Any]:
        return self.bundle.card if self.bundle else {}


def look_at(name: str, folder: Path) -> Installed:
    """Open a version of the model `name`, or find out what is wrong with it."""
    try:
        return Installed(name, folder, load_bundle(folder))
    except BundleError as err:
        return Installed(name, folder, None, str(err))

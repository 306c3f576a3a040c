"""Which model is at work: found at the start, installed if missing, changed from the menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QInputDialog, QMenu, QMessageBox, QWidget

from app import models
from app.menus import Item, choice, fill
from model.bundle import BundleError, load_bundle
from model.catalogue import CatalogueError
from model.known_models import KNOWN

if TYPE_CHECKING:
    from pathlib import Path

    from app.first_start import ModelInstaller
    from app.prediction import PredictionController

ASK = (
    "A known name (smollm2-135m, gpt2), a model of the Hugging Face Hub as owner/name,\n"
    "or the path of a folder or .gguf file on this computer:"
)


def title_of(name: str) -> str:
    """Return a model's name as a person would write it."""
    return KNOWN[name].title if name in KNOWN else name


class ModelChoice(QObject):
    """Decides which model the controller loads.

    Signals:
        changed(str): what the status bar should say of the model.
        failed(str): the model asked for cannot be used, and why.
    """

    changed = Signal(str)
    failed = Signal(str)

    def __init__(
        self, controller: PredictionController, installer: ModelInstaller, window: QWidget
    ) -> None:
        super().__init__(window)
        self.name = ""  # of the model at work
        self._folder: Path | None = None
        self._wanted: tuple[str, Path] | None = None  # the model asked for last
        self._controller, self._installer, self._window = controller, installer, window
        controller.ready.connect(self._on_ready)
        controller.failed.connect(self._on_controller_failed)
        installer.installed.connect(self._on_installed)
        installer.given_up.connect(self._on_given_up)

    @property
    def title(self) -> str:
        """The model's name as a person would write it."""
        return title_of(self.name)

    def start(self, reference: str | None) -> None:
        """Load the model `reference` means (None: the selected one), installing it if missing."""
        try:
            models.catalogue().recover()
            folder = models.find(reference)
        except (CatalogueError, OSError) as err:
            self.failed.emit(f"The model could not be loaded: {err}")
            return
        if folder is None:
            self.install(models.wanted(reference))
        else:
            self._load(models.name_of(folder), folder)

    @Slot()
    def reload(self) -> None:
        """Try again, after a failure."""
        if self._wanted:
            self._load(*self._wanted)
        else:
            self.start(None)

    def install(self, source: str) -> None:
        """Install a model and load it when it is there."""
        self._installer.show()
        self._installer.install(source)

    def fill(self, menu: QMenu) -> None:
        """Make the Model menu anew: what is installed may have changed."""
        menu.clear()
        installed = models.catalogue().installed()
        options = [(entry.name, title_of(entry.name)) for entry in installed]
        group = choice(menu, menu, options, self.name, self._select)
        for action, entry in zip(group.actions(), installed, strict=True):
            action.setEnabled(entry.problem is None)
            action.setToolTip(entry.problem or "")
        if not installed:
            menu.addAction("No model installed").setEnabled(False)
        menu.setToolTipsVisible(True)
        fill(
            menu, [None, Item("Install a Model…", self._ask), Item("About This Model", self.about)]
        )

    @Slot()
    def about(self) -> None:
        """Say where the model comes from, its licence and its measure."""
        if self._folder is None:
            QMessageBox.information(self._window, "Model", "No model is loaded yet.")
            return
        try:
            bundle = load_bundle(self._folder)
        except BundleError as err:
            QMessageBox.warning(self._window, "Model", f"{err}.")
            return
        card, config = bundle.card, bundle.config
        box = QMessageBox(QMessageBox.Icon.NoIcon, "Model", title_of(self.name))
        box.setInformativeText(
            f"{config.layers} layers of width {config.width}, "
            f"a vocabulary of {config.vocab_size:,} tokens, "
            f"a context of up to {config.context_tokens:,}.\n\n"
            f"Licence: {card.get('licence') or 'unknown'}\n"
            f"Weights: {card.get('precision') or 'unknown'}, {bundle.size_bytes / 1e6:.0f} MB\n"
            f"Folder: {self._folder}"
        )
        box.exec()

    def _select(self, name: str) -> None:
        catalogue = models.catalogue()
        try:
            catalogue.select(name)
            self._load(name, catalogue.folder(name))
        except (CatalogueError, BundleError, OSError) as err:
            self.failed.emit(f"{title_of(name)} cannot be used: {err}")

    def _ask(self) -> None:
        source, agreed = QInputDialog.getText(self._window, "Install a Model", ASK)
        if agreed and source.strip():
            self.install(source.strip())

    def _load(self, name: str, folder: Path) -> None:
        self._wanted = (name, folder)
        self.changed.emit(f"Loading {title_of(name)} …")
        self._controller.load(folder)

    @Slot()
    def _on_ready(self) -> None:
        if self._wanted:
            self.name, self._folder = self._wanted
        self.changed.emit(self.title)

    @Slot()
    def _on_controller_failed(self) -> None:
        self.changed.emit(self.title if self._controller.is_ready else "No model at work")

    @Slot(str, object)
    def _on_installed(self, name: str, folder: Path) -> None:
        self._installer.hide()
        self._select(name)

    @Slot()
    def _on_given_up(self) -> None:
        self._installer.hide()
        if self._folder is None:
            self.changed.emit("No model · install one from the Model menu")

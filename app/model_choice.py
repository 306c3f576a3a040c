"""Which model is at work: found at the start, installed if missing, changed from the menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QInputDialog, QMessageBox, QWidget

from app import models
from app.translation import marked, tr
from model.bundle import BundleError, load_bundle
from model.catalogue import CatalogueError
from model.known_models import KNOWN

if TYPE_CHECKING:
    from pathlib import Path

    from app.first_start import ModelInstaller
    from app.prediction import PredictionController
    from model.installed import Installed

ASK = marked(
    "A known name (smollm2-135m, gpt2), a model of the Hugging Face Hub as owner/name,\n"
    "or the path of a folder or .gguf file on this computer:"
)
TITLES = {"personal": marked("Personal")}


def title_of(name: str) -> str:
    """Return a model's name as a person would write it."""
    if name in TITLES:
        return tr(TITLES[name])
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
            self.failed.emit(tr("The model could not be loaded: {err}", err=err))
            return
        if folder is None:
            self.install(models.wanted(reference))
        else:
            self._load(models.name_of(folder), folder)

    @property
    def folder(self) -> Path | None:
        """Where the model at work lies; None if there is none."""
        return self._folder

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

    @property
    def is_installed(self) -> bool:
        """Whether the model at work is one of the catalogue's, and not just a folder."""
        return self.name in models.catalogue().names()

    @property
    def version(self) -> str:
        """The version of the model at work."""
        return self._folder.name if self._folder else ""

    def use(self, reference: str) -> None:
        """Select an installed model, or `NAME@VERSION`, and put it to work."""
        catalogue = models.catalogue()
        try:
            catalogue.select(reference)
            self._load(reference.partition("@")[0], catalogue.folder(reference))
        except (CatalogueError, BundleError, OSError) as err:
            self.failed.emit(
                tr("{reference} cannot be used: {err}", reference=title_of(reference), err=err)
            )

    def way_back(self) -> Installed | None:
        """The model or version that `go_back` leads to, if there is one."""
        return models.catalogue().way_back(self.name) if self.is_installed else None

    @Slot()
    def go_back(self) -> None:
        """Put the model of before to work again."""
        try:
            entry = models.catalogue().rollback(self.name)
        except (CatalogueError, BundleError, OSError) as err:
            self.failed.emit(tr("{title} stays: {err}", title=self.title, err=err))
            return
        self._load(entry.name, entry.folder)

    @Slot()
    def ask(self) -> None:
        """Ask for a model to install."""
        source, agreed = QInputDialog.getText(self._window, tr("Install a Model"), tr(ASK))
        if agreed and source.strip():
            self.install(source.strip())

    @Slot()
    def about(self) -> None:
        """Say where the model comes from, its licence and its measure."""
        if self._folder is None:
            QMessageBox.information(self._window, tr("Model"), tr("No model is loaded yet."))
            return
        try:
            bundle = load_bundle(self._folder)
        except BundleError as err:
            QMessageBox.warning(self._window, tr("Model"), f"{err}.")
            return
        card, config = bundle.card, bundle.config
        box = QMessageBox(QMessageBox.Icon.NoIcon, tr("Model"), title_of(self.name))
        box.setInformativeText(
            tr(
                "{layers} layers of width {width}, "
                "a vocabulary of {vocab_size:,} tokens, "
                "a context of up to {context_tokens:,}.\n\n"
                "Licence: {licence}\n"
                "Weights: {precision}, {size_mb:.0f} MB\n"
                "Folder: {folder}",
                layers=config.layers,
                width=config.width,
                vocab_size=config.vocab_size,
                context_tokens=config.context_tokens,
                licence=card.get("licence") or tr("unknown"),
                precision=card.get("precision") or tr("unknown"),
                size_mb=bundle.size_bytes / 1000000.0,
                folder=self._folder,
            )
        )
        box.exec()

    def _load(self, name: str, folder: Path) -> None:
        self._wanted = (name, folder)
        self.changed.emit(tr("Loading {name} …", name=title_of(name)))
        self._controller.load(folder)

    @Slot()
    def _on_ready(self) -> None:
        if self._wanted:
            self.name, self._folder = self._wanted
        self.changed.emit(self.title)

    @Slot()
    def _on_controller_failed(self) -> None:
        self.changed.emit(self.title if self._controller.is_ready else tr("No model at work"))

    @Slot(str, object)
    def _on_installed(self, name: str, folder: Path) -> None:
        self._installer.hide()
        self.use(name)

    @Slot()
    def _on_given_up(self) -> None:
        self._installer.hide()
        if self._folder is None:
            self.changed.emit(tr("No model · install one from the Model menu"))

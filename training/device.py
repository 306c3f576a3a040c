"""Where a training runs and in which precision."""

from __future__ import annotations

import shutil
from dataclasses import dataclass

import torch


class DeviceError(ValueError):
    """A device this machine does not have; the message says what it has."""


@dataclass(frozen=True, slots=True)
class Device:
    """One device, and whether bfloat16 pays there."""

    torch: torch.device
    half: bool

    @property
    def is_cuda(self) -> bool:
        """Whether it is an NVIDIA or AMD GPU."""
        return self.torch.type == "cuda"

    @property
    def can_compile(self) -> bool:
        """Whether `torch.compile` works: on CPUs it needs a C++ compiler."""
        if self.torch.type == "cpu":
            return any(map(shutil.which, ("c++", "g++", "clang++")))
        return self.is_cuda


def choose_device(wanted: str = "auto", local_rank: int = 0) -> Device:
    """The device `wanted`; `auto` is a GPU if there is one.

    Raises:
        DeviceError: this machine has no such device.
    """
    has = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    name = next(n for n, present in has.items() if present) if wanted == "auto" else wanted
    if not has.get(name, False):
        found = ", ".join(n for n, present in has.items() if present)
        raise DeviceError(f"this machine has no {name} that torch can use; it has {found}")
    if name == "cuda":
        torch.cuda.set_device(local_rank)
        return Device(torch.device("cuda", local_rank), torch.cuda.is_bf16_supported())
    return Device(torch.device(name), name == "cpu" and _half_pays())


def _half_pays() -> bool:
    """Whether this processor has instructions that multiply bfloat16; emulated, it is slower."""
    ask = getattr(torch.cpu, "get_capabilities", None)  # since torch 2.11
    found = ask() if ask else {}
    return bool(found.get("amx_bf16") or found.get("avx512_bf16"))

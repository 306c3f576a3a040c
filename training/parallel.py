"""One process or many: the parts of a step that differ under `torchrun`.

Every process takes its share of the windows of each step; gradients are averaged while the last
of them are computed (DistributedDataParallel).
"""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import distributed
from torch.nn.parallel import DistributedDataParallel

if TYPE_CHECKING:
    from torch import nn


@dataclass(frozen=True, slots=True)
class Group:
    """`size` processes of which this is number `rank`."""

    rank: int = 0
    size: int = 1
    device: torch.device | None = None

    @property
    def is_first(self) -> bool:
        """Whether this process writes and reports for all."""
        return self.rank == 0

    def share(self, windows: int) -> int:
        """How many of `windows` the busiest process takes."""
        return -(-windows // self.size)

    def part(self, windows: int) -> slice:
        """Which of `windows` are this process's."""
        return slice(self.rank * windows // self.size, (self.rank + 1) * windows // self.size)

    def wrap(self, model: nn.Module) -> nn.Module:
        """`model`, averaging its gradients over the group."""
        return model if self.size == 1 else DistributedDataParallel(model)

    def without_sync(self, model: nn.Module) -> AbstractContextManager[None]:
        """While it lasts, gradients stay with their process."""
        if isinstance(model, DistributedDataParallel):
            return model.no_sync()
        return nullcontext()

    def total(self, value: float) -> float:
        """The sum of `value` over all processes."""
        if self.size == 1:
            return value
        summed = torch.tensor(value, dtype=torch.float64, device=self.device)
        distributed.all_reduce(summed)
        return summed.item()

    def wait(self) -> None:
        """Until every process has come here."""
        if self.size > 1:
            distributed.barrier()

    def told_by_first(self, value: str) -> str:
        """What the first process gave for `value`."""
        if self.size == 1:
            return value
        values = [value]
        distributed.broadcast_object_list(values, device=self.device)
        return values[0]

    def agree(self, wish: bool) -> bool:
        """Whether any process wishes it."""
        return self.total(float(wish)) > 0


def local_rank() -> int:
    """Which device of this machine is this process's, as `torchrun` says."""
    return int(os.environ.get("LOCAL_RANK", "0"))


def join_group(device: torch.device) -> Group:
    """The group `torchrun` started, or a group of one."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        return Group(device=device)
    if not distributed.is_initialized():
        distributed.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return Group(distributed.get_rank(), size, device)

# SPDX-License-Identifier: Apache-2.0
"""A decoder layer in torch whose operators are ours: eleven calls of them in one SuperKernel, against torch's own in double precision."""

import sys
from pathlib import Path

import torch

import aclimb
import aclimb.torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import decoder_operators as operators
from operators.add_rms_norm import operator as add_rms_norm

TOKENS, HEADS, LENGTH, FFN, VOCABULARY, EPSILON = 4, 4, 200, 1024, 512, 1e-6
WIDTH = HEADS * operators.DEPTH
NEAR = 2e-2  # every operator rounds to half


def register() -> None:
    for operator in (add_rms_norm.make(), operators.linear(), operators.rotary(), operators.decode_attention(), operators.swiglu()):
        operator.register()
        aclimb.torch.register(operator)


class Decoder(torch.nn.Module):
    """One layer, and the logits: one new token of each sequence."""

    def __init__(self) -> None:
        super().__init__()
        shapes = {
            "qkv": (WIDTH, 3 * WIDTH),
            "out": (WIDTH, WIDTH),
            "gate_up": (WIDTH, 2 * FFN),
            "down": (FFN, WIDTH),
            "head": (WIDTH, VOCABULARY),
        }
        for name, shape in shapes.items():
            self.register_buffer(name, (torch.randn(shape) * shape[0] ** -0.5).half())
        for name in ("before_attention", "before_ffn", "last"):
            self.register_buffer(name, 1 + 0.1 * torch.randn(WIDTH).half())

    def forward(self, x: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, cosine: torch.Tensor, sine: torch.Tensor) -> torch.Tensor:
        ops = torch.ops.aclimb
        with aclimb.torch.super_kernel("decoder", "early-start=1:feed-sync-all=1"):
            h, _, x = ops.add_rms_norm(x, torch.zeros_like(x), self.before_attention, epsilon=EPSILON)
            qkv = ops.rotary(ops.linear(h, self.qkv), cosine, sine)
            h = ops.linear(ops.decode_attention(qkv, keys, values), self.out)
            h, _, x = ops.add_rms_norm(h, x, self.before_ffn, epsilon=EPSILON)
            h = ops.linear(ops.swi_glu(ops.linear(h, self.gate_up)), self.down)
            h, _, x = ops.add_rms_norm(h, x, self.last, epsilon=EPSILON)
            return ops.linear(h, self.head)


def reference(
    layer: Decoder, x: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, cosine: torch.Tensor, sine: torch.Tensor
) -> torch.Tensor:
    """The same with torch alone, in double precision."""
    weights = {name: each.double() for name, each in layer.named_buffers()}
    x, keys, values, cosine, sine = (each.double() for each in (x, keys, values, cosine, sine))

    def norm(x: torch.Tensor, gamma: torch.Tensor) -> torch.Tensor:
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + EPSILON) * gamma

    def turned(x: torch.Tensor) -> torch.Tensor:
        low, high = x.chunk(2, dim=-1)
        c, s = cosine[:, None], sine[:, None]
        return torch.cat([low * c - high * s, high * c + low * s], dim=-1)

    q, k, v = (norm(x, weights["before_attention"]) @ weights["qkv"]).view(TOKENS, 3, HEADS, operators.DEPTH).unbind(1)
    keys, values = torch.cat([keys, turned(k)[:, :, None]], 2), torch.cat([values, v[:, :, None]], 2)
    attention = torch.nn.functional.scaled_dot_product_attention(turned(q)[:, :, None], keys, values)
    x = x + attention.reshape(TOKENS, WIDTH) @ weights["out"]
    gate, up = (norm(x, weights["before_ffn"]) @ weights["gate_up"]).chunk(2, dim=-1)
    x = x + (torch.nn.functional.silu(gate) * up) @ weights["down"]
    return norm(x, weights["last"]) @ weights["head"]


def inputs() -> tuple[torch.Tensor, ...]:
    caches = [torch.randn(TOKENS, HEADS, LENGTH, operators.DEPTH).half() for _ in range(2)]
    angles = LENGTH * 10000.0 ** (-torch.arange(64) / 64).repeat(TOKENS, 1)
    return torch.randn(TOKENS, WIDTH).half(), *caches, angles.cos(), angles.sin()


def run() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Logits operator by operator, compiled, and torch's own."""
    torch.manual_seed(7)
    layer, given = Decoder(), inputs()
    compiled = torch.compile(layer, backend="aclimb", fullgraph=True)
    for name, call in (("operator by operator", layer), ("compiled", compiled)):
        with aclimb.profile() as timeline:
            call(*given)
        times = [each.task_us for each in timeline.launches]
        print(f"{name:<21} {len(times):>2} launch{'es' if len(times) > 1 else '  '} {sum(times):7.1f} us (modelled)")
    return layer(*given), compiled(*given), reference(layer, *given)


if __name__ == "__main__":
    register()
    eager, fused, expected = run()
    worst = max(float((each.double() - expected).abs().max()) for each in (eager, fused))
    print(aclimb.torch.reports()[-1])
    print(f"torch_decoder      {aclimb.Device().chip.name} (modelled)   logits within {worst:.4f} of torch in double precision")
    raise SystemExit(worst > NEAR or not torch.equal(eager, fused))

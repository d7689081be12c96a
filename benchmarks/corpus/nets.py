"""Small nets of the usual families in PyTorch, with weights by chance, and their export.

Run by a Python that has torch: `python nets.py FOLDER` writes FAMILY_torchscript.onnx and
FAMILY_dynamo.onnx. What an exporter refuses is told on one line and left out.
"""

import logging
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

WIDTH, HEADS, WORDS = 64, 4, 200


class Residual(nn.Module):
    """Two convolutions beside a shortcut."""

    def __init__(self, given: int, made: int, stride: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(given, made, 3, stride, 1, bias=False)
        self.second = nn.Conv2d(made, made, 3, 1, 1, bias=False)
        self.norms = nn.ModuleList([nn.BatchNorm2d(made), nn.BatchNorm2d(made)])
        self.short = nn.Conv2d(given, made, 1, stride) if stride > 1 else nn.Identity()

    def forward(self, x: Tensor) -> Tensor:
        """Add both ways."""
        y = functional.relu(self.norms[0](self.first(x)))
        return functional.relu(self.norms[1](self.second(y)) + self.short(x))


class Inverted(nn.Module):
    """Wide, depthwise with a hard swish, squeeze and excite, narrow again."""

    def __init__(self, given: int, made: int, stride: int) -> None:
        super().__init__()
        wide = 4 * given
        self.open = nn.Sequential(
            nn.Conv2d(given, wide, 1, bias=False), nn.BatchNorm2d(wide), nn.ReLU6(),
            nn.Conv2d(wide, wide, 3, stride, 1, groups=wide, bias=False),
            nn.BatchNorm2d(wide), nn.Hardswish(),
        )  # fmt: skip
        self.gate = nn.Sequential(
            nn.AdaptiveAvgPool2d(1), nn.Conv2d(wide, given, 1), nn.ReLU(),
            nn.Conv2d(given, wide, 1), nn.Hardsigmoid(),
        )  # fmt: skip
        self.close = nn.Sequential(nn.Conv2d(wide, made, 1, bias=False), nn.BatchNorm2d(made))

    def forward(self, x: Tensor) -> Tensor:
        """Add the input where shapes allow."""
        wide = self.open(x)
        y = self.close(wide * self.gate(wide))
        return x + y if y.shape == x.shape else y


class Attention(nn.Module):
    """Heads written out, as many models on the Hub are."""

    def __init__(self) -> None:
        super().__init__()
        self.parts = nn.ModuleList([nn.Linear(WIDTH, WIDTH) for _ in range(4)])

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Weigh the values of all places."""
        batch, length, width = x.shape
        shape = (batch, length, HEADS, width // HEADS)
        q, k, v = (part(x).view(shape).transpose(1, 2) for part in list(self.parts)[:3])
        scores = q @ k.transpose(-1, -2) / (width // HEADS) ** 0.5 + mask
        y = (functional.softmax(scores, -1) @ v).transpose(1, 2)
        return self.parts[3](y.reshape(batch, length, width))


class Encoder(nn.Module):
    """BERT's block: normalised after each sum."""

    def __init__(self) -> None:
        super().__init__()
        self.attention = Attention()
        self.norms = nn.ModuleList([nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)])
        self.wide, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Attend, then feed forward."""
        x = self.norms[0](x + self.attention(x, mask))
        return self.norms[1](x + self.narrow(functional.gelu(self.wide(x))))


class Bert(nn.Module):
    """Words, places and kinds; a pooled answer."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(WORDS, WIDTH), nn.Embedding(64, WIDTH)
        self.kinds, self.norm = nn.Embedding(2, WIDTH), nn.LayerNorm(WIDTH)
        self.blocks = nn.ModuleList([Encoder(), Encoder()])
        self.pool, self.answer = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 2)

    def forward(self, ids: Tensor, mask: Tensor, kinds: Tensor) -> tuple[Tensor, Tensor]:
        """Return hidden states and the answer."""
        places = torch.arange(ids.shape[1])[None]
        x = self.norm(self.words(ids) + self.places(places) + self.kinds(kinds))
        hidden = (1.0 - mask[:, None, None, :].to(x.dtype)) * -10000.0
        for block in self.blocks:
            x = block(x, hidden)
        return x, self.answer(torch.tanh(self.pool(x[:, 0])))


class Decoder(nn.Module):
    """GPT's block of today: root mean square norms, causal attention, a gated feed forward."""

    def __init__(self) -> None:
        super().__init__()
        self.joint = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.out = nn.Linear(WIDTH, WIDTH, bias=False)
        self.gates = nn.ModuleList([nn.Linear(WIDTH, 2 * WIDTH, bias=False) for _ in "ab"])
        self.down = nn.Linear(2 * WIDTH, WIDTH, bias=False)
        self.scales = nn.ParameterList([torch.ones(WIDTH), torch.ones(WIDTH)])

    def forward(self, x: Tensor) -> Tensor:
        """Attend to what came before, then feed forward."""
        batch, length, width = x.shape
        shape = (batch, length, HEADS, width // HEADS)
        parts = self.joint(_even(x, self.scales[0])).split(width, -1)
        q, k, v = (part.view(shape).transpose(1, 2) for part in parts)
        y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(batch, length, width))
        z = _even(x, self.scales[1])
        return x + self.down(functional.silu(self.gates[0](z)) * self.gates[1](z))


def _even(x: Tensor, scale: Tensor) -> Tensor:
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * scale


class Gpt(nn.Module):
    """Next words."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH)
        self.blocks = nn.ModuleList([Decoder(), Decoder()])
        self.head = nn.Linear(WIDTH, WORDS, bias=False)

    def forward(self, ids: Tensor) -> Tensor:
        """Return a score for each word."""
        x = self.words(ids)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def _double(given: int, made: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(given, made, 3, 1, 1), nn.GroupNorm(4, made), nn.SiLU(),
        nn.Conv2d(made, made, 3, 1, 1), nn.InstanceNorm2d(made, affine=True), nn.SiLU(),
    )  # fmt: skip


class UNet(nn.Module):
    """Down twice and up again, with the outer parts handed across."""

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        self.down = nn.ModuleList(
            [_double(3, width), _double(width, 2 * width), _double(2 * width, 4 * width)]
        )
        self.wider = nn.ConvTranspose2d(4 * width, 2 * width, 2, 2)
        self.up = nn.ModuleList([_double(4 * width, 2 * width), _double(3 * width, width)])
        self.mask = nn.Sequential(nn.ReflectionPad2d(1), nn.Conv2d(width, 1, 3))

    def forward(self, x: Tensor) -> Tensor:
        """Return a mask."""
        fine = self.down[0](x)
        middle = self.down[1](functional.max_pool2d(fine, 2))
        coarse = self.down[2](functional.max_pool2d(middle, 2))
        y = self.up[0](torch.cat([self.wider(coarse), middle], 1))
        y = functional.interpolate(y, scale_factor=2.0, mode="bilinear", align_corners=False)
        return torch.sigmoid(self.mask(self.up[1](torch.cat([y, fine], 1))))


class Lstm(nn.Module):
    """Memory in both directions, then gates."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(WORDS, 32)
        self.memory = nn.LSTM(32, 32, 2, batch_first=True, bidirectional=True)
        self.gates = nn.GRU(64, 32, batch_first=True)
        self.out = nn.Linear(32, 10)

    def forward(self, ids: Tensor) -> Tensor:
        """Return log probabilities for each place."""
        y, _ = self.memory(self.words(ids))
        y, _ = self.gates(y)
        return functional.log_softmax(self.out(y), -1)


class Vit(nn.Module):
    """Patches, a class token, PyTorch's own encoder."""

    def __init__(self) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, WIDTH, 16, 16)
        self.token = nn.Parameter(torch.zeros(1, 1, WIDTH))
        self.places = nn.Parameter(torch.randn(1, 17, WIDTH) * 0.02)
        self.blocks = nn.ModuleList([
            nn.TransformerEncoderLayer(
                WIDTH, HEADS, 4 * WIDTH, activation="gelu", batch_first=True, norm_first=True,
                dropout=0.0,
            )
            for _ in range(2)
        ])  # fmt: skip
        self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 20)

    def forward(self, x: Tensor) -> Tensor:
        """Return a score for each class."""
        y = self.patches(x).flatten(2).transpose(1, 2)
        y = torch.cat([self.token.expand(y.shape[0], -1, -1), y], 1) + self.places
        for block in self.blocks:
            y = block(y)
        return self.head(self.norm(y)[:, 0])


class Detector(nn.Module):
    """A backbone, scores and boxes, the best of them."""

    def __init__(self) -> None:
        super().__init__()
        sizes = ((3, 16), (16, 32), (32, 64))
        self.body = nn.Sequential(
            *(m for i, o in sizes for m in (nn.Conv2d(i, o, 3, 2, 1), nn.LeakyReLU(0.1)))
        )
        self.scores, self.boxes = nn.Conv2d(64, 8, 1), nn.Conv2d(64, 4, 1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return scores, classes and boxes of the best ten."""
        y = self.body(x)
        best, kind = self.scores(y).flatten(2).sigmoid().max(1)
        boxes = self.boxes(y).flatten(2).exp()
        value, place = best.topk(10, -1)
        chosen = torch.gather(boxes, 2, place[:, None].expand(-1, 4, -1))
        return value, torch.gather(kind, 1, place), chosen


def _residual() -> nn.Module:
    body = [Residual(16, 16, 1), Residual(16, 32, 2), Residual(32, 64, 2)]
    stem = [nn.Conv2d(3, 16, 7, 2, 3), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    ends = [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10), nn.Softmax(-1)]
    return nn.Sequential(*stem, *body, *ends)


def _mobile() -> nn.Module:
    body = [Inverted(16, 16, 1), Inverted(16, 24, 2), Inverted(24, 24, 1)]
    stem = [nn.Conv2d(3, 16, 3, 2, 1, bias=False), nn.BatchNorm2d(16), nn.Hardswish()]
    ends = [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.2), nn.Linear(24, 10)]
    return nn.Sequential(*stem, *body, *ends)


def _words(length: int) -> Tensor:
    return torch.randint(0, WORDS, (1, length))


_PICTURE = (1, 3, 64, 64)
_KINDS = torch.zeros(1, 16, dtype=torch.int64)
NETS: dict[str, tuple[Callable[[], nn.Module], tuple[Tensor, ...], tuple[str, ...]]] = {
    "cnn": (_residual, (torch.randn(_PICTURE),), ("picture",)),
    "mobile": (_mobile, (torch.randn(_PICTURE),), ("picture",)),
    "unet": (UNet, (torch.randn(_PICTURE),), ("picture",)),
    "bert": (Bert, (_words(16), _KINDS + 1, _KINDS), ("ids", "mask", "kinds")),
    "gpt": (Gpt, (_words(16),), ("ids",)),
    "lstm": (Lstm, (_words(12),), ("ids",)),
    "vit": (Vit, (torch.randn(_PICTURE),), ("picture",)),
    "detector": (Detector, (torch.randn(_PICTURE),), ("picture",)),
}
_FREE = {"cnn": {0: "batch"}, "bert": {1: "length"}, "gpt": {1: "length"}}


def export(folder: Path) -> None:
    """Write every net with both exporters."""
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    torch.backends.mha.set_fastpath_enabled(False)  # one fused operator that no exporter knows
    for family, (make, example, names) in NETS.items():
        torch.manual_seed(0)
        net = make().eval()
        for dynamo in (False, True):
            path = folder / f"{family}_{'dynamo' if dynamo else 'torchscript'}.onnx"
            axes = _FREE.get(family)
            how = (
                {"external_data": False, "verbose": False}
                if dynamo
                else {
                    "opset_version": 17,
                    "dynamic_axes": dict.fromkeys(names, axes) if axes else None,
                }
            )
            try:
                with torch.no_grad():
                    torch.onnx.export(
                        net, example, path, input_names=list(names), dynamo=dynamo, **how
                    )
            except Exception as error:  # noqa: BLE001 - an exporter may refuse in any way
                print(f"{path.stem}: not exported: {' '.join(str(error).split())[:120]}")
                path.unlink(missing_ok=True)


if __name__ == "__main__":
    export(Path(sys.argv[1]))

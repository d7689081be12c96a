"""Options that set how images and audio become tensors."""

import argparse

from inspector.units import clip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options for pictures, sounds and memory."""
    image = parser.add_argument_group("image inputs (guessed if omitted)")
    image.add_argument("--order", choices=("rgb", "bgr", "gray"), help="channel order")
    image.add_argument(
        "--scale",
        choices=("255", "1", "-1..1", "-128..127", "16..235"),
        help="maximum value after scaling 8-bit values: 255 for 0..255, 1 for 0..1, ...",
    )
    image.add_argument(
        "--mean",
        type=_channels,
        metavar="R,G,B",
        help="mean per channel, subtracted after scaling",
    )
    image.add_argument(
        "--std",
        type=_channels,
        metavar="R,G,B",
        help="std dev per channel; values are divided by it after the mean is subtracted",
    )
    image.add_argument(
        "--resize",
        choices=("stretch", "fit", "crop"),
        help="how an image fits the input: stretched, padded or cropped",
    )
    image.add_argument(
        "--filter",
        choices=("nearest", "bilinear", "bicubic", "lanczos", "area"),
        help="resize interpolation",
    )
    sound = parser.add_argument_group("audio inputs (guessed if omitted)")
    sound.add_argument(
        "--window", type=_samples, metavar="N", help="samples that the model takes in each step"
    )
    sound.add_argument(
        "--hop",
        type=_samples,
        metavar="N",
        help="samples between the starts of consecutive steps",
    )
    sound.add_argument(
        "--context",
        type=_samples,
        metavar="N",
        help="samples of the previous step at the beginning of each step (silence at first)",
    )
    sound.add_argument(
        "--rate", type=_samples, metavar="HZ", help="sample rate that the model expects"
    )
    sound.add_argument(
        "--state",
        action="append",
        metavar="INPUT=OUTPUT",
        help="feed OUTPUT back into INPUT at the next step; 'none' disables feedback",
    )


def _channels(text: str) -> tuple[float, ...]:
    """Read '0.485,0.456,0.406'. Raises ArgumentTypeError for anything else."""
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text}' is not a list of numbers") from error


def _samples(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise argparse.ArgumentTypeError(f"'{clip(text, 40)}' is not a number of samples")
    return int(text)

"""Cache hit or miss of an execution provider, from what it writes into its folder."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from inspector.analysis.measured.phases import cache_outcome, loading_sentences
from inspector.backends.onnxruntime.measuring.measure import ignored_options
from inspector.backends.onnxruntime.measuring.provider_cache import CacheWatch
from inspector.backends.onnxruntime.sessions import devices
from inspector.backends.onnxruntime.sessions.devices import DeviceHandle
from inspector.report.report import Device, LoadCache
from inspector.report.run_spec import ProviderOption, RunSpec
from tests.reports import example_report


def watching(folder: Path) -> CacheWatch:
    options = (ProviderOption("trt_fp16_enable", "1"), ProviderOption("cache_dir", str(folder)))
    return CacheWatch(RunSpec(provider_options=options))


def test_a_load_that_writes_is_a_miss_and_the_next_one_a_hit(tmp_path):
    folder = tmp_path / "cache"  # the provider makes it
    watch = watching(folder)
    watch.look()
    folder.mkdir()
    (folder / "net.blob").write_bytes(b"compiled")
    watch.look()
    watch.look()
    watch.look()
    assert watch.found == LoadCache(0, (1, 0))
    assert cache_outcome(watch.found) == "miss"
    later = watching(folder)
    later.look()
    later.look()
    assert later.found == LoadCache(1, (0,))
    assert cache_outcome(later.found) == "hit"


def test_without_a_folder_or_files_it_is_unknown(tmp_path):
    watch = CacheWatch(RunSpec())
    watch.look()
    watch.look()
    assert watch.found is None
    empty = watching(tmp_path)
    empty.look()
    empty.look()
    assert empty.found == LoadCache(0, (0,))
    assert cache_outcome(empty.found) == ""


@pytest.mark.parametrize(
    ("cache", "text"),
    [
        (LoadCache(0, (2, 1, 0)), "Cache miss: the first load wrote 2 files into"),
        (LoadCache(3, (0, 0)), "Cache hit, probably: the first load wrote nothing into"),
        (LoadCache(3, (0, 0), told=True), "Cache hit: the first load read the compiled model"),
        (LoadCache(0, (0,)), "Cache: unknown."),
    ],
)
def test_the_load_card_says_it(cache, text):
    *_, sentence = loading_sentences(example_report(load_cache=cache))
    assert sentence.startswith(text)
    assert ("1 later load wrote there" in sentence) == (cache.written[1:] == (1, 0))


def plugged(library: Path) -> DeviceHandle:
    device = Device("webgpu:0", "A GPU", "gpu", "WebGpuExecutionProvider")
    return DeviceHandle(device, SimpleNamespace(ep_metadata={"library_path": str(library)}))


@pytest.mark.parametrize(
    ("key", "known"),
    [("deviceId", True), ("ep.webgpu.deviceId", True), ("device", False), ("devices", False),
     ("vsyncMode", False)],
)  # fmt: skip
def test_an_option_that_is_no_word_of_its_library_is_told(tmp_path, key, known):
    library = tmp_path / "libplugin.so"
    library.write_bytes(b"\x7fELF\0ep.webgpu.deviceId\0more")
    spec = RunSpec(devices=("webgpu",), provider_options=(ProviderOption(key, "1"),))
    told = ignored_options(spec, [plugged(library)])
    assert bool(told) is not known
    if told:
        assert f"WebGPU does not document the option '{key}'" in told[0]


def test_the_processor_has_no_options_to_tell_of():
    assert ignored_options(RunSpec(), devices.resolve(["cpu"])) == ()

# SPDX-License-Identifier: Apache-2.0
"""--cache: a second run takes from it what has not changed, and writes the same bytes as without. Nothing that happens to the
folder spoils a run.
"""

import functools
import json
import os
import resource
import shutil
import signal
import subprocess
import time

import numpy as np
import onnx
import pytest

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

LAYERS, SIZE, RANK = 4, 160, 64
PIECE_HASH = 16
HEADER = 4096 + PIECE_HASH  # behind the elements; there is one piece
VALUE = HEADER + 4 * SIZE * SIZE  # the file of one result


def floats(number, *shape):
    return np.random.default_rng(number).standard_normal(shape).astype(np.float32)


def layer(number, weight, last=()):
    """Nodes and constants of x (w + a b): an adapter that is merged, which takes longer to compute than to read."""
    w, a, b, ab, merged, y = (f"{name}{number}" for name in ("w", "a", "b", "ab", "merged", "y"))
    last = last or [node("Add", [w, ab], [merged])]
    nodes = [node("MatMul", [a, b], [ab]), *last, node("MatMul", ["x", merged], [y])]
    constants = [
        const(w, weight),
        const(a, floats(100 + number, SIZE, RANK)),
        const(b, floats(200 + number, RANK, SIZE)),
    ]
    return nodes, constants


def merged(changed=None, value=None, last=None):
    """LAYERS layers; `changed` has other weights, or `value` as its first one."""
    nodes, constants, outputs = [], [], []
    for number in range(LAYERS):
        weight = floats(number, SIZE, SIZE)
        if number == changed and value is None:
            weight[3, 5] += 1
        elif number == changed:
            weight.view(np.uint32)[0, 0] = value
        more, given = layer(number, weight, last(number) if last else ())
        nodes += more
        constants += given
        outputs.append(info(f"y{number}", (1, SIZE)))
    return m.model(nodes, [info("x", (1, SIZE))], outputs, constants)


def concatenated(number):
    """The weight's bytes are part of the result."""
    return [node("Concat", [f"w{number}", f"ab{number}"], [f"merged{number}"], axis=1)]


def saved(folder, model, name="model"):
    path = folder / f"{name}.onnx"
    onnx.save(model, path)
    return path


def run(folder, model, *flags, cache="cache", name="out"):
    """The counts of the cache; the output has the bytes of a run without one."""
    path = saved(folder, model)
    plain = [flag for flag in flags if not flag.startswith("--cache")]
    wanted = t.fold(path, folder / "plain.onnx", *plain)
    report = t.foldWithReport(path, folder / f"{name}.onnx", f"--cache={folder / cache}", *flags)
    t.expectSameBytes(folder / f"{name}.onnx", wanted, "with a cache")
    return report["cache"]


def files(folder, cache="cache"):
    return sorted((folder / cache).glob("*.folded"))


def counts(report):
    return report["found"], report["computed"], report["kept"]


def test_a_second_run_computes_nothing(folder):
    model = merged()
    first = run(folder, model)
    assert counts(first) == (0, LAYERS, LAYERS) and first["bytes_kept"] == LAYERS * (VALUE - HEADER)
    assert [file.stat().st_size for file in files(folder)] == [VALUE] * LAYERS
    second = run(folder, model)
    assert counts(second) == (LAYERS, 0, 0) and second["bytes_found"] == LAYERS * (VALUE - HEADER)
    assert second["folder"] == str(folder / "cache")
    assert (folder / "cache").stat().st_mode & 0o777 == 0o700, "for its owner alone"
    assert not [path for path in (folder / "cache").iterdir() if path not in files(folder)], "no temporaries"


def test_a_changed_weight_computes_its_cone(folder):
    run(folder, merged())
    assert counts(run(folder, merged(changed=2))) == (LAYERS - 1, 1, 1)
    assert counts(run(folder, merged())) == (LAYERS, 0, 0), "both are there now"


def test_dear_values_on_the_way_are_found(folder):
    """A large product that a changed value reads is not computed again."""
    size = 600
    nodes = [node("MatMul", ["a", "b"], ["ab"]), node("Add", ["ab", "c"], ["w"]), node("MatMul", ["x", "w"], ["y"])]

    def model(c):
        constants = [const("a", floats(1, size, size)), const("b", floats(2, size, size)), const("c", floats(c, size))]
        return m.model(nodes, [info("x", (1, size))], [info("y", (1, size))], constants)

    assert counts(run(folder, model(3))) == (0, 2, 2), "the product and the sum"
    assert counts(run(folder, model(4))) == (1, 1, 1), "the sum"


def test_dear_values_may_be_deep(folder):
    """A chain of products, of which each is dear: nothing is computed twice, and the stack is no limit."""
    size, length = 400, 40
    nodes = [node("MatMul", [f"p{i}", "a"], [f"p{i + 1}"]) for i in range(length)]
    nodes.append(node("MatMul", ["x", f"p{length}"], ["y"]))
    constants = [const("a", floats(1, size, size) / np.float32(20)), const("p0", floats(2, size, size))]
    model = m.model(nodes, [info("x", (1, size))], [info("y", (1, size))], constants)
    run(folder, model)
    again = run(folder, model)
    assert again["computed"] == 0 and again["found"] == 1, "the last product"


def test_names_do_not_count(folder):
    run(folder, merged())
    model = merged()
    for number, one in enumerate(model.graph.node):
        one.name = f"other{number}"
    model.graph.name = "other"
    assert counts(run(folder, model)) == (LAYERS, 0, 0)


@pytest.mark.parametrize("value", [0x80000000, 0x7FC00000, 0x7FC00001, 0x7F800001, 0xFFC00000], ids=hex)
def test_bits_count(folder, value):
    """0 and -0 are equal numbers, and no NaN is equal to any; but they are other bytes."""
    run(folder, merged(0, 0, concatenated))
    assert counts(run(folder, merged(0, value, concatenated))) == (LAYERS - 1, 1, 1)


def test_attributes_count(folder):
    """Operators that differ in the name of an attribute alone, in its value, or in their version."""

    def summed(opset=21, **attributes):
        model = merged(
            last=lambda number: [
                node("Add", [f"w{number}", f"ab{number}"], [f"sum{number}"]),
                node("CumSum", [f"sum{number}", "axis"], [f"merged{number}"], **attributes),
            ]
        )
        model.graph.initializer.append(const("axis", 0, np.int64))
        model.opset_import[0].version = opset
        return model

    run(folder, summed(exclusive=1))
    for model in (summed(reverse=1), summed(exclusive=0), summed(opset=13, exclusive=1)):
        assert counts(run(folder, model)) == (0, LAYERS, LAYERS)
    assert counts(run(folder, summed(exclusive=1))) == (LAYERS, 0, 0)


def test_precision_counts(folder):
    model = merged(
        last=lambda number: [
            node("Add", [f"w{number}", f"ab{number}"], [f"sum{number}"]),
            node("Exp", [f"sum{number}"], [f"merged{number}"]),
        ]
    )
    for precision in ("exact", "wide", "exact", "wide"):
        run(folder, model, f"--precision={precision}")
    assert len(files(folder)) == 2 * LAYERS


def test_levels_and_threads_have_one_cache(folder):
    run(folder, merged(), "--threads=1")
    for flags in (("--threads=3",), ("-O0",), ("--verify",), ("--max-growth=unlimited",)):
        assert counts(run(folder, merged(), *flags)) == (LAYERS, 0, 0), flags


def damages():
    """What may become of a file: (name, what is done with its bytes)."""
    start = VALUE - HEADER
    for place in (0, 70_000, start - 1, *(start + field for field in (0, 24, 32, 48, 64, 72, 80, 88, 104, 120, 300, 2150, 2168, 4095))):
        yield f"flip-{place}", lambda data, place=place: data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
    for size in (0, 1, 100, HEADER, start, start + 1, VALUE - 1):
        yield f"cut-{size}", lambda data, size=size: data[:size]
    yield "longer", lambda data: data + b"\0"
    yield "zeros", lambda data: bytes(len(data))
    yield "text", lambda data: b"hello"


@pytest.mark.parametrize("damage", [pytest.param(change, id=name) for name, change in damages()])
def test_damaged_files_are_ignored_and_replaced(folder, damage):
    run(folder, merged())
    good = {file: file.read_bytes() for file in files(folder)}
    victim = files(folder)[1]
    victim.write_bytes(damage(good[victim]))
    again = run(folder, merged())
    assert counts(again) == (LAYERS - 1, 1, 1) and again["damaged"] == 1
    assert {file: file.read_bytes() for file in files(folder)} == good, "as it was"
    assert run(folder, merged())["damaged"] == 0


def test_a_flipped_bit_is_found_whatever_the_times_say(folder):
    """A file that had been checked once was trusted by its time of last modification: 29 of 30 flipped bits gave wrong outputs."""
    run(folder, merged())
    run(folder, merged())
    victim = files(folder)[2]
    state, good = victim.stat(), victim.read_bytes()
    for place in range(0, VALUE - HEADER, 9973):
        victim.write_bytes(good[:place] + bytes([good[place] ^ 16]) + good[place + 1 :])
        os.utime(victim, ns=(state.st_atime_ns, state.st_mtime_ns))
        again = run(folder, merged())
        assert counts(again) == (LAYERS - 1, 1, 1) and again["damaged"] == 1, f"byte {place}"
        assert victim.read_bytes() == good, "computed and kept again"


def test_pieces_are_checked_one_by_one(folder):
    """Of a value that is written a piece at a time, a later piece may prove damaged when the first are in the output."""
    size = 512

    def model():
        nodes, constants, outputs = [], [], []
        for number in range(2):
            w, a, b, ab, sum_, y = (f"{name}{number}" for name in ("w", "a", "b", "ab", "sum", "y"))
            nodes += [node("MatMul", [a, b], [ab]), node("Add", [w, ab], [sum_]), node("MatMul", ["x", sum_], [y])]
            constants += [
                const(w, floats(number, size, size)),
                const(a, floats(2 + number, size, RANK)),
                const(b, floats(4 + number, RANK, size)),
            ]
            outputs.append(info(y, (1, size)))
        return m.model(nodes, [info("x", (1, size))], outputs, constants)

    run(folder, model())
    victim = max(files(folder), key=lambda file: file.stat().st_size)
    good = victim.read_bytes()
    elements, pieces = 4 * size * size, 4
    assert len(good) == elements + 4096 + pieces * PIECE_HASH
    for place in (0, elements // 2, elements - 1, elements + 4095, elements + 4096, len(good) - 1):
        victim.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
        again = run(folder, model())
        assert again["damaged"] == 1 and again["computed"] == 1, f"byte {place}"
        assert victim.read_bytes() == good, "computed and kept again"


def test_a_file_of_another_key_is_ignored(folder):
    """As if two values had one name, or another program had written it."""
    run(folder, merged())
    first, second, *_ = files(folder)
    shutil.copy(first, second)
    again = run(folder, merged())
    assert counts(again) == (LAYERS - 1, 1, 1) and again["damaged"] == 1


def test_what_is_no_file_is_ignored(folder):
    """Folders, links and pipes where values should be; the run says that it cannot keep them."""
    run(folder, merged())
    first, second, third, fourth = files(folder)
    for file in files(folder):
        file.unlink()
    first.mkdir()
    os.mkfifo(second)
    third.symlink_to("/dev/zero")
    fourth.symlink_to(folder / "nowhere")
    path = saved(folder, merged())
    # In a process of its own, as run() above: for another program, such as the fold server, the values have other names.
    done = t.runOk("-o", folder / "out.onnx", path, f"--cache={folder / 'cache'}", apart=True)
    t.expectSameBytes(folder / "out.onnx", folder / "plain.onnx", "with what is no file")
    assert "cannot be made: is a directory; the cache keeps nothing" in done.err
    first.rmdir()
    assert first.parent.is_dir() and not (folder / "nowhere").exists()


def test_runs_at_once(folder):
    """Twelve runs, all of which find nothing at first, on one folder."""
    path, cache = saved(folder, merged()), folder / "cache"
    wanted = t.fold(path, folder / "plain.onnx")
    outputs = [folder / f"out{number}.onnx" for number in range(12)]
    command = [t.TOOL, "--quiet", "--threads=1", f"--cache={cache}"]
    runs = [subprocess.Popen([*command, "-o", output, path]) for output in outputs]
    assert [one.wait() for one in runs] == [0] * len(runs)
    for output in outputs:
        t.expectSameBytes(output, wanted, "one of many runs")
    assert len(files(folder)) == LAYERS and len(list(cache.iterdir())) == LAYERS
    assert counts(run(folder, merged())) == (LAYERS, 0, 0)


def test_the_size_is_bounded(folder):
    """What was used longest ago is erased first."""
    most = 3 * VALUE + 1000
    report = run(folder, merged(), f"--cache-size={most}")
    assert sum(file.stat().st_size for file in files(folder)) <= most
    assert report["kept"] == LAYERS and report["erased"] >= 1
    shutil.rmtree(folder / "cache")
    run(folder, merged())
    old = files(folder)
    for age, file in enumerate(old):
        os.utime(file, (time.time() - 1000 + age,) * 2)
    run(folder, merged())  # all are used
    os.utime(old[0], (time.time() - 1000,) * 2)
    run(folder, merged(changed=1), f"--cache-size={LAYERS * VALUE}")
    assert old[0] not in files(folder) or len(files(folder)) <= LAYERS
    assert sum(file.stat().st_size for file in files(folder)) <= LAYERS * VALUE


def test_a_value_beyond_the_size_is_not_kept(folder):
    assert counts(run(folder, merged(), f"--cache-size={VALUE - 1}")) == (0, LAYERS, 0)
    assert counts(run(folder, merged(), "--cache-size=0")) == (0, LAYERS, 0)
    assert not files(folder)


def test_only_own_files_are_erased(folder):
    cache = folder / "cache"
    cache.mkdir()
    others = [cache / name for name in ("model.onnx", "0123.folded", "x" * 32 + ".folded", "1-2.tmp", "notes.tmp")]
    for other in others:
        other.write_bytes(b"x" * 300_000)
        os.utime(other, (0, 0))
    run(folder, merged(), f"--cache-size={2 * VALUE}")
    assert [other.exists() for other in others] == [True, True, True, False, True], "an old temporary is erased"


def test_a_folder_that_cannot_be_made(folder):
    (folder / "file").write_text("")
    path = saved(folder, merged())
    for name in ("file", "file/below"):
        done = t.run(f"--cache={folder / name}", "-o", folder / "out.onnx", path)
        assert done.code == 1 and not (folder / "out.onnx").exists()
        assert f"--cache is '{folder / name}', which cannot be made: not a directory" in done.err


def test_the_disk_is_full(folder):
    """A file of the cache has a header: it is larger than the output may be here."""
    nodes, constants = layer(0, floats(0, SIZE, SIZE))
    path = saved(folder, m.model(nodes, [info("x", (1, SIZE))], [info("y0", (1, SIZE))], constants))
    t.fold(path, folder / "plain.onnx")
    most = VALUE - HEADER // 2
    limit = functools.partial(resource.setrlimit, resource.RLIMIT_FSIZE, (most, most))
    done = t.runOk("-o", folder / "out.onnx", path, f"--cache={folder / 'cache'}", preexec_fn=limit)
    t.expectSameBytes(folder / "out.onnx", folder / "plain.onnx", "with a full disk")
    assert "file too large; the cache keeps nothing" in done.err and not list((folder / "cache").iterdir())


def test_check_makes_no_folder(folder):
    path = saved(folder, merged())
    assert t.run("--check", f"--cache={folder / 'cache'}", path).code == 2
    assert not (folder / "cache").exists()


def test_small_and_cheap_values_are_computed(folder):
    """What takes longer to read than to compute: scalars, shapes, and a transposed weight."""
    nodes = [
        node("Transpose", ["w"], ["wt"], perm=[1, 0]),
        node("MatMul", ["x", "wt"], ["y"]),
        node("Add", ["one", "one"], ["two"]),
        node("Mul", ["y", "two"], ["z"]),
    ]
    constants = [const("w", floats(1, 300, 300)), const("one", 1, np.float32)]
    model = m.model(nodes, [info("x", (1, 300))], [info("z", (1, 300))], constants)
    assert counts(run(folder, model)) == (0, 0, 0)


def test_a_killed_run_leaves_what_is_whole(folder):
    """Whenever it ends, the next run finds whole values or none."""
    path = saved(folder, merged())
    t.fold(path, folder / "plain.onnx")
    for count in range(LAYERS + 1):
        one = subprocess.Popen([t.TOOL, "--quiet", f"--cache={folder / 'cache'}", "-o", folder / "killed.onnx", path])
        while one.poll() is None and len(files(folder)) < count:
            os.sched_yield()
        one.send_signal(signal.SIGKILL)
        one.wait()
        again = run(folder, merged())
        assert again["damaged"] == 0 and again["found"] + again["computed"] == LAYERS
        for file in files(folder):
            file.unlink()
    for left in folder.glob(".killed*"):
        left.unlink()
    (folder / "killed.onnx").unlink(missing_ok=True)


def test_several_models_share_it(folder):
    for name in ("a", "b", "c"):
        saved(folder, merged(changed="abc".index(name)), name)
    models = [folder / f"{name}.onnx" for name in "abc"]
    t.runOk("--quiet", f"--cache={folder / 'cache'}", f"--output-dir={folder / 'out'}", *models)
    for model in models:
        t.expectSameBytes(folder / "out" / model.name, t.fold(model, folder / "plain.onnx"), model.name)
    assert len(files(folder)) == LAYERS + 3


@pytest.mark.parametrize(
    "flags, text",
    [
        (["--cache="], "--cache is '', expected a folder"),
        (["--cache=c", "--cache-size=much"], "--cache-size is 'much', expected SIZE[K|M|G]"),
    ],
)
def test_wrong_flags(folder, flags, text):
    done = t.run(*flags, saved(folder, merged()), cwd=folder)
    assert done.code == 1 and text in done.err and not (folder / "c").exists()


def test_the_summary_says_it(folder):
    path, cache = saved(folder, merged()), folder / "cache"
    first = t.runOk(f"--cache={cache}", "-o", folder / "out.onnx", path).err
    assert f"0 values from the cache (0 bytes), {LAYERS} computed, {LAYERS} of them kept there" in first
    again = t.runOk(f"--cache={cache}", "-o", folder / "out.onnx", path).err
    assert f"{LAYERS} values from the cache ({LAYERS * (VALUE - HEADER)} bytes), 0 computed" in again
    files(folder)[0].write_bytes(b"")
    assert "1 damaged file of the cache ignored" in t.runOk(f"--cache={cache}", "-o", folder / "out.onnx", path).err
    report = json.loads(t.run("--report=json", "-o", folder / "out.onnx", path, "--quiet").err)
    assert "cache" not in report, "only with the option"

# SPDX-License-Identifier: Apache-2.0
"""How `acl` is called and how it answers, whatever the function."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from host import code, in_thread, ok, run_program

import acl

BEYOND = 2**64  # handles and addresses are cut to 64 bits


def functions() -> Iterator[tuple[str, Any]]:
    for module in (acl, acl.rt, acl.mdl, acl.op, acl.util):
        for name, value in vars(module).items():
            if callable(value) and not name.startswith("_") and not isinstance(value, type | ModuleType):
                yield f"{module.__name__}.{name}", value


def refused(path: str, *args: Any) -> str:
    with pytest.raises(TypeError) as caught:
        attrgetter(path)(acl)(*args)
    return str(caught.value)


@pytest.mark.requirement("host-1")
def test_submodules_are_attributes_and_can_be_imported_by_name() -> None:
    from acl import mdl, op, rt, util

    assert (rt, mdl, op, util) == (acl.rt, acl.mdl, acl.op, acl.util)
    assert all(isinstance(each, ModuleType) for each in (rt, mdl, op, util))


def takes_a_keyword(function: Any) -> bool:
    try:
        function(no_such_argument=1)
    except TypeError:
        return False
    return True


@pytest.mark.requirement("host-2")
def test_no_function_takes_a_keyword() -> None:
    found = dict(functions())
    assert {"acl.init", "acl.rt.malloc", "acl.util.ptr_to_bytes"} <= set(found)
    assert [path for path, function in found.items() if takes_a_keyword(function)] == []


@pytest.mark.requirement("host-2")
def test_an_argument_under_its_own_name_is_refused_too(device: int) -> None:
    with pytest.raises(TypeError):
        acl.rt.malloc(size=64, policy=0)
    with pytest.raises(TypeError):
        acl.rt.malloc(64, policy=0)


@pytest.mark.requirement("host-3")
@pytest.mark.parametrize(
    ("path", "args", "kinds"),
    [
        ("rt.get_run_mode", (), (int, int)),
        ("rt.get_mem_info", (1,), (int, int, int)),
        ("get_version", (), (int, int, int, int)),
        ("rt.synchronize_device", (), int),
        ("rt.synchronize_stream", (0,), int),
        ("rt.stream_query", (0,), (int, int)),
        ("get_soc_name", (), str),
        ("data_type_size", (0,), int),
    ],
)
def test_results_come_first_and_the_code_last(device: int, path: str, args: tuple[Any, ...], kinds: Any) -> None:
    answer = attrgetter(path)(acl)(*args)
    shape = tuple(type(value) for value in answer) if isinstance(answer, tuple) else type(answer)
    assert shape == kinds


@pytest.mark.requirement("host-3")
def test_a_void_function_gives_none() -> None:
    description = acl.create_tensor_desc(0, [2, 3], 2)
    assert type(description) is int
    assert acl.set_tensor_desc_name(description, "x") is None
    assert acl.destroy_tensor_desc(description) is None


@pytest.mark.requirement("host-4")
@pytest.mark.parametrize(
    ("path", "args"),
    [
        ("rt.malloc", ()),
        ("rt.malloc", (64,)),
        ("rt.malloc", (64, 0, 0)),
        ("rt.malloc", ("64", 0)),
        ("rt.set_device", ("0",)),
        ("rt.set_device", (None,)),
        ("rt.set_device", (0.0,)),
        ("rt.memcpy", (1, 2, 3, 4)),
        ("rt.create_stream_with_config", (0,)),
        ("rt.event_elapsed_time", (1,)),
        ("rt.binary_load_from_file", (b"kernel.o", [])),
        ("rt.binary_load_from_file", ("kernel\0.o", [])),
        ("util.ptr_to_bytes", ()),
        ("util.ptr_to_bytes", ("1", 1)),
        ("create_data_buffer", (1,)),
        ("init", (5,)),
        ("init", ("a.json", "b.json")),
    ],
)
def test_arguments_that_cannot_be_parsed_name_the_function(path: str, args: tuple[Any, ...]) -> None:
    assert refused(path, *args) == f"acl.{path} args parse failed"


@pytest.mark.requirement("host-4")
def test_a_number_that_does_not_fit_32_bits_is_no_device() -> None:
    for number in (2**31, -(2**31) - 1):
        with pytest.raises((OverflowError, TypeError)):
            acl.rt.set_device(number)


@pytest.mark.requirement("host-4")
def test_a_function_without_parameters_ignores_what_it_is_given() -> None:
    assert acl.rt.get_run_mode(1, "two", None) == (1, 0)
    assert acl.get_version("x") == acl.get_version()


@pytest.mark.requirement("host-5")
@pytest.mark.parametrize(
    "path",
    [
        "rt.synchronize_stream",
        "rt.destroy_stream",
        "rt.destroy_event",
        "rt.destroy_context",
        "rt.set_context",
        "rt.free",
        "rt.free_host",
        "rt.binary_unload",
        "rt.kernel_args_finalize",
        "destroy_data_buffer",
    ],
)
@pytest.mark.parametrize("value", [None, 1.0, [1], (1,), "1", np.int64(1), ctypes.c_void_p(1)], ids=repr)
def test_what_is_no_int_is_no_handle(device: int, path: str, value: Any) -> None:
    assert refused(path, value) == f"acl.{path} args parse failed"


@pytest.mark.requirement("host-5")
def test_every_int_is_a_handle(device: int, stream: int) -> None:
    assert acl.rt.synchronize_stream(False) == 0
    assert acl.rt.free(True) != 0
    assert acl.rt.free(-1) != 0
    for same in (stream + BEYOND, stream - BEYOND):
        assert acl.rt.synchronize_stream(same) == 0


@pytest.mark.requirement("host-6")
def test_living_handles_are_different_numbers_of_64_bits(
    device: int,
    function: Callable[[str], int],
    malloc: Callable[[int], int],
    new_stream: Callable[[], int],
    new_event: Callable[[], int],
    new_context: Callable[[int], int],
) -> None:
    handles = [function(name) for name in ("add_custom", "slow", "mix_index")]
    handles += [make() for make in (new_stream, new_event) for _ in range(20)]
    handles += [malloc(64) for _ in range(20)]
    handles += [new_context(0) for _ in range(3)]
    assert all(type(handle) is int and 0 < handle < BEYOND for handle in handles)
    assert len(set(handles)) == len(handles)


@pytest.mark.requirement("host-7")
@pytest.mark.parametrize(
    ("path", "args", "answer"),
    [
        ("rt.malloc", (0, 0), (0, 100000)),
        ("rt.create_event_with_flag", (0,), (0, 107000)),
        ("rt.create_context", (99,), (0, 107001)),
        ("rt.binary_load_from_file", ("/no/such/kernel.o", []), (0, 107000)),
        ("rt.binary_get_function", (12345, "add_custom"), (0, 107017)),
        ("rt.get_function_name", (12345, 100), (None, 107017)),
        ("rt.get_function_addr", (12345,), (0, 0, 107017)),
        ("rt.stream_query", (12345,), (0, 107017)),
        ("rt.kernel_args_init", (0,), (0, 100000)),
    ],
)
def test_a_failed_call_keeps_the_shape_of_its_answer(device: int, path: str, args: tuple[Any, ...], answer: Any) -> None:
    assert attrgetter(path)(acl)(*args) == answer


@pytest.mark.requirement("host-7")
@pytest.mark.parametrize(
    ("path", "args"), [("rt.get_device", ()), ("rt.get_context", ()), ("rt.create_stream", ()), ("rt.create_event", ())]
)
def test_an_answer_without_a_context_keeps_its_shape(path: str, args: tuple[Any, ...]) -> None:
    assert in_thread(lambda: attrgetter(path)(acl)(*args)) == (0, 107002)


WAITS = """
import threading
import acl

def fine(result):
    values = result if isinstance(result, tuple) else (result,)
    assert values[-1] == 0, (result, acl.get_recent_err_msg())
    return values[0]

fine(acl.init())
fine(acl.rt.set_device(0))
context, stream, other, event = fine(acl.rt.get_context()), *(fine(make()) for make in (acl.rt.create_stream,) * 2 + (acl.rt.create_event,))
done, called = threading.Event(), []

def report():
    while not done.is_set():
        acl.rt.process_report(20)
        done.wait(0.001)

reporter = threading.Thread(target=report)
reporter.start()
fine(acl.rt.subscribe_report(reporter.ident, stream))

def hold():  # the stream goes on when two Python threads have run: the timer's and the reporter's
    go = threading.Event()
    fine(acl.rt.launch_callback(lambda _: called.append(go.wait(30)), None, 1, stream))
    fine(acl.rt.record_event(event, stream))
    threading.Timer(0.05, go.set).start()

for name in WAITS:
    hold()
    handle = {"stream": (stream,), "event": (event,), "device": ()}[name.split("_")[1]]
    fine(getattr(acl.rt, name)(*handle))
    print(name, called, flush=True)
    fine(acl.rt.synchronize_stream(stream))
    called.clear()

def send():
    fine(acl.rt.set_context(context))
    fine(acl.rt.launch_callback(called.append, "sent", 1, other))

fine(acl.rt.subscribe_report(threading.get_ident(), other))
threading.Timer(0.05, send).start()
fine(acl.rt.process_report(30000))
print("process_report", called, flush=True)

go = threading.Event()
thread = fine(acl.util.start_thread(go.wait, 30))
threading.Timer(0.05, go.set).start()
fine(acl.util.stop_thread(thread))
print("stop_thread", go.is_set(), flush=True)

done.set()
reporter.join()
""".replace("WAITS", "('synchronize_stream', 'synchronize_device', 'synchronize_event')")


@pytest.mark.requirement("host-8")
def test_other_threads_run_while_one_waits() -> None:
    """In a process of its own: were they kept from running, nothing would ever come back."""
    assert run_program(WAITS) == [
        "synchronize_stream [True]",
        "synchronize_device [True]",
        "synchronize_event [True]",
        "process_report ['sent']",
        "stop_thread True",
    ]


@pytest.mark.requirement("host-1", "host-3")
def test_a_whole_launch_needs_nothing_but_ints(kernels: dict[str, Path], device: int) -> None:
    stream = ok(acl.rt.create_stream())
    binary = ok(acl.rt.binary_load_from_file(str(kernels["fill_index"]), []))
    function = ok(acl.rt.binary_get_function(binary, "fill_index"))
    out = ok(acl.rt.malloc(16, 0))
    args = ok(acl.rt.kernel_args_init(function))
    slot = np.array([out], np.uint64)
    parameter = ok(acl.rt.kernel_args_append(args, slot.ctypes.data, 8))
    assert {type(each) for each in (stream, binary, function, out, args, parameter)} == {int}
    for result in (
        acl.rt.kernel_args_finalize(args),
        acl.rt.launch_kernel_with_config(function, 4, stream, [], args, 0),
        acl.rt.synchronize_stream(stream),
    ):
        assert result == 0
    host = np.empty(4, np.int32)
    assert acl.rt.memcpy(host.ctypes.data, 16, out, 16, 2) == 0
    assert host.tolist() == [0, 1, 2, 3]
    assert [code(acl.rt.free(out)), acl.rt.binary_unload(binary), acl.rt.destroy_stream(stream)] == [0, 0, 0]

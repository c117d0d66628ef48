# SPDX-License-Identifier: Apache-2.0
# Written by `make docs`.
from collections.abc import Callable, Mapping, Sequence
import enum
from typing import Annotated, Any

import numpy
import numpy.typing
from numpy.typing import NDArray


ABI_VERSION: int = 5

def start(threads: int) -> None: ...

def threads() -> int: ...

def set_time_limit(seconds: float) -> None: ...

def time_limit() -> float: ...

def leave_sigint() -> None: ...

def simd_levels() -> list[str]: ...

def simd_level() -> str: ...

def set_simd_level(name: str) -> bool: ...

class Instruction:
    """One row of instructions.def."""

    @property
    def name(self) -> str: ...

    @property
    def shape(self) -> str: ...

    @property
    def call(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def pipe(self) -> str: ...

    @property
    def operands(self) -> list[tuple[str, str]]: ...

    @property
    def reads(self) -> list[str]: ...

    @property
    def leaves(self) -> list[str]: ...

    @property
    def types(self) -> list[str]: ...

    @property
    def time(self) -> str: ...

    @property
    def record_size(self) -> int: ...

def instructions() -> list[Instruction]: ...

def rows_fingerprint(count: int) -> int:
    """Of the first `count` instructions, as binaries carry it."""

class KernelType(enum.IntEnum):
    AIV_ONLY = 0

    AIC_ONLY = 1

    MIX_AIV_HARD_SYNC = 2

    MIX_AIC_HARD_SYNC = 3

    MIX_AIV_1_0 = 4

    MIX_AIC_1_0 = 5

    MIX_AIC_1_1 = 6

    MIX_AIC_1_2 = 7

    @property
    def task_ration(self) -> tuple[int, int]:
        """(AIC, AIV) cores of one block; the spelling is CANN's."""

    @property
    def has_aic(self) -> bool: ...

    @property
    def has_aiv(self) -> bool: ...

    @property
    def cross_core_sync(self) -> bool:
        """
        Whether hardware cross-core flags and the hard SyncAll work in a kernel of this type.
        """

class Pipe(enum.IntEnum):
    S = 0

    V = 1

    M = 2

    MTE1 = 3

    MTE2 = 4

    MTE3 = 5

    FIX = 6

    ALL = 7

class Memory(enum.IntEnum):
    GM = 0

    UB = 1

    L1 = 2

    L0A = 3

    L0B = 4

    L0C = 5

    BT = 6

    FB = 7

class CoreType(enum.Enum):
    MIX = 0

    AIC = 1

    AIV = 2

class ParameterKind(enum.Enum):
    pointer = 0

    sint = 1

    uint = 2

    real = 3

    half = 4

    bfloat16 = 5

    boolean = 6

    structure = 7

class Strictness(enum.Enum):
    device = -1

    strict = 0

    hardware = 1

class FaultKind(enum.Enum):
    address_fault = 0

    args_freed = 1

    arithmetic_trap = 2

    assertion = 3

    bad_jump = 4

    block_past_end = 5

    buffer_not_initialised = 6

    buffer_overflow = 7

    copy_refused = 8

    cross_core_not_armed = 9

    cross_flag_full = 10

    cross_flag_left = 11

    cross_flag_overflow = 12

    device_lost = 13

    double_free = 14

    dynamic_blocks = 15

    dynamic_key = 16

    early_start_count = 17

    early_start_unannounced = 18

    empty_buffer = 19

    event_ids_used_up = 20

    event_wait_timeout = 21

    field_range = 22

    flag_left = 23

    flag_set_twice = 24

    float_trap = 25

    freed_memory = 26

    freed_tensor = 27

    gather_offset = 28

    gather_overlap = 29

    gm_out_of_bounds = 30

    hang = 31

    hang_across_cores = 32

    hccl_hang = 33

    hccl_misuse = 34

    interrupted = 35

    isolation_refused = 36

    misaligned = 37

    misaligned_access = 38

    no_pipe = 39

    no_result = 40

    no_such_memory = 41

    not_from_queue = 42

    operator_failed = 43

    other_core = 44

    out_of_bounds = 45

    overlap = 46

    partial_block = 47

    queue_empty = 48

    queue_limit = 49

    queue_no_free_buffer = 50

    queue_over_depth = 51

    rank_hang = 52

    ranks_missing = 53

    reserved_cross_flag = 54

    sampled_block_waits = 55

    scratch_overlap = 56

    scratch_too_small = 57

    set_before_copy = 58

    set_on_other_pipe = 59

    set_on_scalar_pipe = 60

    stack_overflow = 61

    stack_overrun = 62

    state_leak = 63

    sync_participants = 64

    system_call = 65

    time_limit = 66

    timing_only_steers = 67

    too_many_buffers = 68

    trap = 69

    trap_call = 70

    two_pipes = 71

    unknown_instruction = 72

    unpadded_rows = 73

    unsupported = 74

    wait_after_copy = 75

    wait_after_write = 76

    warning = 77

class Refusal(enum.Enum):
    stopped = 0

    argument_count = 1

    argument = 2

    not_finalised = 3

    updating = 4

    empty = 5

    too_short = 6

    no_memory = 7

    not_there = 8

    unreadable = 9

    read_only = 10

    gone = 11

class ArgsStatus(enum.Enum):
    ok = 0

    too_many = 1

    no_room = 2

    has_data = 3

    finalised = 4

    stale = 5

    not_placeholder = 6

    placeholder = 7

    other_size = 8

    unreadable = 9

    gone = 10

class Waited(enum.Enum):
    done = 0

    interrupted = 1

    timed_out = 2

    aborted = 3

class Side(enum.Enum):
    none = 0

    dst = 1

    src = 2

class Whereabouts(enum.Enum):
    device = 0

    freed = 1

    beside = 2

    host = 3

    nothing = 4

    freed_host = 5

class StepKind(enum.Enum):
    call = 0

    set = 1

    wait = 2

    barrier = 3

    notify = 4

    tiling = 6

    feed = 7

    profile = 8

    clean = 9

class Who(enum.Enum):
    all = 0

    idle = 1

    first = 2

class ScheduleMode(enum.Enum):
    late = 1

    early = 2

    random = 3

class PriorityKind(enum.Enum):
    late = 0

    early = 1

    late_core = 2

    early_core = 3

    reverse = 4

    chance = 5

class EntryKind(enum.IntEnum):
    control = 0

    vector = 1

    move = 2

    local = 3

    mmad = 4

    set_flag = 5

    wait_flag = 6

    barrier = 7

    cross_set = 8

    cross_wait = 9

    meet = 10

    arrive = 11

    wait_round = 12

    exchange = 13

    scalar_ub = 14

    scalar_gm = 15

    post = 16

    take = 17

    scalars = 18

    drop_line = 19

    sub_kernel = 20

class Part(enum.IntEnum):
    busy = 0

    memory = 1

    flag = 2

    empty = 3

class Cause(enum.IntEnum):
    flag = 0

    barrier = 1

    queue_full = 2

    cross = 3

    memory = 4

    empty = 5

    dependency = 6

    sync = 7

    message = 8

class ItemKind(enum.Enum):
    launch = 0

    copy = 1

    record_event = 2

    await_event = 3

    call = 4

    host_waits = 5

class L2Start(enum.Enum):
    cold = 0

    clean_warm = 1

    dirty_warm = 2

class ClockState(enum.Enum):
    unused = 0

    rehearses = 1

    follows = 2

    strays = 3

    host = 4

def set_own_folders(folders: Sequence[str]) -> None: ...

def place_of(site: int) -> tuple[str, int] | None: ...

class Image:
    def __init__(self, content: bytes, name: str) -> None: ...

    @property
    def base(self) -> int: ...

def exchange_layout() -> tuple[int, int, int]:
    """
    Where answers stand in a ring: the first exchange, the way to the next, and data in it. For tests that forge some.
    """

def map_images_elsewhere() -> None:
    """
    From now on images are mapped in the processes of isolated devices only.
    """

def maps_images_elsewhere() -> bool: ...

class Parameter:
    def __init__(self, kind: ParameterKind, size: int, offset: int) -> None: ...

class Kernel:
    def __init__(self, name: str, type: KernelType, aic: Image | None, aiv: Image | None, entry: str, parameters: Sequence[Parameter], *, in_block_order: bool, prints: bool, asserts: bool, reads_clock: bool = False) -> None: ...

    @property
    def owner(self) -> int: ...

    @owner.setter
    def owner(self, arg: int, /) -> None: ...

    def observe(self, twin: Kernel, *, whole: bool) -> None:
        """
        The same kernel of observed images, which runs in launches that are looked at closely.
        """

    @property
    def has_observed(self) -> bool: ...

    @property
    def number(self) -> int: ...

    @property
    def addresses(self) -> tuple[int, int]: ...

class PlanStep:
    def __init__(self, kind: StepKind, *, who: Who, pipe: Pipe, mode: int, flag: int, sub: int, at: int, value: int) -> None: ...

NO_KEY: int = 18446744073709551615

class SubKernel:
    def __init__(self, kernel: Kernel, *, num_blocks: int, tiling_key: int, args_offset: int, sets: bool, waits: bool, calls_set: bool, calls_wait: bool, feeds: bool, dynamic: bool, tiling_at: int, aic_wait: Sequence[PlanStep], aiv_wait: Sequence[PlanStep], by_key: Sequence[tuple[int, Kernel]]) -> None: ...

def fused_kernel(name: str, type: KernelType, subs: Sequence[SubKernel], *, aic: Sequence[PlanStep], aiv: Sequence[PlanStep], profile_at: int, parameters: Sequence[Parameter], in_block_order: bool) -> Kernel: ...

RANK_GROUPS: int = 2

class Device:
    def __init__(self, *, capacity: int, aic_cores: int, aiv_cores: int, aic_memories: Mapping[Memory, int], aiv_memories: Mapping[Memory, int], early_start: bool, isolated: bool = False) -> None:
        """An isolated one needs isolate() too."""

    def isolate(self, *, program: str, threads: int, quarantine: int, memory_limit: int) -> None:
        """Starts its process. RuntimeError: why not."""

    @property
    def isolated(self) -> bool: ...

    @property
    def process_id(self) -> int: ...

    @property
    def process_starts(self) -> int: ...

    @property
    def strictness(self) -> Strictness: ...

    @strictness.setter
    def strictness(self, arg: Strictness, /) -> None: ...

    @property
    def capacity(self) -> int: ...

    @property
    def used(self) -> int: ...

    @property
    def allocations(self) -> int: ...

    @property
    def pending(self) -> int: ...

    def wait_idle(self) -> None: ...

    def allocate(self, size: int, *, slack: int = 0, kept: bool) -> int: ...

    def release(self, address: int, *, kept: bool) -> bool: ...

    def find(self, address: int) -> tuple[int, int] | None:
        """The allocation around or nearest to an address."""

    def join(self, id: int, group: RankGroup | None, rank: int = 0, context: int = 0) -> None:
        """From the next launch on; None: of no group."""

    def has_ranks(self, id: int) -> bool: ...

    def contains(self, address: int) -> bool: ...

class RankGroup:
    def __init__(self, devices: Sequence[Device], *, windows: Sequence[tuple[int, int, int, str]], patience_ns: int) -> None:
        """Windows are (address, bytes, rank, name)."""

class Buffer:
    def __init__(self, device: Device, size: int) -> None: ...

    @property
    def address(self) -> int: ...

    @property
    def nbytes(self) -> int: ...

    def release(self) -> None: ...

    def discard(self) -> None: ...

    def copy_in(self, host: int, offset: int, size: int) -> None: ...

    def copy_out(self, host: int, offset: int, size: int) -> None: ...

class Accesses:
    def __init__(self) -> None: ...

    def clear(self) -> None: ...

    def ranges(self) -> list[tuple[int, bool, bool, bool, int, int]]:
        """(sub-kernel, after its wait, after its set, writes, begin, end)"""

class Priorities:
    """
    Always the turn of the agent with the highest rank: a scalar unit or a pipe.
    """

    def __init__(self, kind: PriorityKind, pipe: Pipe = Pipe.S, units: Sequence[int] = [], seed: int = 0, changes: Sequence[int] = []) -> None: ...

    @staticmethod
    def directed(first: tuple[int, Pipe, int], second: tuple[int, Pipe, int]) -> Priorities:
        """
        `second` before `first`: each is (unit, pipe, number of the instruction from 1).
        """

    @property
    def steps(self) -> int: ...

    @property
    def agents(self) -> int:
        """that took a step"""

    @property
    def fingerprint(self) -> int:
        """of the steps"""

    @property
    def happened(self) -> bool:
        """directed: the second ran before the first"""

    @property
    def was_held(self) -> bool:
        """
        directed: the first was held back; not so where the second runs before it anyway
        """

    @property
    def reached(self) -> tuple[int, int]:
        """directed: how many instructions the agents of the two ran"""

class Begun(enum.Enum):
    ready = 0

    failed = 1

    changes = 2

class ProvokedLaunch:
    """
    A launch that is about to run, as often as one likes and always from the same memory.
    """

    @property
    def kernel(self) -> str: ...

    @property
    def kernel_type(self) -> KernelType: ...

    @property
    def num_blocks(self) -> int: ...

    @property
    def args(self) -> list[int]: ...

    @property
    def adds_floats(self) -> bool:
        """Atomically: the last bits of a sum depend on the order."""

    @property
    def place(self) -> tuple[str, int] | None: ...

    @property
    def interrupted(self) -> bool: ...

    def begin(self) -> Begun:
        """The plain run, twice."""

    def run_seed(self, mode: ScheduleMode, seed: int) -> tuple[int, int, int] | Fault | None: ...

    def run_order(self, order: Priorities) -> tuple[int, int, int] | Fault | None: ...

class ProvokeSession:
    """
    Every launch that is queued while it is open is handed to `call` first.
    """

    def __init__(self, call: Callable[[ProvokedLaunch], None]) -> None: ...

    def open(self) -> None: ...

    def close(self) -> None: ...

    @property
    def passed_over(self) -> int:
        """
        Launches that the program looks at itself, or that wait for other devices.
        """

class Context:
    def __init__(self) -> None: ...

    @property
    def stopped(self) -> bool: ...

    @property
    def stop_mode(self) -> bool: ...

    @stop_mode.setter
    def stop_mode(self, arg: bool, /) -> None: ...

class Stream:
    def __init__(self, device: Device, context: Context) -> None: ...

    @property
    def settled(self) -> bool: ...

    @property
    def idle(self) -> bool: ...

    def wait(self, at_most_ns: int = 0) -> Waited: ...

    def abort(self) -> None: ...

    def take_errors(self) -> list[Fault]: ...

    def take_notes(self) -> list[Fault]: ...

    @property
    def number(self) -> int: ...

    def set_capture(self, to: Capture | None) -> None: ...

    def set_schedule(self, mode: ScheduleMode | None, seed: int = 0) -> None: ...

    @property
    def one_worker(self) -> bool: ...

    @one_worker.setter
    def one_worker(self, arg: bool, /) -> None: ...

    def set_priorities(self, order: Priorities) -> None: ...

    def set_accesses(self, log: Accesses | None) -> None: ...

    def set_scalar_log(self, to: ScalarLog | None) -> None: ...

    def take_output(self) -> str: ...

    def record(self, event: Event) -> None: ...

    def reset(self, event: Event) -> None: ...

    def await_event(self, event: Event, limit_ns: int = 0) -> None: ...

    def call(self, reports: Reports, id: int = 0, *, blocking: bool, label: str = '') -> None: ...

MAX_PARAMETERS: int = 128

class ArgsList:
    def __init__(self) -> None: ...

    def init(self) -> None: ...

    def init_in(self, handle: int, buffer: int, size: int, most: int) -> bool: ...

    @property
    def alive(self) -> bool: ...

    def append(self, value: int, size: int) -> int | ArgsStatus: ...

    def append_placeholder(self) -> int | ArgsStatus: ...

    def placeholder_buffer(self, number: int, size: int) -> int | ArgsStatus: ...

    def update(self, number: int, value: int, size: int) -> ArgsStatus: ...

    def size_of(self, number: int) -> int: ...

    def finalise(self) -> None: ...

    @property
    def size(self) -> int: ...

    @property
    def parameter_bytes(self) -> int: ...

    @property
    def capacity(self) -> int: ...

    @property
    def data_bytes(self) -> int: ...

    @property
    def most(self) -> int: ...

    def block(self) -> bytes: ...

class LaunchRequest:
    def __init__(self, kernel: Kernel, *, num_blocks: int, tiling_key: int = 0, workspace: int = 0, strictness: Strictness = Strictness.device, limit_ns: int = 0) -> None: ...

    def launch(self, stream: Stream, *args: Any) -> Refusal | None: ...

    def misfit(self, stream: Stream, *args: Any) -> int:
        """After Refusal.argument: which one."""

    def launch_list(self, stream: Stream, list: ArgsList) -> Refusal | None: ...

    def launch_block(self, stream: Stream, host: int, size: int, placeholders: Sequence[tuple[int, int]] = []) -> Refusal | None:
        """Placeholders are (offset of the address, offset of the data)."""

    def launch_struct(self, stream: Stream, host: int, size: int) -> Refusal | None: ...

    @property
    def struct_bytes(self) -> int: ...

    def launch_at(self, stream: Stream, address: int, size: int) -> Refusal | None: ...

    def with_args(self, args: bytes) -> LaunchRequest:
        """The same launch of these bytes."""

    @property
    def kernel(self) -> int: ...

    @property
    def name(self) -> str: ...

    @property
    def num_blocks(self) -> int: ...

    @property
    def tiling_key(self) -> int: ...

    @property
    def workspace(self) -> int: ...

    @property
    def args_at(self) -> int: ...

    @property
    def args(self) -> bytes: ...

class ArgsBlock:
    @property
    def address(self) -> int: ...

    @property
    def size(self) -> int: ...

class Event:
    def __init__(self) -> None: ...

    @property
    def status(self) -> tuple[bool, bool, int]: ...

    @property
    def modelled(self) -> bool: ...

    def is_recorded_on(self, stream: Stream) -> bool: ...

    def wait(self, at_most_ns: int = 0) -> Waited: ...

class Call:
    @property
    def id(self) -> int: ...

    @property
    def failure(self) -> str: ...

    @failure.setter
    def failure(self, arg: str, /) -> None: ...

    def finish(self) -> None: ...

class Reports:
    def __init__(self) -> None: ...

    def take(self, at_most_ns: int) -> Call: ...

    def close(self) -> None: ...

def copy_now(dst: int, src: int, size: int, *, rows: int = 1, dst_pitch: int = 0, src_pitch: int = 0) -> Side: ...

def copy_later(stream: Stream, dst: int, src: int, size: int, *, rows: int = 1, dst_pitch: int = 0, src_pitch: int = 0, stage: bool = False) -> Side: ...

def fill_now(dst: int, value: int, size: int) -> Side: ...

def fill_later(stream: Stream, dst: int, value: int, size: int) -> Side: ...

def hold(address: int, size: int) -> memoryview | None: ...

def let_go(address: int) -> None: ...

def is_device_address(address: int) -> bool: ...

def host_allocate(size: int) -> int: ...

def host_register(address: int, size: int) -> bool: ...

def host_release(address: int) -> bool:
    """Of host_allocate."""

def host_unregister(address: int) -> bool: ...

def host_is_ours(address: int) -> bool: ...

def host_is_locked(address: int, size: int) -> bool: ...

def read_host(address: int, size: int) -> bytes | None: ...

def readable_bytes(address: int, size: int) -> int: ...

def describe_address(address: int) -> tuple[Whereabouts, int, int, tuple[str, int] | None, tuple[str, int] | None]: ...

def set_quarantine(size: int) -> None: ...

def host_live() -> tuple[int, int]: ...

class Fault:
    """
    A number that this kind of fault has not is no attribute; a text is empty.
    """

    @property
    def kind(self) -> FaultKind: ...

    @property
    def kernel(self) -> str: ...

    @property
    def kernel_type(self) -> KernelType: ...

    @property
    def owner(self) -> int: ...

    @property
    def loaded(self) -> int: ...

    @property
    def sub(self) -> int: ...

    @property
    def sub_name(self) -> str: ...

    @property
    def block(self) -> int: ...

    @property
    def core_type(self) -> CoreType: ...

    @property
    def core_idx(self) -> int: ...

    @property
    def instruction(self) -> str: ...

    @property
    def went_on(self) -> bool: ...

    @property
    def chip_runs(self) -> bool: ...

    @property
    def claimed(self) -> bool: ...

    @property
    def task(self) -> int: ...

    @property
    def thread(self) -> int: ...

    @property
    def where(self) -> tuple[str, int]: ...

    @property
    def sites(self) -> list[tuple[str, tuple[str, int]]]: ...

    @property
    def images(self) -> dict[str, bytes | None]: ...

    @property
    def place(self) -> tuple[str, int] | None: ...

    @property
    def args(self) -> ArgsBlock | None: ...

    @property
    def waits(self) -> list[str]: ...

    @property
    def addr(self) -> int: ...

    @property
    def alignment(self) -> int: ...

    @property
    def all(self) -> int: ...

    @property
    def allocated_at(self) -> int: ...

    @property
    def blocks(self) -> int: ...

    @property
    def buffer_bytes(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    @property
    def cores(self) -> int: ...

    @property
    def count(self) -> int: ...

    @property
    def ended(self) -> int: ...

    @property
    def first_byte(self) -> int: ...

    @property
    def free(self) -> int: ...

    @property
    def freed_addr(self) -> int: ...

    @property
    def freed_at(self) -> int: ...

    @property
    def freed_bytes(self) -> int: ...

    @property
    def highest(self) -> int: ...

    @property
    def id(self) -> int: ...

    @property
    def kept_for_printing(self) -> int: ...

    @property
    def key(self) -> int: ...

    @property
    def known(self) -> int: ...

    @property
    def last_byte(self) -> int: ...

    @property
    def length(self) -> int: ...

    @property
    def limit(self) -> int: ...

    @property
    def limit_ms(self) -> int: ...

    @property
    def limit_us(self) -> int: ...

    @property
    def line(self) -> int: ...

    @property
    def lowest(self) -> int: ...

    @property
    def memory_bytes(self) -> int: ...

    @property
    def most(self) -> int: ...

    @property
    def near_addr(self) -> int: ...

    @property
    def near_bytes(self) -> int: ...

    @property
    def non_canonical(self) -> int: ...

    @property
    def op(self) -> int: ...

    @property
    def operand(self) -> int: ...

    @property
    def own_code(self) -> int: ...

    @property
    def rank(self) -> int: ...

    @property
    def size(self) -> int: ...

    @property
    def slots(self) -> int: ...

    @property
    def span(self) -> int: ...

    @property
    def sync_all(self) -> int: ...

    @property
    def tensor_bytes(self) -> int: ...

    @property
    def there(self) -> int: ...

    @property
    def times(self) -> int: ...

    @property
    def value(self) -> int: ...

    @property
    def value0(self) -> int: ...

    @property
    def value1(self) -> int: ...

    @property
    def value2(self) -> int: ...

    @property
    def value3(self) -> int: ...

    @property
    def waiting(self) -> int: ...

    @property
    def writes(self) -> int: ...

    @property
    def at(self) -> str: ...

    @property
    def call(self) -> str: ...

    @property
    def expression(self) -> str: ...

    @property
    def field(self) -> str: ...

    @property
    def file(self) -> str: ...

    @property
    def flag(self) -> str: ...

    @property
    def memory(self) -> str: ...

    @property
    def memory_of(self) -> str: ...

    @property
    def sentence(self) -> str: ...

    @property
    def side(self) -> str: ...

    @property
    def text(self) -> str: ...

    @property
    def type(self) -> str: ...

    @property
    def wait(self) -> str: ...

    @property
    def what(self) -> str: ...

    @property
    def window(self) -> str: ...

def ranges(record: bytes) -> list[tuple[int, str, int, int, int, int]]:
    """
    The bytes a record touches: (operand, 'r', 'w' or 'u', begin, length, count, stride) for rows of `length` bytes.
    """

def execute(record: bytes, memories: dict[str, bytes], core: str = 'AIV') -> dict[str, Any]:
    """
    Runs one record on a scratch core. `memories` maps UB, L1, L0A, L0B, L0C, BT, FB, GM to their initial bytes (from address 0 on; a GM operand's address in the record is an offset into those bytes) and CMPMASK to 16 bytes; on an AIC also POSITIONS, those of sparse weights. Returns the same memories afterwards, CMPMASK, REDUCE (sum, value, index) and COUNTED (what GatherMask kept, what MrgSort used of each list); or {'fault': Fault} when the instruction was refused.
    """

class ProfiledLaunch:
    @property
    def kernel(self) -> str: ...

    @property
    def kernel_type(self) -> KernelType: ...

    @property
    def num_blocks(self) -> int: ...

    @property
    def tiling_key(self) -> int: ...

    @property
    def stream(self) -> int: ...

    @property
    def device(self) -> int: ...

    @property
    def start(self) -> int: ...

    @property
    def task(self) -> int: ...

    @property
    def instructions(self) -> int: ...

    @property
    def cut(self) -> bool: ...

    @property
    def timing_only(self) -> bool: ...

    @property
    def failed(self) -> bool: ...

    @property
    def clock(self) -> ClockState: ...

    @property
    def cores(self) -> numpy.typing.NDArray[numpy.void]: ...

    @property
    def stalls(self) -> numpy.typing.NDArray[numpy.void]: ...

    def slices(self, unit: int) -> tuple[numpy.typing.NDArray[numpy.void], numpy.typing.NDArray[numpy.void]]:
        """The entries of a core and their results; empty when the trace was off."""

    def what_if(self, set: Mapping[str, float], *, second_buffer: bool = False, no_barriers: bool = False, no_conflicts: bool = False, past_l2: bool = False, aligned: bool = False, copies: int = 1, warm: bool = False) -> tuple[int, float, int]:
        """
        Task, mean time of a core and the launch's head, in picoseconds, had the kernel been changed so. Needs the trace.
        """

    @property
    def images(self) -> dict[tuple[str, int], bytes | None]:
        """
        By kind of core and number: the kernel's own is 0, those of sub-kernels follow.
        """

    def retimed(self, moves: Sequence[tuple[int, int, int]]) -> int:
        """
        How long it would take with entries moved, each (core, from, to before which), from an empty L2; needs the trace.
        """

    @property
    def sub_kernels(self) -> list[str]: ...

class ProfiledItem:
    @property
    def kind(self) -> ItemKind: ...

    @property
    def stream(self) -> int: ...

    @property
    def device(self) -> int: ...

    @property
    def queued(self) -> int: ...

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...

    @property
    def direction(self) -> str: ...

    @property
    def bytes(self) -> int: ...

    @property
    def launch(self) -> int: ...

    @property
    def label(self) -> str: ...

class Profile:
    def __init__(self, parameters: Mapping[str, float], vector: Mapping[str, tuple[float, float, float]], *, aic_cores: int, aiv_cores: int, l2_start: L2Start, trace: bool, timing_only: bool, sampled: bool, scalar: bool, limit: int, blocks: int) -> None: ...

    def open(self) -> None: ...

    def close(self) -> None: ...

    @property
    def settled(self) -> bool: ...

    @property
    def cut(self) -> bool: ...

    @property
    def launches(self) -> list[ProfiledLaunch]: ...

    @property
    def log(self) -> list[ProfiledItem]: ...

def profiling() -> bool: ...

def timing_parameters() -> list[str]: ...

def record_dtypes() -> tuple[numpy.dtype[numpy.void], numpy.dtype[numpy.void]]:
    """Of the entries and results of a slice."""

BY_AIC: int = 65536

NO_LINK: int = 4294967295

class Capture:
    def __init__(self) -> None: ...

    def __len__(self) -> int: ...

    def launches(self) -> list[LaunchRequest]: ...

    def streams(self) -> list[int]:
        """The number of the stream of each launch."""

    def replace(self, begin: int, end: int, request: LaunchRequest) -> None:
        """Recorded launches [begin, end) become this one."""

    def replay(self, stream: Stream, begin: int, end: int) -> Refusal | None:
        """Queues recorded launches [begin, end)."""

    def clear(self) -> None: ...

class FindingKind(enum.Enum):
    race = 0

    race_cores = 1

    race_equal = 2

    atomic_mix = 3

    atomic_float = 4

    compiler_edge = 5

    not_written_back = 6

    not_awaited = 7

    stale = 8

    shared_line = 9

    partial_clean = 10

    unwritten = 11

    unwritten_gm = 12

    other_member = 13

    reused = 14

    freed_too_early = 15

    streams = 16

    host_access = 17

    sync_words = 18

    reserved_id = 19

    mixed_groups = 20

    mixed_pipes = 21

    early_set = 22

    early_write = 23

    early_read = 24

    early_local = 25

    two_pipes_alias = 26

    bank_conflict = 27

    short_copy = 28

    misaligned_copy = 29

    needless_sync = 30

    compare_tail = 31

    overlap = 32

    over_itself = 33

class AutoSync(enum.Enum):
    on = 0

    off = 1

    warn = 2

class Doubt(enum.Enum):
    time = 0

    polling = 1

    float_sums = 2

    mixed_flags = 3

    log_full = 4

    left_out = 5

class Way(enum.Enum):
    reads = 0

    writes = 1

    updates = 2

    atomic = 3

class FindingSide:
    """One of the two accesses of a finding."""

    @property
    def where(self) -> tuple[str, int]: ...

    @property
    def instruction(self) -> str: ...

    @property
    def block(self) -> int: ...

    @property
    def unit(self) -> int: ...

    @property
    def core_type(self) -> CoreType: ...

    @property
    def core_idx(self) -> int: ...

    @property
    def agent(self) -> str: ...

    @property
    def way(self) -> str: ...

    @property
    def operand(self) -> int:
        """As it counts in the call; -1: none of its tensors."""

    @property
    def number(self) -> int:
        """Which instruction of its agent it was, from 1."""

    @property
    def sub(self) -> int: ...

    @property
    def member(self) -> str: ...

    @property
    def waited(self) -> bool: ...

    @property
    def set(self) -> bool: ...

class Standing:
    """A synchronisation that stands near the two."""

    @property
    def where(self) -> tuple[str, int]: ...

    @property
    def instruction(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def src(self) -> str: ...

    @property
    def dst(self) -> str: ...

    @property
    def id(self) -> int: ...

    @property
    def mode(self) -> int: ...

    @property
    def at(self) -> str: ...

class TapeEvent:
    """One instruction that a core issued, in its order."""

    @property
    def where(self) -> tuple[str, int]: ...

    @property
    def instruction(self) -> str: ...

    @property
    def member(self) -> int: ...

    @property
    def pipe(self) -> str: ...

    @property
    def touches(self) -> bool:
        """Whether it reads or writes memory or a register."""

    @property
    def orders(self) -> bool:
        """Whether anything is ordered by it."""

    @property
    def early_set(self) -> bool: ...

    @property
    def early_wait(self) -> bool: ...

class Finding:
    """What the checker found; the words are src/aclimb/check's."""

    @property
    def kind(self) -> FindingKind: ...

    @property
    def first(self) -> FindingSide: ...

    @property
    def second(self) -> FindingSide | None: ...

    @property
    def memory(self) -> str: ...

    @property
    def begin(self) -> int: ...

    @property
    def end(self) -> int: ...

    @property
    def met(self) -> int:
        """How often."""

    @property
    def blocks(self) -> int:
        """In how many blocks."""

    @property
    def number(self) -> int:
        """What else its kind can say: bytes, cycles, an id."""

    @property
    def order(self) -> list[Standing]:
        """What was set and waited for near the two."""

class HostTask:
    """What a stream does for the host, or the host itself."""

    @property
    def kind(self) -> str: ...

    @property
    def launch(self) -> int:
        """Its number among those that were checked, -1 none."""

    @property
    def by_host(self) -> bool: ...

    @property
    def place(self) -> tuple[str, int] | None: ...

class Conflict:
    """Two tasks that touch the same bytes in no order."""

    @property
    def kind(self) -> FindingKind: ...

    @property
    def first(self) -> HostTask: ...

    @property
    def second(self) -> HostTask: ...

    @property
    def begin(self) -> int: ...

    @property
    def end(self) -> int: ...

    @property
    def both_write(self) -> bool: ...

class CheckedLaunch:
    @property
    def kernel(self) -> str: ...

    @property
    def loaded(self) -> int: ...

    @property
    def num_blocks(self) -> int: ...

    @property
    def tiling_key(self) -> int: ...

    @property
    def stream(self) -> int: ...

    @property
    def args(self) -> list[int]: ...

    @property
    def place(self) -> tuple[str, int] | None: ...

    @property
    def ended(self) -> bool: ...

    @property
    def claimed(self) -> bool:
        """It ran in the process of an isolated device, which may say anything."""

    @property
    def findings(self) -> list[Finding]: ...

    @property
    def images(self) -> dict[str, bytes | None]: ...

    def events(self, unit: int) -> list[TapeEvent]:
        """What a core issued, where the check keeps a tape."""

    def judge(self, moves: Sequence[tuple[int, int, bool, int]]) -> tuple[bool, list[tuple[int, int, int, int]]]:
        """
        Again, with calls moved, each (core, member, is a set, before which event): whether a core waits for ever, and every pair of (member, core) in no order.
        """

    @property
    def steers(self) -> list[FindingSide]: ...

    @property
    def units(self) -> int: ...

    @property
    def doubts(self) -> list[tuple[Doubt, FindingSide]]: ...

class CheckSession:
    def __init__(self, *, auto_sync: AutoSync, cache: bool, init: bool, eager: bool, advice: bool, tape: bool = False, all_pairs: bool = False, log_bytes: int = 268435456) -> None: ...

    def open(self) -> None: ...

    def close(self) -> None: ...

    @property
    def settled(self) -> bool: ...

    @property
    def conflicts(self) -> list[Conflict]: ...

    @property
    def launches(self) -> list[CheckedLaunch]: ...

class TraceWriter:
    """Slices, flags and arrows of trace.json; strings are pieces of JSON."""

    def __init__(self, file: int, *, is_first: bool, lanes: Sequence[tuple[str, str, str]], start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', writable=False)], end: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', writable=False)], bytes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', writable=False)], lane: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', writable=False)], name: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', writable=False)], site: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', writable=False)], names: Sequence[str], sites: Sequence[str]) -> None: ...

    def slices(self, lanes: Sequence[int], style: tuple[str, int]) -> None: ...

    def flags(self, flows: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', writable=False)], *, cycle_ns: int, set_style: tuple[str, int], wait_style: tuple[str, int]) -> None: ...

    def arrows(self, flows: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', writable=False)]) -> None: ...

    def finish(self) -> None: ...

    @property
    def is_first(self) -> bool: ...

def set_observed_maker(call: Callable[[int], None]) -> None:
    """
    Called with the number of a kernel before its first launch that is looked at so closely; it may call Kernel.observe.
    """

class ScalarLog:
    """
    What the scalar unit does in the launches of a stream: Stream.set_scalar_log.
    """

    def __init__(self) -> None: ...

    def rows(self) -> list[tuple[int, int, int, str, str, str, int, int, int, bytes | None, int]]:
        """
        (launch, core, sub-kernel, instruction, way, memory, address, bytes, work before, image, offset in it)
        """

    @property
    def work(self) -> int:
        """Operations of the kernels' own code."""

    @property
    def observed(self) -> bool:
        """Every launch ran an observed image."""

class OrderModel:
    """
    Cores are told what they issue and run, in any order that the rules allow.
    """

    def __init__(self, cores: Sequence[tuple[CoreType, int]], auto_sync: AutoSync, all_pairs: bool = True) -> None: ...

    def issued(self, unit: int, pipe: Pipe) -> None: ...

    def run(self, unit: int, pipe: Pipe, bytes: Sequence[tuple[Memory, Way, int, int, int, int, int, int]], orders_itself: bool = False, sub: int = -1) -> int: ...

    def scalar(self, unit: int, bytes: tuple[Memory, Way, int, int, int, int, int, int], listed: bool, past_cache: bool = False, sub: int = -1) -> int: ...

    def set_flag(self, arg0: int, arg1: Pipe, arg2: Pipe, arg3: int, /) -> None: ...

    def wait_flag(self, arg0: int, arg1: Pipe, arg2: Pipe, arg3: int, /) -> bool: ...

    def barrier(self, arg0: int, arg1: Pipe, /) -> None: ...

    def scalar_barrier(self, arg0: int, arg1: int, /) -> None: ...

    def clean(self, arg0: int, arg1: int, arg2: int, /) -> None: ...

    def cross_set(self, unit: int, pipe: Pipe, mode: int, id: int) -> None: ...

    def cross_wait(self, arg0: int, arg1: int, /) -> None: ...

    def post(self, arg0: int, arg1: int, /) -> None: ...

    def take(self, arg0: int, arg1: int, /) -> bool: ...

    def pairs(self) -> list[tuple[FindingKind, Memory, int, str, int, int, str, int]]:
        """At the end: (kind, memory, unit, agent, number, unit, agent, number)."""

class Issued:
    """What every core of every launch issued while it was open."""

    def __init__(self) -> None: ...

    def open(self) -> None: ...

    def close(self) -> None: ...

    @property
    def launches(self) -> list[tuple[str, list[Any], dict[str, bytes | None], list[bool]]]:
        """
        (kernel, cores, images by name, members whose SetNextTaskStart has an effect) when everything has run. A core is (AIC or AIV, block, rows), a row (instruction, pipe, number of the type, member, its record, index of the core, cores of its kind, in a SuperKernel, touches, (image, offset), has run), a touch (memory, role, begin, length, count, stride).
        """

def record_layouts() -> dict[str, numpy.dtype[numpy.void]]:
    """Where the numbers lie in the records that order something."""

# SPDX-License-Identifier: Apache-2.0
# Written by `make docs`.
from collections.abc import Callable
from typing import Annotated, Any, TypeVar, overload
from aclimb.asc import language as language
from aclimb.asc import runtime as runtime
from aclimb.asc.language import adv as adv
from aclimb.asc.language import basic as basic
from aclimb.asc.language import core as core
from aclimb.asc.language import fwk as fwk
from aclimb.asc.language.core.dtype import DataType as DataType
from aclimb.asc.language.core.dtype import KnownTypes as KnownTypes
from aclimb.asc.language.core.dtype import int8 as int8
from aclimb.asc.language.core.dtype import int16 as int16
from aclimb.asc.language.core.dtype import int32 as int32
from aclimb.asc.language.core.dtype import int64 as int64
from aclimb.asc.language.core.dtype import uint8 as uint8
from aclimb.asc.language.core.dtype import uint16 as uint16
from aclimb.asc.language.core.dtype import uint32 as uint32
from aclimb.asc.language.core.dtype import uint64 as uint64
from aclimb.asc.language.core.dtype import float16 as float16
from aclimb.asc.language.core.dtype import float32 as float32
from aclimb.asc.language.core.dtype import float64 as float64
from aclimb.asc.language.core.dtype import void as void
from aclimb.asc.language.core.dtype import half as half
from aclimb.asc.language.core.dtype import float_ as float_
from aclimb.asc.language.core.dtype import double as double
from aclimb.asc.language.core.dtype import int_ as int_
from aclimb.asc.language.core.enums import AippInputFormat as AippInputFormat
from aclimb.asc.language.core.enums import AtomicDtype as AtomicDtype
from aclimb.asc.language.core.enums import AtomicOp as AtomicOp
from aclimb.asc.language.core.enums import BatchMode as BatchMode
from aclimb.asc.language.core.enums import BlockMode as BlockMode
from aclimb.asc.language.core.enums import CMPMODE as CMPMODE
from aclimb.asc.language.core.enums import CO2Layout as CO2Layout
from aclimb.asc.language.core.enums import CacheLine as CacheLine
from aclimb.asc.language.core.enums import CacheMode as CacheMode
from aclimb.asc.language.core.enums import CacheRwMode as CacheRwMode
from aclimb.asc.language.core.enums import CubeFormat as CubeFormat
from aclimb.asc.language.core.enums import DataFormat as DataFormat
from aclimb.asc.language.core.enums import DcciDst as DcciDst
from aclimb.asc.language.core.enums import DeqScale as DeqScale
from aclimb.asc.language.core.enums import GatherMaskMode as GatherMaskMode
from aclimb.asc.language.core.enums import HardEvent as HardEvent
from aclimb.asc.language.core.enums import Hardware as Hardware
from aclimb.asc.language.core.enums import IterateMode as IterateMode
from aclimb.asc.language.core.enums import IterateOrder as IterateOrder
from aclimb.asc.language.core.enums import LayoutMode as LayoutMode
from aclimb.asc.language.core.enums import MaskMode as MaskMode
from aclimb.asc.language.core.enums import MatmulConfigMode as MatmulConfigMode
from aclimb.asc.language.core.enums import MemDsbT as MemDsbT
from aclimb.asc.language.core.enums import PipeID as PipeID
from aclimb.asc.language.core.enums import QuantModes as QuantModes
from aclimb.asc.language.core.enums import ReduceOrder as ReduceOrder
from aclimb.asc.language.core.enums import RoundMode as RoundMode
from aclimb.asc.language.core.enums import ScheduleType as ScheduleType
from aclimb.asc.language.core.enums import SelMode as SelMode
from aclimb.asc.language.core.enums import TPosition as TPosition
from aclimb.asc.language.core.enums import TransposeType as TransposeType
from aclimb.asc.language.core.enums import pad_t as pad_t
from aclimb.asc.language.core.struct import Field as Field
from aclimb.asc.language.core.struct import Struct as Struct
from aclimb.asc.language.core.struct import StructField as StructField
from aclimb.asc.language.device import DeviceObject as DeviceObject
from aclimb.asc.runtime.jit import JITFunction
from aclimb.asc.runtime.options import CodegenOptions as CodegenOptions
from aclimb.asc.runtime.options import CompileOptions as CompileOptions
from aclimb.asc.runtime.options import LaunchOptions as LaunchOptions

_T = TypeVar("_T")
ConstExpr = Annotated[_T, "its value is part of the kernel"]
DEFAULT_C0_SIZE: str
ONE_BLK_SIZE: str
TOTAL_L1_SIZE: str
TOTAL_L0C_SIZE: str

@overload
def jit(function: Callable[..., Any], /) -> JITFunction: ...
@overload
def jit(**options: Any) -> Callable[[Callable[..., Any]], JITFunction]: ...

class Number(int):
    """A whole number that the core computes."""
    dtype: DataType
    def cast(self, dtype: DataType) -> Any: ...
    def ceildiv(self, y: int) -> Number: ...

class Real(float):
    """A float that the core computes."""
    dtype: DataType
    def cast(self, dtype: DataType) -> Any: ...

class GlobalAddress(DeviceObject):
    """An address in global memory: a pointer parameter; `a + n` counts elements."""
    def __init__(self) -> None: ...
    dtype: DataType
    def __add__(self, n: int) -> GlobalAddress: ...
    def __sub__(self, n: int) -> GlobalAddress: ...
    def __getitem__(self, begin: Any) -> GlobalTensor: ...  # of helpers that say so and are given a GlobalTensor
class GlobalTensor(DeviceObject):
    """A tensor in global memory; its element type comes with set_global_buffer(address, size)."""
    def __init__(self) -> None: ...
    dtype: DataType
    def __getitem__(self, begin: Any) -> GlobalTensor: ...
    def __call__(self, begin: int) -> GlobalTensor: ...
    def set_global_buffer(self, buffer: GlobalAddress | None = None, buffer_size: int | None = None) -> None: ...
    def get_value(self, offset: int) -> Real:
        """A tensor in global memory; its element type is that of the address given to set_global_buffer. AscendC::GetValue."""
    def set_value(self, offset: int, value: float) -> None:
        """A tensor in global memory; its element type is that of the address given to set_global_buffer. AscendC::SetValue."""
    def get_phy_addr(self, offset: int = ...) -> GlobalAddress:
        """A tensor in global memory; its element type is that of the address given to set_global_buffer. AscendC::GetPhyAddr."""
    def get_size(self) -> Number:
        """A tensor in global memory; its element type is that of the address given to set_global_buffer. AscendC::GetSize."""
    def get_shape_info(self) -> ShapeInfo:
        """A tensor in global memory; its element type is that of the address given to set_global_buffer. AscendC::GetShapeInfo."""
    def set_shape_info(self, shape_info: Any) -> None:
        """A tensor in global memory; its element type is that of the address given to set_global_buffer. AscendC::SetShapeInfo."""
    def set_l2_cache_hint(self, mode: CacheMode = ..., rw_mode: CacheRwMode = ...) -> None:
        """A tensor in global memory; its element type is that of the address given to set_global_buffer. AscendC::SetL2CacheHint."""
class LocalTensor(DeviceObject):
    """A tensor in local memory, at a byte address of your own."""
    def __init__(self, dtype: DataType, pos: TPosition = TPosition.VECIN, addr: int = 0, tile_size: int = 0) -> None: ...
    dtype: DataType
    def __getitem__(self, begin: Any) -> LocalTensor: ...
    def __call__(self, begin: int) -> LocalTensor: ...
    def get_value(self, index: int) -> Real:
        """A tensor in a core's local memory. AscendC::GetValue."""
    def set_value(self, index: int, value: float) -> None:
        """A tensor in a core's local memory. AscendC::SetValue."""
    def get_phy_addr(self, offset: int = ...) -> Number:
        """A tensor in a core's local memory. AscendC::GetPhyAddr."""
    def get_size(self) -> Number:
        """A tensor in a core's local memory. AscendC::GetSize."""
    def get_length(self) -> Number:
        """A tensor in a core's local memory. AscendC::GetLength."""
    def get_position(self) -> Number:
        """A tensor in a core's local memory. AscendC::GetPosition."""
    def get_user_tag(self) -> Number:
        """A tensor in a core's local memory. AscendC::GetUserTag."""
    def set_user_tag(self, tag: int = ...) -> None:
        """A tensor in a core's local memory. AscendC::SetUserTag."""
    def set_size(self, size: int = ...) -> None:
        """A tensor in a core's local memory. AscendC::SetSize."""
    def set_buffer_len(self, data_len: int) -> None:
        """A tensor in a core's local memory. AscendC::SetBufferLen."""
    def get_shape_info(self) -> ShapeInfo:
        """A tensor in a core's local memory. AscendC::GetShapeInfo."""
    def set_shape_info(self, shape_info: Any) -> None:
        """A tensor in a core's local memory. AscendC::SetShapeInfo."""
    def reinterpret_cast(self, dtype: DataType) -> LocalTensor:
        """A tensor in a core's local memory. AscendC::ReinterpretCast."""
    def set_addr_with_offset(self, src: LocalTensor, offset: int) -> None:
        """A tensor in a core's local memory. AscendC::SetAddrWithOffset."""
    def print(self, data_len: int) -> None:
        """A tensor in a core's local memory. AscendC::Print."""
    def to_file(self, file_name: str) -> None:
        """A tensor in a core's local memory. AscendC::ToFile."""
class LocalTensorAuto(LocalTensor):
    """A tensor in local memory that the compiler places and synchronises."""
    def __init__(self, dtype: DataType, shape: int | tuple[int, ...]) -> None: ...
class LocalMemAllocator(DeviceObject):
    """Hands out local memory from its beginning."""
    def __init__(self, hard: Hardware = Hardware.UB) -> None: ...
    def alloc(self, pos: TPosition, data_type: DataType, tile_size: int) -> LocalTensor: ...
    def get_cur_addr(self) -> Number:
        """Hands out local memory from its beginning. AscendC::GetCurAddr."""
class MrgSortSrcList(DeviceObject):
    """The sorted lists that mrg_sort merges."""
    def __init__(self, dtype: DataType, src1: LocalTensor, src2: LocalTensor, src3: LocalTensor | None = None, src4: LocalTensor | None = None) -> None: ...
class ShapeInfo(DeviceObject):
    """The shape of a tensor's data."""
    def __init__(self, shape: Any, original_shape: Any = None, data_format: DataFormat = DataFormat.ND) -> None: ...
    def shape(self, dim: int) -> Number:
        """The shape of a tensor's data. AscendC::shape."""
    def original_shape(self, dim: int) -> Number:
        """The shape of a tensor's data. AscendC::originalShape."""
class FixpipeConfig(DeviceObject):
    """How Fixpipe writes: row by row, or in fractals."""
    def __init__(self, layout: CO2Layout = CO2Layout.ROW_MAJOR) -> None: ...
class TensorDesc(DeviceObject):
    """One tensor of a list in global memory."""
    def __init__(self, dtype: DataType) -> None: ...
class ListTensorDesc(DeviceObject):
    """A list of tensors in global memory."""
    def __init__(self, data: GlobalAddress, length: int = 0, shape_size: int = 0) -> None: ...
class TPipe(DeviceObject):
    """The one object that hands out local memory."""
    def __init__(self) -> None: ...
    @overload
    def init_buffer(self, que: TQue | TQueBind, num: int, len: int) -> None:
        """The one object that hands out local memory. AscendC::InitBuffer."""
    @overload
    def init_buffer(self, buf: TBuf, num: int) -> None:
        """The one object that hands out local memory. AscendC::InitBuffer."""
    def alloc_event_id(self, event: HardEvent = ...) -> Number:
        """The one object that hands out local memory. AscendC::AllocEventID."""
    def fetch_event_id(self, event: HardEvent = ...) -> Number:
        """The one object that hands out local memory. AscendC::FetchEventID."""
    def release_event_id(self, id: Any, event: HardEvent = ...) -> None:
        """The one object that hands out local memory. AscendC::ReleaseEventID."""
    def init(self) -> None:
        """The one object that hands out local memory. AscendC::Init."""
    def destroy(self) -> None:
        """The one object that hands out local memory. AscendC::Destroy."""
    def reset(self) -> None:
        """The one object that hands out local memory. AscendC::Reset."""
    def get_base_addr(self, logic_pos: TPosition) -> Number:
        """The one object that hands out local memory. AscendC::GetBaseAddr."""
    @overload
    def init_buf_pool(self, buf_pool: TBufPool, len: int = ...) -> None:
        """The one object that hands out local memory. AscendC::InitBufPool."""
    @overload
    def init_buf_pool(self, buf_pool: TBufPool, len: int, share_buf: TBufPool) -> None:
        """The one object that hands out local memory. AscendC::InitBufPool."""
class TQue(DeviceObject):
    """A queue of tensors between two units."""
    def __init__(self, pos: TPosition = TPosition.VECIN, depth: int = 1, mask: int = 0) -> None: ...
    @overload
    def alloc_tensor(self, dtype: DataType) -> LocalTensor:
        """A queue of tensors between two units. AscendC::AllocTensor."""
    @overload
    def alloc_tensor(self, tensor: LocalTensor) -> None:
        """A queue of tensors between two units. AscendC::AllocTensor."""
    @overload
    def deque(self, dtype: DataType) -> LocalTensor:
        """A queue of tensors between two units. AscendC::DeQue."""
    @overload
    def deque(self, tensor: LocalTensor) -> None:
        """A queue of tensors between two units. AscendC::DeQue."""
    @overload
    def deque(self, dtype: DataType, src_user_pos: TPosition, dst_user_pos: TPosition) -> LocalTensor:
        """A queue of tensors between two units. AscendC::DeQue."""
    @overload
    def enque(self, tensor: LocalTensor) -> None:
        """A queue of tensors between two units. AscendC::EnQue."""
    @overload
    def enque(self, tensor: LocalTensor, src_user_pos: TPosition, dst_user_pos: TPosition) -> None:
        """A queue of tensors between two units. AscendC::EnQue."""
    def free_tensor(self, tensor: LocalTensor) -> None:
        """A queue of tensors between two units. AscendC::FreeTensor."""
    def has_tensor_in_que(self) -> bool:
        """A queue of tensors between two units. AscendC::HasTensorInQue."""
    def vacant_in_que(self) -> bool:
        """A queue of tensors between two units. AscendC::VacantInQue."""
    def has_idle_buffer(self) -> bool:
        """A queue of tensors between two units. AscendC::HasIdleBuffer."""
    def get_tensor_count_in_que(self) -> Number:
        """A queue of tensors between two units. AscendC::GetTensorCountInQue."""
    def free_all_event(self) -> None:
        """A queue of tensors between two units. AscendC::FreeAllEvent."""
    def init_buf_handle(self, buf_pool: TBufPool, index: int, buf_handle: Any, cur_pool_addr: int, len: int) -> None:
        """A queue of tensors between two units. AscendC::InitBufHandle."""
    def init_start_buf_handle(self, start_buf_handle: Any, num: int, len: int) -> None:
        """A queue of tensors between two units. AscendC::InitStartBufHandle."""
class TQueBind(TQue):
    """A queue whose tensors are read where others are written."""
    def __init__(self, src: TPosition, dst: TPosition, depth: int = 0, mask: int = 0) -> None: ...
class TBuf(DeviceObject):
    """Local memory without a queue."""
    def __init__(self, pos: TPosition = TPosition.VECCALC) -> None: ...
    def get(self, dtype: DataType, len: int | None = ...) -> LocalTensor:
        """Local memory without a queue. AscendC::Get."""
    def get_with_offset(self, size: int, buf_offset: int, dtype: DataType) -> LocalTensor:
        """Local memory without a queue. AscendC::GetWithOffset."""
    def alloc_tensor(self, dtype: DataType) -> LocalTensor:
        """Local memory without a queue. AscendC::AllocTensor."""
    def free_tensor(self, tensor: LocalTensor) -> None:
        """Local memory without a queue. AscendC::FreeTensor."""
class TBufPool(DeviceObject):
    """A part of local memory that hands out parts of its own."""
    def __init__(self, pos: TPosition, buf_id_size: int = 4) -> None: ...
    @overload
    def init_buffer(self, que: TQue | TQueBind, num: int, len: int) -> None:
        """A part of local memory that hands out parts of its own. AscendC::InitBuffer."""
    @overload
    def init_buffer(self, buf: TBuf, num: int) -> None:
        """A part of local memory that hands out parts of its own. AscendC::InitBuffer."""
    @overload
    def init_buf_pool(self, buf_pool: TBufPool, len: int = ...) -> None:
        """A part of local memory that hands out parts of its own. AscendC::InitBufPool."""
    @overload
    def init_buf_pool(self, buf_pool: TBufPool, len: int, share_buf: TBufPool) -> None:
        """A part of local memory that hands out parts of its own. AscendC::InitBufPool."""
    def reset(self) -> None:
        """A part of local memory that hands out parts of its own. AscendC::Reset."""
class BinaryRepeatParams(DeviceObject):
    """Parameters of a call, as AscendC::BinaryRepeatParams."""
    def __init__(self, dst_blk_stride: int = ..., src0_blk_stride: int = ..., src1_blk_stride: int = ..., dst_rep_stride: int = ..., src0_rep_stride: int = ..., src1_rep_stride: int = ...) -> None: ...
    dst_blk_stride: Any
    src0_blk_stride: Any
    src1_blk_stride: Any
    dst_rep_stride: Any
    src0_rep_stride: Any
    src1_rep_stride: Any
class UnaryRepeatParams(DeviceObject):
    """Parameters of a call, as AscendC::UnaryRepeatParams."""
    def __init__(self, dst_blk_stride: int = ..., src_blk_stride: int = ..., dst_rep_stride: int = ..., src_rep_stride: int = ...) -> None: ...
    dst_blk_stride: Any
    src_blk_stride: Any
    dst_rep_stride: Any
    src_rep_stride: Any
class CopyRepeatParams(DeviceObject):
    """Parameters of a call, as AscendC::CopyRepeatParams."""
    def __init__(self, dst_stride: int = ..., src_stride: int = ..., dst_repeat_size: int = ..., src_repeat_size: int = ...) -> None: ...
    dst_stride: Any
    src_stride: Any
    dst_repeat_size: Any
    src_repeat_size: Any
class BrcbRepeatParams(DeviceObject):
    """Parameters of a call, as AscendC::BrcbRepeatParams."""
    def __init__(self, dst_blk_stride: int = ..., dst_rep_stride: int = ...) -> None: ...
    dst_blk_stride: Any
    dst_rep_stride: Any
class GatherRepeatParams(DeviceObject):
    """Parameters of a call, as AscendC::GatherRepeatParams."""
    def __init__(self, dst_blk_stride: int = ..., dst_rep_stride: int = ...) -> None: ...
    dst_blk_stride: Any
    dst_rep_stride: Any
class GatherMaskParams(DeviceObject):
    """Parameters of a call, as AscendC::GatherMaskParams."""
    def __init__(self, src0_block_stride: int = ..., repeat_times: int = ..., src0_repeat_stride: int = ..., src1_repeat_stride: int = ...) -> None: ...
    src0_block_stride: Any
    repeat_times: Any
    src0_repeat_stride: Any
    src1_repeat_stride: Any
class DataCopyParams(DeviceObject):
    """Parameters of a call, as AscendC::DataCopyParams."""
    def __init__(self, block_count: int = ..., block_len: int = ..., src_stride: int = ..., dst_stride: int = ...) -> None: ...
    block_count: Any
    block_len: Any
    src_stride: Any
    dst_stride: Any
class DataCopyExtParams(DeviceObject):
    """Parameters of a call, as AscendC::DataCopyExtParams."""
    def __init__(self, block_count: int = ..., block_len: int = ..., src_stride: int = ..., dst_stride: int = ..., rsv: int = ...) -> None: ...
    block_count: Any
    block_len: Any
    src_stride: Any
    dst_stride: Any
    rsv: Any
class DataCopyPadParams(DeviceObject):
    """Parameters of a call, as AscendC::DataCopyPadParams."""
    def __init__(self, is_pad: bool = ..., left_padding: int = ..., right_padding: int = ..., padding_value: int = ...) -> None: ...
    is_pad: Any
    left_padding: Any
    right_padding: Any
    padding_value: Any
class DataCopyPadExtParams(DeviceObject):
    """Parameters of a call, as AscendC::DataCopyPadExtParams."""
    def __init__(self, dtype: DataType, is_pad: bool = ..., left_padding: int = ..., right_padding: int = ..., padding_value: float = ...) -> None: ...
    is_pad: Any
    left_padding: Any
    right_padding: Any
    padding_value: Any
class DataCopyEnhancedParams(DeviceObject):
    """Parameters of a call, as AscendC::DataCopyEnhancedParams."""
    def __init__(self, block_mode: BlockMode = ..., deq_scale: DeqScale = ..., deq_value: int = ..., sid_store_mode: int = ..., is_relu: bool = ..., pad_mode: int = ..., pad_value: int = ...) -> None: ...
    block_mode: Any
    deq_scale: Any
    deq_value: Any
    sid_store_mode: Any
    is_relu: Any
    pad_mode: Any
    pad_value: Any
class SliceInfo(DeviceObject):
    """Parameters of a call, as AscendC::SliceInfo."""
    def __init__(self, start_index: int = ..., end_index: int = ..., stride: int = ..., burst_len: int = ..., shape_value: int = ...) -> None: ...
    start_index: Any
    end_index: Any
    stride: Any
    burst_len: Any
    shape_value: Any
class Nd2NzParams(DeviceObject):
    """Parameters of a call, as AscendC::Nd2NzParams."""
    def __init__(self, nd_num: int = ..., n_value: int = ..., d_value: int = ..., src_nd_matrix_stride: int = ..., src_d_value: int = ..., dst_nz_c0_stride: int = ..., dst_nz_n_stride: int = ..., dst_nz_matrix_stride: int = ...) -> None: ...
    nd_num: Any
    n_value: Any
    d_value: Any
    src_nd_matrix_stride: Any
    src_d_value: Any
    dst_nz_c0_stride: Any
    dst_nz_n_stride: Any
    dst_nz_matrix_stride: Any
class Nz2NdParamsFull(DeviceObject):
    """Parameters of a call, as AscendC::Nz2NdParamsFull."""
    def __init__(self, nd_num: int = ..., n_value: int = ..., d_value: int = ..., src_nd_matrix_stride: int = ..., src_n_stride: int = ..., dst_d_stride: int = ..., dst_nd_matrix_stride: int = ...) -> None: ...
    nd_num: Any
    n_value: Any
    d_value: Any
    src_nd_matrix_stride: Any
    src_n_stride: Any
    dst_d_stride: Any
    dst_nd_matrix_stride: Any
class DataCopyCO12DstParams(DeviceObject):
    """Parameters of a call, as AscendC::DataCopyCO12DstParams."""
    def __init__(self, n_size: int = ..., m_size: int = ..., dst_stride: int = ..., src_stride: int = ..., quant_pre: QuantModes = ..., relu_pre: int = ..., channel_split: bool = ..., nz2nd_en: bool = ...) -> None: ...
    n_size: Any
    m_size: Any
    dst_stride: Any
    src_stride: Any
    quant_pre: Any
    relu_pre: Any
    channel_split: Any
    nz2nd_en: Any
class TransDataTo5HDParams(DeviceObject):
    """Parameters of a call, as AscendC::TransDataTo5HDParams."""
    def __init__(self, dst_high_half: bool = ..., src_high_half: bool = ..., repeat_times: int = ..., dst_rep_stride: int = ..., src_rep_stride: int = ...) -> None: ...
    dst_high_half: Any
    src_high_half: Any
    repeat_times: Any
    dst_rep_stride: Any
    src_rep_stride: Any
class TransposeParamsExt(DeviceObject):
    """Parameters of a call, as AscendC::TransposeParamsExt."""
    def __init__(self, n_size: int = ..., c_size: int = ..., h_size: int = ..., w_size: int = ..., transpose_type: TransposeType = ...) -> None: ...
    n_size: Any
    c_size: Any
    h_size: Any
    w_size: Any
    transpose_type: Any
class MmadParams(DeviceObject):
    """Parameters of a call, as AscendC::MmadParams."""
    def __init__(self, m: int = ..., n: int = ..., k: int = ..., is_bias: bool = ..., fm_offset: int = ..., en_ssparse: bool = ..., en_winograd_a: bool = ..., en_winograd_b: bool = ..., unit_flag: int = ..., k_direction_align: bool = ..., cmatrix_source: bool = ..., cmatrix_init_val: bool = ...) -> None: ...
    m: Any
    n: Any
    k: Any
    is_bias: Any
    fm_offset: Any
    en_ssparse: Any
    en_winograd_a: Any
    en_winograd_b: Any
    unit_flag: Any
    k_direction_align: Any
    cmatrix_source: Any
    cmatrix_init_val: Any
class LoadData2DParams(DeviceObject):
    """Parameters of a call, as AscendC::LoadData2DParams."""
    def __init__(self, start_index: int = ..., repeat_times: int = ..., src_stride: int = ..., sid: int = ..., dst_gap: int = ..., if_transpose: bool = ..., addr_mode: int = ...) -> None: ...
    start_index: Any
    repeat_times: Any
    src_stride: Any
    sid: Any
    dst_gap: Any
    if_transpose: Any
    addr_mode: Any
class LoadData2DParamsV2(DeviceObject):
    """Parameters of a call, as AscendC::LoadData2DParamsV2."""
    def __init__(self, m_start_position: int = ..., k_start_position: int = ..., m_step: int = ..., k_step: int = ..., src_stride: int = ..., dst_stride: int = ..., if_transpose: bool = ..., sid: int = ...) -> None: ...
    m_start_position: Any
    k_start_position: Any
    m_step: Any
    k_step: Any
    src_stride: Any
    dst_stride: Any
    if_transpose: Any
    sid: Any
class LoadData2dTransposeParams(DeviceObject):
    """Parameters of a call, as AscendC::LoadData2dTransposeParams."""
    def __init__(self, start_index: int = ..., repeat_times: int = ..., src_stride: int = ..., dst_gap: int = ..., dst_frac_gap: int = ..., addr_mode: int = ...) -> None: ...
    start_index: Any
    repeat_times: Any
    src_stride: Any
    dst_gap: Any
    dst_frac_gap: Any
    addr_mode: Any
class LoadData2dTransposeParamsV2(DeviceObject):
    """Parameters of a call, as AscendC::LoadData2dTransposeParamsV2."""
    def __init__(self, start_index: int = ..., repeat_times: int = ..., src_stride: int = ..., dst_gap: int = ..., dst_frac_gap: int = ..., src_frac_gap: int = ..., addr_mode: int = ...) -> None: ...
    start_index: Any
    repeat_times: Any
    src_stride: Any
    dst_gap: Any
    dst_frac_gap: Any
    src_frac_gap: Any
    addr_mode: Any
class LoadData3DParamsV1(DeviceObject):
    """Parameters of a call, as AscendC::LoadData3DParamsV1."""
    def __init__(self, dtype: DataType, l1_h: int = ..., l1_w: int = ...) -> None: ...
    l1_h: Any
    l1_w: Any
class LoadData3DParamsV2(DeviceObject):
    """Parameters of a call, as AscendC::LoadData3DParamsV2."""
    def __init__(self, dtype: DataType, l1_h: int = ..., l1_w: int = ..., channel_size: int = ..., k_extension: int = ..., m_extension: int = ..., k_start_pt: int = ..., m_start_pt: int = ..., stride_w: int = ..., stride_h: int = ..., filter_w: int = ..., filter_h: int = ..., dilation_filter_w: int = ..., dilation_filter_h: int = ..., en_transpose: bool = ..., pad_value: float = ..., filter_size_w: bool = ..., filter_size_h: bool = ..., f_matrix_ctrl: bool = ...) -> None: ...
    l1_h: Any
    l1_w: Any
    channel_size: Any
    k_extension: Any
    m_extension: Any
    k_start_pt: Any
    m_start_pt: Any
    stride_w: Any
    stride_h: Any
    filter_w: Any
    filter_h: Any
    dilation_filter_w: Any
    dilation_filter_h: Any
    en_transpose: Any
    pad_value: Any
    filter_size_w: Any
    filter_size_h: Any
    f_matrix_ctrl: Any
class LoadData3DParamsV2Pro(DeviceObject):
    """Parameters of a call, as AscendC::LoadData3DParamsV2Pro."""
    def __init__(self, channel_size: int = ..., en_transpose: bool = ..., en_small_k: bool = ..., filter_size_w: bool = ..., filter_size_h: bool = ..., f_matrix_ctrl: bool = ..., ext_config: int = ..., filter_config: int = ...) -> None: ...
    channel_size: Any
    en_transpose: Any
    en_small_k: Any
    filter_size_w: Any
    filter_size_h: Any
    f_matrix_ctrl: Any
    ext_config: Any
    filter_config: Any
class LoadDataRepeatParam(DeviceObject):
    """Parameters of a call, as AscendC::LoadDataRepeatParam."""
    def __init__(self, repeat_time: int = ..., repeat_stride: int = ..., repeat_mode: int = ...) -> None: ...
    repeat_time: Any
    repeat_stride: Any
    repeat_mode: Any
class InitConstValueParams(DeviceObject):
    """Parameters of a call, as AscendC::InitConstValueParams."""
    def __init__(self, dtype: DataType, repeat_times: int = ..., block_num: int = ..., dst_gap: int = ..., init_value: float = ...) -> None: ...
    repeat_times: Any
    block_num: Any
    dst_gap: Any
    init_value: Any
class FixpipeParamsV220(DeviceObject):
    """Parameters of a call, as AscendC::FixpipeParamsV220."""
    def __init__(self, n_size: int = ..., m_size: int = ..., src_stride: int = ..., dst_stride: int = ..., quant_pre: QuantModes = ..., deq_scalar: int = ..., nd_num: int = ..., src_nd_stride: int = ..., dst_nd_stride: int = ..., relu_en: bool = ..., unit_flag: int = ..., is_channel_split: bool = ...) -> None: ...
    n_size: Any
    m_size: Any
    src_stride: Any
    dst_stride: Any
    quant_pre: Any
    deq_scalar: Any
    nd_num: Any
    src_nd_stride: Any
    dst_nd_stride: Any
    relu_en: Any
    unit_flag: Any
    is_channel_split: Any
class VdeqInfo(DeviceObject):
    """Parameters of a call, as AscendC::VdeqInfo."""
    def __init__(self, scale: Any, offset: Any, sign_mode: Any) -> None: ...
    scale: Any
    offset: Any
    sign_mode: Any
class MrgSort4Info(DeviceObject):
    """Parameters of a call, as AscendC::MrgSort4Info."""
    def __init__(self, element_lengths: list[int], if_exhausted_suspension: bool = ..., valid_bit: int = ..., repeat_times: int = ...) -> None: ...
    element_lengths: Any
    if_exhausted_suspension: Any
    valid_bit: Any
    repeat_times: Any
class CheckLocalMemoryIAParam(DeviceObject):
    """Parameters of a call, as AscendC::CheckLocalMemoryIAParam."""
    def __init__(self, enable_bit: int = ..., start_addr: int = ..., end_addr: int = ..., is_scalar_read: bool = ..., is_scalar_write: bool = ..., is_vector_read: bool = ..., is_vector_write: bool = ..., is_mte_read: bool = ..., is_mte_write: bool = ...) -> None: ...
    enable_bit: Any
    start_addr: Any
    end_addr: Any
    is_scalar_read: Any
    is_scalar_write: Any
    is_vector_read: Any
    is_vector_write: Any
    is_mte_read: Any
    is_mte_write: Any
class LoadImageToLocalParams(DeviceObject):
    """Parameters of a call, as AscendC::LoadImageToLocalParams."""
    def __init__(self, horiz_size: int = ..., vert_size: int = ..., horiz_start_pos: int = ..., vert_start_pos: int = ..., src_horiz_size: int = ..., top_pad_size: int = ..., bot_pad_size: int = ..., left_pad_size: int = ..., right_pad_size: int = ...) -> None: ...
    horiz_size: Any
    vert_size: Any
    horiz_start_pos: Any
    vert_start_pos: Any
    src_horiz_size: Any
    top_pad_size: Any
    bot_pad_size: Any
    left_pad_size: Any
    right_pad_size: Any
class AippPaddingParams(DeviceObject):
    """Parameters of a call, as AscendC::AippPaddingParams."""
    def __init__(self, padding_mode: int = ..., padding_value_ch0: float = ..., padding_value_ch1: float = ..., padding_value_ch2: float = ..., padding_value_ch3: float = ...) -> None: ...
    padding_mode: Any
    padding_value_ch0: Any
    padding_value_ch1: Any
    padding_value_ch2: Any
    padding_value_ch3: Any
class AippSwapParams(DeviceObject):
    """Parameters of a call, as AscendC::AippSwapParams."""
    def __init__(self, is_swap_rb: bool = ..., is_swap_uv: bool = ..., is_swap_ax: bool = ...) -> None: ...
    is_swap_rb: Any
    is_swap_uv: Any
    is_swap_ax: Any
class AippSingleLineParams(DeviceObject):
    """Parameters of a call, as AscendC::AippSingleLineParams."""
    def __init__(self, is_single_line_copy: bool = ...) -> None: ...
    is_single_line_copy: Any
class AippDataTypeConvParams(DeviceObject):
    """Parameters of a call, as AscendC::AippDataTypeConvParams."""
    def __init__(self, dtc_mean_ch0: int = ..., dtc_mean_ch1: int = ..., dtc_mean_ch2: int = ..., dtc_min_ch0: float = ..., dtc_min_ch1: float = ..., dtc_min_ch2: float = ..., dtc_var_ch0: float = ..., dtc_var_ch1: float = ..., dtc_var_ch2: float = ..., dtc_round_mode: int = ...) -> None: ...
    dtc_mean_ch0: Any
    dtc_mean_ch1: Any
    dtc_mean_ch2: Any
    dtc_min_ch0: Any
    dtc_min_ch1: Any
    dtc_min_ch2: Any
    dtc_var_ch0: Any
    dtc_var_ch1: Any
    dtc_var_ch2: Any
    dtc_round_mode: Any
class AippChannelPaddingParams(DeviceObject):
    """Parameters of a call, as AscendC::AippChannelPaddingParams."""
    def __init__(self, c_padding_mode: int = ..., c_padding_value: float = ...) -> None: ...
    c_padding_mode: Any
    c_padding_value: Any
class AippColorSpaceConvParams(DeviceObject):
    """Parameters of a call, as AscendC::AippColorSpaceConvParams."""
    def __init__(self, is_enable_csc: bool = ..., csc_matrix_r0_c0: int = ..., csc_matrix_r0_c1: int = ..., csc_matrix_r0_c2: int = ..., csc_matrix_r1_c0: int = ..., csc_matrix_r1_c1: int = ..., csc_matrix_r1_c2: int = ..., csc_matrix_r2_c0: int = ..., csc_matrix_r2_c1: int = ..., csc_matrix_r2_c2: int = ..., csc_bias_in_0: int = ..., csc_bias_in_1: int = ..., csc_bias_in_2: int = ..., csc_bias_out_0: int = ..., csc_bias_out_1: int = ..., csc_bias_out_2: int = ...) -> None: ...
    is_enable_csc: Any
    csc_matrix_r0_c0: Any
    csc_matrix_r0_c1: Any
    csc_matrix_r0_c2: Any
    csc_matrix_r1_c0: Any
    csc_matrix_r1_c1: Any
    csc_matrix_r1_c2: Any
    csc_matrix_r2_c0: Any
    csc_matrix_r2_c1: Any
    csc_matrix_r2_c2: Any
    csc_bias_in_0: Any
    csc_bias_in_1: Any
    csc_bias_in_2: Any
    csc_bias_out_0: Any
    csc_bias_out_1: Any
    csc_bias_out_2: Any
class AippParams(DeviceObject):
    """Parameters of a call, as AscendC::AippParams."""
    def __init__(self, dtype: DataType, padding_params: Any = ..., swap_params: Any = ..., single_line_params: Any = ..., dtc_params: Any = ..., c_padding_params: Any = ..., csc_params: Any = ...) -> None: ...
    padding_params: Any
    swap_params: Any
    single_line_params: Any
    dtc_params: Any
    c_padding_params: Any
    csc_params: Any
def array(dtype: DataType, n: Any, fill_value: Any = None) -> Any:
    """An array of n numbers, or of the given ones, for the scalar unit."""
def number(value: Any, dtype: DataType | None = None) -> Any:
    """A run-time number of that type."""
def inline(code: str, args: Any = None, before_function: bool = False) -> None:
    """C++ as it is; $0, $1 stand for the arguments."""
def property(prop: str) -> int:
    """A constant of the device: asc.property(asc.ONE_BLK_SIZE)."""
def range(*bounds: int) -> Any:
    """A loop that the core runs, as range."""
def static_range(*bounds: int) -> Any:
    """A loop that is unrolled while the kernel is compiled."""
def ceildiv(x: int, y: int) -> int:
    """(x + y - 1) // y, on the host and in a kernel."""
def static_assert(test: bool, message: str | None = None) -> None:
    """Checked while the kernel is compiled."""
def printf(desc: str, *params: Any) -> None:
    """Prints while the kernel runs, as C's printf."""
def ascend_is_aic() -> bool:
    """Whether this core is a cube core."""
def ascend_is_aiv() -> bool:
    """Whether this core is a vector core."""
def get_tpipe_ptr() -> TPipe:
    """The kernel's TPipe."""
@overload
def add(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: int, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::Add."""
@overload
def add(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: int | list[int], repeat_times: int, repeat_params: BinaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::Add."""
@overload
def sub(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: int, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::Sub."""
@overload
def sub(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: int | list[int], repeat_times: int, repeat_params: BinaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::Sub."""
@overload
def mul(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: int, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::Mul."""
@overload
def mul(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: int | list[int], repeat_times: int, repeat_params: BinaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::Mul."""
@overload
def max(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: int, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::Max."""
@overload
def max(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: int | list[int], repeat_times: int, repeat_params: BinaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::Max."""
@overload
def min(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: int, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::Min."""
@overload
def min(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: int | list[int], repeat_times: int, repeat_params: BinaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::Min."""
@overload
def div(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: int, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::Div."""
@overload
def div(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: int | list[int], repeat_times: int, repeat_params: BinaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::Div."""
@overload
def fused_mul_add(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: int, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::FusedMulAdd."""
@overload
def fused_mul_add(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: int | list[int], repeat_times: int, repeat_params: BinaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::FusedMulAdd."""
@overload
def fused_mul_add_relu(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: int, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::FusedMulAddRelu."""
@overload
def fused_mul_add_relu(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: int | list[int], repeat_times: int, repeat_params: BinaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::FusedMulAddRelu."""
@overload
def mul_add_dst(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: int, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::MulAddDst."""
@overload
def mul_add_dst(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: int | list[int], repeat_times: int, repeat_params: BinaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::MulAddDst."""
@overload
def add_relu(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: int, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::AddRelu."""
@overload
def add_relu(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: int | list[int], repeat_times: int, repeat_params: BinaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::AddRelu."""
@overload
def sub_relu(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: int, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::SubRelu."""
@overload
def sub_relu(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: int | list[int], repeat_times: int, repeat_params: BinaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::SubRelu."""
@overload
def bitwise_and(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: int, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::And."""
@overload
def bitwise_and(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: int | list[int], repeat_times: int, repeat_params: BinaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::And."""
@overload
def bitwise_or(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: int, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::Or."""
@overload
def bitwise_or(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: int | list[int], repeat_times: int, repeat_params: BinaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::Or."""
@overload
def add_deq_relu(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: int, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::AddDeqRelu."""
@overload
def add_deq_relu(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: int | list[int], repeat_times: int, repeat_params: BinaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::AddDeqRelu."""
@overload
def mul_cast(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: int, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::MulCast."""
@overload
def mul_cast(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: int | list[int], repeat_times: int, repeat_params: BinaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::MulCast."""
@overload
def add_relu_cast(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: int, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::AddReluCast."""
@overload
def add_relu_cast(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: int | list[int], repeat_times: int, repeat_params: BinaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::AddReluCast."""
@overload
def sub_relu_cast(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: int, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::SubReluCast."""
@overload
def sub_relu_cast(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, mask: int | list[int], repeat_times: int, repeat_params: BinaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = src0 op src1, element by element. AscendC::SubReluCast."""
@overload
def abs(dst: LocalTensor, src: LocalTensor, count: int, is_set_mask: bool = ...) -> None:
    """dst = op src, element by element. AscendC::Abs."""
@overload
def abs(dst: LocalTensor, src: LocalTensor, mask: int | list[int], repeat_times: int, repeat_params: UnaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = op src, element by element. AscendC::Abs."""
@overload
def exp(dst: LocalTensor, src: LocalTensor, count: int, is_set_mask: bool = ...) -> None:
    """dst = op src, element by element. AscendC::Exp."""
@overload
def exp(dst: LocalTensor, src: LocalTensor, mask: int | list[int], repeat_times: int, repeat_params: UnaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = op src, element by element. AscendC::Exp."""
@overload
def ln(dst: LocalTensor, src: LocalTensor, count: int, is_set_mask: bool = ...) -> None:
    """dst = op src, element by element. AscendC::Ln."""
@overload
def ln(dst: LocalTensor, src: LocalTensor, mask: int | list[int], repeat_times: int, repeat_params: UnaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = op src, element by element. AscendC::Ln."""
@overload
def bitwise_not(dst: LocalTensor, src: LocalTensor, count: int, is_set_mask: bool = ...) -> None:
    """dst = op src, element by element. AscendC::Not."""
@overload
def bitwise_not(dst: LocalTensor, src: LocalTensor, mask: int | list[int], repeat_times: int, repeat_params: UnaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = op src, element by element. AscendC::Not."""
@overload
def reciprocal(dst: LocalTensor, src: LocalTensor, count: int, is_set_mask: bool = ...) -> None:
    """dst = op src, element by element. AscendC::Reciprocal."""
@overload
def reciprocal(dst: LocalTensor, src: LocalTensor, mask: int | list[int], repeat_times: int, repeat_params: UnaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = op src, element by element. AscendC::Reciprocal."""
@overload
def relu(dst: LocalTensor, src: LocalTensor, count: int, is_set_mask: bool = ...) -> None:
    """dst = op src, element by element. AscendC::Relu."""
@overload
def relu(dst: LocalTensor, src: LocalTensor, mask: int | list[int], repeat_times: int, repeat_params: UnaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = op src, element by element. AscendC::Relu."""
@overload
def rsqrt(dst: LocalTensor, src: LocalTensor, count: int, is_set_mask: bool = ...) -> None:
    """dst = op src, element by element. AscendC::Rsqrt."""
@overload
def rsqrt(dst: LocalTensor, src: LocalTensor, mask: int | list[int], repeat_times: int, repeat_params: UnaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = op src, element by element. AscendC::Rsqrt."""
@overload
def sqrt(dst: LocalTensor, src: LocalTensor, count: int, is_set_mask: bool = ...) -> None:
    """dst = op src, element by element. AscendC::Sqrt."""
@overload
def sqrt(dst: LocalTensor, src: LocalTensor, mask: int | list[int], repeat_times: int, repeat_params: UnaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = op src, element by element. AscendC::Sqrt."""
@overload
def adds(dst: LocalTensor, src: LocalTensor, scalar: float, count: int, is_set_mask: bool = ...) -> None:
    """dst = src op scalar, element by element. AscendC::Adds."""
@overload
def adds(dst: LocalTensor, src: LocalTensor, scalar: float, mask: int | list[int], repeat_times: int, repeat_params: UnaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = src op scalar, element by element. AscendC::Adds."""
@overload
def muls(dst: LocalTensor, src: LocalTensor, scalar: float, count: int, is_set_mask: bool = ...) -> None:
    """dst = src op scalar, element by element. AscendC::Muls."""
@overload
def muls(dst: LocalTensor, src: LocalTensor, scalar: float, mask: int | list[int], repeat_times: int, repeat_params: UnaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = src op scalar, element by element. AscendC::Muls."""
@overload
def maxs(dst: LocalTensor, src: LocalTensor, scalar: float, count: int, is_set_mask: bool = ...) -> None:
    """dst = src op scalar, element by element. AscendC::Maxs."""
@overload
def maxs(dst: LocalTensor, src: LocalTensor, scalar: float, mask: int | list[int], repeat_times: int, repeat_params: UnaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = src op scalar, element by element. AscendC::Maxs."""
@overload
def mins(dst: LocalTensor, src: LocalTensor, scalar: float, count: int, is_set_mask: bool = ...) -> None:
    """dst = src op scalar, element by element. AscendC::Mins."""
@overload
def mins(dst: LocalTensor, src: LocalTensor, scalar: float, mask: int | list[int], repeat_times: int, repeat_params: UnaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = src op scalar, element by element. AscendC::Mins."""
@overload
def leaky_relu(dst: LocalTensor, src: LocalTensor, scalar: float, count: int, is_set_mask: bool = ...) -> None:
    """dst = src op scalar, element by element. AscendC::LeakyRelu."""
@overload
def leaky_relu(dst: LocalTensor, src: LocalTensor, scalar: float, mask: int | list[int], repeat_times: int, repeat_params: UnaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = src op scalar, element by element. AscendC::LeakyRelu."""
@overload
def shift_left(dst: LocalTensor, src: LocalTensor, scalar: float, count: int, is_set_mask: bool = ...) -> None:
    """dst = src op scalar, element by element. AscendC::ShiftLeft."""
@overload
def shift_left(dst: LocalTensor, src: LocalTensor, scalar: float, mask: int | list[int], repeat_times: int, repeat_params: UnaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = src op scalar, element by element. AscendC::ShiftLeft."""
@overload
def shift_right(dst: LocalTensor, src: LocalTensor, scalar: float, count: int, is_set_mask: bool = ...) -> None:
    """dst = src op scalar, element by element. AscendC::ShiftRight."""
@overload
def shift_right(dst: LocalTensor, src: LocalTensor, scalar: float, mask: int | list[int], repeat_times: int, repeat_params: UnaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = src op scalar, element by element. AscendC::ShiftRight."""
@overload
def axpy(dst: LocalTensor, src: LocalTensor, scalar: float, count: int, is_set_mask: bool = ...) -> None:
    """dst = dst + src * scalar, element by element. AscendC::Axpy."""
@overload
def axpy(dst: LocalTensor, src: LocalTensor, scalar: float, mask: int | list[int], repeat_times: int, repeat_params: UnaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = dst + src * scalar, element by element. AscendC::Axpy."""
def bilinear_interpolation(dst: LocalTensor, src0: LocalTensor, src0_offset: LocalTensor, src1: LocalTensor, mask: int | list[int], h_repeat: int, repeat_mode: Any, dst_blk_stride: int, v_r_offset: int, v_repeat: int, shared_tmp_buffer: LocalTensor) -> None:
    """Two lines of src0 between each other, as the weights of src1 say. AscendC::BilinearInterpolation."""
@overload
def duplicate(dst: LocalTensor, scalar: float, count: int) -> None:
    """Fill, copy and broadcast. AscendC::Duplicate."""
@overload
def duplicate(dst: LocalTensor, scalar: float, mask: int | list[int], repeat_times: int, dst_block_stride: int, dst_repeat_stride: int, is_set_mask: bool = ...) -> None:
    """Fill, copy and broadcast. AscendC::Duplicate."""
def copy(dst: LocalTensor, src: LocalTensor, mask: int | list[int], repeat_time: int, repeat_params: CopyRepeatParams, is_set_mask: bool = ...) -> None:
    """Fill, copy and broadcast. AscendC::Copy."""
def brcb(dst: LocalTensor, src0: LocalTensor, repeat_times: int, repeat_params: BrcbRepeatParams) -> None:
    """Fill, copy and broadcast. AscendC::Brcb."""
@overload
def compare(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, cmp_mode: CMPMODE, count: int) -> None:
    """Compare: bits into dst, or into the mask register where there is no dst. AscendC::Compare."""
@overload
def compare(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, cmp_mode: CMPMODE, mask: int | list[int], repeat_times: int, repeat_params: BinaryRepeatParams, is_set_mask: bool = ...) -> None:
    """Compare: bits into dst, or into the mask register where there is no dst. AscendC::Compare."""
@overload
def compare(src0: LocalTensor, src1: LocalTensor, cmp_mode: CMPMODE, mask: int | list[int], repeat_params: BinaryRepeatParams, is_set_mask: bool = ...) -> None:
    """Compare: bits into dst, or into the mask register where there is no dst. AscendC::Compare."""
@overload
def compare_scalar(dst: LocalTensor, src0: LocalTensor, src1_scalar: float, cmp_mode: CMPMODE, count: int) -> None:
    """Compare: bits into dst, or into the mask register where there is no dst. AscendC::CompareScalar."""
@overload
def compare_scalar(dst: LocalTensor, src0: LocalTensor, src1_scalar: float, cmp_mode: CMPMODE, mask: int | list[int], repeat_times: int, repeat_params: UnaryRepeatParams, is_set_mask: bool = ...) -> None:
    """Compare: bits into dst, or into the mask register where there is no dst. AscendC::CompareScalar."""
def set_cmp_mask(src: LocalTensor) -> None:
    """Compare: bits into dst, or into the mask register where there is no dst. AscendC::SetCmpMask."""
def get_cmp_mask(dst: LocalTensor) -> None:
    """Compare: bits into dst, or into the mask register where there is no dst. AscendC::GetCmpMask."""
@overload
def select(dst: LocalTensor, sel_mask: LocalTensor, src0: LocalTensor, src1: LocalTensor, sel_mode: SelMode, count: int) -> None:
    """dst = src0 where a bit of sel_mask is set, else src1. AscendC::Select."""
@overload
def select(dst: LocalTensor, sel_mask: LocalTensor, src0: LocalTensor, src1: float, sel_mode: SelMode, count: int) -> None:
    """dst = src0 where a bit of sel_mask is set, else src1. AscendC::Select."""
@overload
def select(dst: LocalTensor, sel_mask: LocalTensor, src0: LocalTensor, src1: LocalTensor, sel_mode: SelMode, mask: int | list[int], repeat_times: int, repeat_params: BinaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = src0 where a bit of sel_mask is set, else src1. AscendC::Select."""
@overload
def select(dst: LocalTensor, sel_mask: LocalTensor, src0: LocalTensor, src1: float, sel_mode: SelMode, mask: int | list[int], repeat_times: int, repeat_params: BinaryRepeatParams, is_set_mask: bool = ...) -> None:
    """dst = src0 where a bit of sel_mask is set, else src1. AscendC::Select."""
@overload
def select(dst: LocalTensor, sel_mask: LocalTensor, src0: LocalTensor, repeat_times: int, repeat_params: BinaryRepeatParams) -> None:
    """dst = src0 where a bit of sel_mask is set, else src1. AscendC::Select."""
@overload
def select(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, repeat_times: int, repeat_params: BinaryRepeatParams, sel_mode: SelMode = ...) -> None:
    """dst = src0 where a bit of sel_mask is set, else src1. AscendC::Select."""
@overload
def cast(dst: LocalTensor, src: LocalTensor, round_mode: RoundMode, count: int) -> None:
    """Convert to dst's type. AscendC::Cast."""
@overload
def cast(dst: LocalTensor, src: LocalTensor, round_mode: RoundMode, mask: int | list[int], repeat_times: int, repeat_params: UnaryRepeatParams, is_set_mask: bool = ...) -> None:
    """Convert to dst's type. AscendC::Cast."""
@overload
def cast_deq(dst: LocalTensor, src: LocalTensor, count: int, is_vec_deq: bool = ..., half_block: bool = ...) -> None:
    """Convert to dst's type. AscendC::CastDeq."""
@overload
def cast_deq(dst: LocalTensor, src: LocalTensor, mask: int | list[int], repeat_times: int, repeat_params: UnaryRepeatParams, is_set_mask: bool = ..., is_vec_deq: bool = ..., half_block: bool = ...) -> None:
    """Convert to dst's type. AscendC::CastDeq."""
@overload
def set_deq_scale(scale: float) -> None:
    """The scale that the next conversions from int32 use. AscendC::SetDeqScale."""
@overload
def set_deq_scale(scale: float, offset: int, sign_mode: bool) -> None:
    """The scale that the next conversions from int32 use. AscendC::SetDeqScale."""
@overload
def set_deq_scale(vdeq: LocalTensor, vdeq_info: VdeqInfo) -> None:
    """The scale that the next conversions from int32 use. AscendC::SetDeqScale."""
@overload
def reduce_max(dst: LocalTensor, src: LocalTensor, shared_tmp_buffer: LocalTensor, count: int, cal_index: bool = ...) -> None:
    """Reductions. AscendC::ReduceMax."""
@overload
def reduce_max(dst: LocalTensor, src: LocalTensor, shared_tmp_buffer: LocalTensor, mask: int | list[int], repeat_time: int, src_rep_stride: int, cal_index: bool = ...) -> None:
    """Reductions. AscendC::ReduceMax."""
@overload
def reduce_min(dst: LocalTensor, src: LocalTensor, shared_tmp_buffer: LocalTensor, count: int, cal_index: bool = ...) -> None:
    """Reductions. AscendC::ReduceMin."""
@overload
def reduce_min(dst: LocalTensor, src: LocalTensor, shared_tmp_buffer: LocalTensor, mask: int | list[int], repeat_time: int, src_rep_stride: int, cal_index: bool = ...) -> None:
    """Reductions. AscendC::ReduceMin."""
@overload
def reduce_sum(dst: LocalTensor, src: LocalTensor, shared_tmp_buffer: LocalTensor, count: int) -> None:
    """Reductions. AscendC::ReduceSum."""
@overload
def reduce_sum(dst: LocalTensor, src: LocalTensor, shared_tmp_buffer: LocalTensor, mask: int | list[int], repeat_time: int, src_rep_stride: int) -> None:
    """Reductions. AscendC::ReduceSum."""
def whole_reduce_sum(dst: LocalTensor, src: LocalTensor, mask: int | list[int], repeat_time: int, dst_rep_stride: int, src_blk_stride: int, src_rep_stride: int, is_set_mask: bool = ...) -> None:
    """Reductions. AscendC::WholeReduceSum."""
def repeat_reduce_sum(dst: LocalTensor, src: LocalTensor, repeat_time: int, mask: int, dst_blk_stride: int, src_blk_stride: int, dst_rep_stride: int, src_rep_stride: int) -> None:
    """Reductions. AscendC::RepeatReduceSum."""
def whole_reduce_max(dst: LocalTensor, src: LocalTensor, mask: int | list[int], repeat_time: int, dst_rep_stride: int, src_blk_stride: int, src_rep_stride: int, order: ReduceOrder = ..., is_set_mask: bool = ...) -> None:
    """The greatest, or least, of every repeat of 256 bytes. AscendC::WholeReduceMax."""
def whole_reduce_min(dst: LocalTensor, src: LocalTensor, mask: int | list[int], repeat_time: int, dst_rep_stride: int, src_blk_stride: int, src_rep_stride: int, order: ReduceOrder = ..., is_set_mask: bool = ...) -> None:
    """The greatest, or least, of every repeat of 256 bytes. AscendC::WholeReduceMin."""
def block_reduce_sum(dst: LocalTensor, src: LocalTensor, repeat: int, mask: int | list[int], dst_rep_stride: int, src_blk_stride: int, src_rep_stride: int, is_set_mask: bool = ...) -> None:
    """One value for every 32 bytes, or for every pair. AscendC::BlockReduceSum."""
def block_reduce_max(dst: LocalTensor, src: LocalTensor, repeat: int, mask: int | list[int], dst_rep_stride: int, src_blk_stride: int, src_rep_stride: int, is_set_mask: bool = ...) -> None:
    """One value for every 32 bytes, or for every pair. AscendC::BlockReduceMax."""
def block_reduce_min(dst: LocalTensor, src: LocalTensor, repeat: int, mask: int | list[int], dst_rep_stride: int, src_blk_stride: int, src_rep_stride: int, is_set_mask: bool = ...) -> None:
    """One value for every 32 bytes, or for every pair. AscendC::BlockReduceMin."""
def pair_reduce_sum(dst: LocalTensor, src: LocalTensor, repeat: int, mask: int | list[int], dst_rep_stride: int, src_blk_stride: int, src_rep_stride: int, is_set_mask: bool = ...) -> None:
    """One value for every 32 bytes, or for every pair. AscendC::PairReduceSum."""
@overload
def gather(dst: LocalTensor, src: LocalTensor, src_offset: LocalTensor, src_base: int, count: int) -> None:
    """Gather, scatter, transpose. AscendC::Gather."""
@overload
def gather(dst: LocalTensor, src: LocalTensor, src_offset: LocalTensor, src_base: int, mask: int | list[int], repeat_times: int, dst_rep_stride: int) -> None:
    """Gather, scatter, transpose. AscendC::Gather."""
def gatherb(dst: LocalTensor, src0: LocalTensor, offset: LocalTensor, repeat_times: int, repeat_params: GatherRepeatParams) -> None:
    """Gather, scatter, transpose. AscendC::Gatherb."""
def gather_mask(dst: LocalTensor, src0: LocalTensor, src1_pattern: LocalTensor | int, reduce_mode: bool, mask: int, params: GatherMaskParams, gather_mask_mode: GatherMaskMode = ...) -> Number:
    """Gather, scatter, transpose. AscendC::GatherMask."""
def get_gather_mask_remain_count() -> Number:
    """Gather, scatter, transpose. AscendC::GetGatherMaskRemainCount."""
@overload
def scatter(dst: LocalTensor, src: LocalTensor, dst_offset: LocalTensor, dst_base: int, count: int) -> None:
    """Gather, scatter, transpose. AscendC::Scatter."""
@overload
def scatter(dst: LocalTensor, src: LocalTensor, dst_offset: LocalTensor, dst_base: int, mask: int | list[int], repeat_times: int, src_rep_stride: int) -> None:
    """Gather, scatter, transpose. AscendC::Scatter."""
@overload
def transpose(dst: LocalTensor, src: LocalTensor) -> None:
    """Gather, scatter, transpose. AscendC::Transpose."""
@overload
def transpose(dst: LocalTensor, src: LocalTensor, shared_tmp_buffer: LocalTensor, params: TransposeParamsExt) -> None:
    """Gather, scatter, transpose. AscendC::Transpose."""
@overload
def trans_data_to_5hd(dst_list: list[LocalTensor], src_list: list[LocalTensor], params: TransDataTo5HDParams) -> None:
    """Gather, scatter, transpose. AscendC::TransDataTo5HD."""
@overload
def trans_data_to_5hd(dst_list: list[int], src_list: list[int], params: TransDataTo5HDParams, dtype: DataType = ...) -> None:
    """Gather, scatter, transpose. AscendC::TransDataTo5HD."""
@overload
def trans_data_to_5hd(dst_list: LocalTensor, src_list: LocalTensor, params: TransDataTo5HDParams, dtype: DataType = ...) -> None:
    """Gather, scatter, transpose. AscendC::TransDataTo5HD."""
def sort32(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, repeat_times: int) -> None:
    """Sorting: values with their indices. AscendC::Sort32."""
def sort(dst: LocalTensor, concat: LocalTensor, index: LocalTensor, tmp: LocalTensor, repeat_times: int, is_full_sort: bool = ...) -> None:
    """Sorting: values with their indices. AscendC::Sort."""
def mrg_sort(dst: LocalTensor, src: MrgSortSrcList, params: MrgSort4Info) -> None:
    """Sorting: values with their indices. AscendC::MrgSort."""
def rp_sort16(dst: LocalTensor, src: LocalTensor, repeat_times: int) -> None:
    """Sorting: values with their indices. AscendC::RpSort16."""
def mrg_sort4(dst: LocalTensor, src: MrgSortSrcList, params: MrgSort4Info) -> None:
    """Sorting: values with their indices. AscendC::MrgSort4."""
def proposal_concat(dst: LocalTensor, src: LocalTensor, repeat_times: int, mode_number: int) -> None:
    """Sorting: values with their indices. AscendC::ProposalConcat."""
def proposal_extract(dst: LocalTensor, src: LocalTensor, repeat_times: int, mode_number: int) -> None:
    """Sorting: values with their indices. AscendC::ProposalExtract."""
def get_sort_len(elem_count: int, dtype: DataType = ...) -> Number:
    """How long a sorted list is, and where it goes on. AscendC::GetSortLen."""
def get_sort_offset(elem_offset: int, dtype: DataType = ...) -> Number:
    """How long a sorted list is, and where it goes on. AscendC::GetSortOffset."""
@overload
def data_copy(dst: LocalTensor | GlobalTensor, src: LocalTensor | GlobalTensor, count: int) -> None:
    """Copies between global and local memory, and inside local memory. AscendC::DataCopy."""
@overload
def data_copy(dst: LocalTensor | GlobalTensor, src: LocalTensor | GlobalTensor, repeat_params: DataCopyParams) -> None:
    """Copies between global and local memory, and inside local memory. AscendC::DataCopy."""
@overload
def data_copy(dst: LocalTensor | GlobalTensor, src: LocalTensor | GlobalTensor, repeat_params: DataCopyParams, enhanced_params: DataCopyEnhancedParams) -> None:
    """Copies between global and local memory, and inside local memory. AscendC::DataCopy."""
@overload
def data_copy(dst: LocalTensor | GlobalTensor, src: LocalTensor | GlobalTensor, intri_params: DataCopyParams, enhanced_params: DataCopyEnhancedParams) -> None:
    """Copies between global and local memory, and inside local memory. AscendC::DataCopy."""
@overload
def data_copy(dst: LocalTensor | GlobalTensor, src: LocalTensor | GlobalTensor, intri_params: Nd2NzParams) -> None:
    """Copies between global and local memory, and inside local memory. AscendC::DataCopy."""
@overload
def data_copy(dst: LocalTensor | GlobalTensor, src: LocalTensor | GlobalTensor, intri_params: Nz2NdParamsFull) -> None:
    """Copies between global and local memory, and inside local memory. AscendC::DataCopy."""
@overload
def data_copy(dst: LocalTensor | GlobalTensor, src: LocalTensor | GlobalTensor, intri_params: DataCopyCO12DstParams) -> None:
    """Copies between global and local memory, and inside local memory. AscendC::DataCopy."""
@overload
def data_copy(dst: LocalTensor | GlobalTensor, src: LocalTensor | GlobalTensor, slice_list1: list[SliceInfo], slice_list2: list[SliceInfo], dim_value: int = ...) -> None:
    """Copies between global and local memory, and inside local memory. AscendC::DataCopy."""
@overload
def data_copy_pad(dst: LocalTensor | GlobalTensor, src: LocalTensor | GlobalTensor, data_copy_params: DataCopyExtParams) -> None:
    """Copies between global and local memory, and inside local memory. AscendC::DataCopyPad."""
@overload
def data_copy_pad(dst: LocalTensor | GlobalTensor, src: LocalTensor | GlobalTensor, data_copy_params: DataCopyExtParams, pad_params: DataCopyPadExtParams) -> None:
    """Copies between global and local memory, and inside local memory. AscendC::DataCopyPad."""
@overload
def data_copy_pad(dst: LocalTensor | GlobalTensor, src: LocalTensor | GlobalTensor, data_copy_params: DataCopyExtParams, nd2nz_params: Nd2NzParams) -> None:
    """Copies between global and local memory, and inside local memory. AscendC::DataCopyPad."""
@overload
def data_copy_pad(dst: LocalTensor | GlobalTensor, src: LocalTensor | GlobalTensor, data_copy_params: DataCopyParams) -> None:
    """Copies between global and local memory, and inside local memory. AscendC::DataCopyPad."""
@overload
def data_copy_pad(dst: LocalTensor | GlobalTensor, src: LocalTensor | GlobalTensor, data_copy_params: DataCopyParams, pad_params: DataCopyPadParams) -> None:
    """Copies between global and local memory, and inside local memory. AscendC::DataCopyPad."""
@overload
def data_copy_pad(dst: LocalTensor | GlobalTensor, src: LocalTensor | GlobalTensor, data_copy_params: DataCopyParams, nd2nz_params: Nd2NzParams) -> None:
    """Copies between global and local memory, and inside local memory. AscendC::DataCopyPad."""
def set_pad_value(padding_value: Any, pos: TPosition = ..., dtype: DataType = ...) -> None:
    """What DataCopyPad fills with, and images. AscendC::SetPadValue."""
def load_image_to_local(dst: LocalTensor, load_data_params: LoadImageToLocalParams) -> None:
    """What DataCopyPad fills with, and images. AscendC::LoadImageToLocal."""
@overload
def load_data(dst: LocalTensor, src: LocalTensor | GlobalTensor, params: LoadData2DParams) -> None:
    """The cube unit and its loads. AscendC::LoadData."""
@overload
def load_data(dst: LocalTensor, src: LocalTensor | GlobalTensor, params: LoadData2DParamsV2) -> None:
    """The cube unit and its loads. AscendC::LoadData."""
@overload
def load_data(dst: LocalTensor, src: LocalTensor | GlobalTensor, params: LoadData3DParamsV1) -> None:
    """The cube unit and its loads. AscendC::LoadData."""
@overload
def load_data(dst: LocalTensor, src: LocalTensor | GlobalTensor, params: LoadData3DParamsV2) -> None:
    """The cube unit and its loads. AscendC::LoadData."""
@overload
def load_data(dst: LocalTensor, src: LocalTensor | GlobalTensor, params: LoadData3DParamsV2Pro) -> None:
    """The cube unit and its loads. AscendC::LoadData."""
@overload
def load_data_with_transpose(dst: LocalTensor, src: LocalTensor, params: LoadData2dTransposeParams) -> None:
    """The cube unit and its loads. AscendC::LoadDataWithTranspose."""
@overload
def load_data_with_transpose(dst: LocalTensor, src: LocalTensor, params: LoadData2dTransposeParamsV2) -> None:
    """The cube unit and its loads. AscendC::LoadDataWithTranspose."""
def load_data_with_sparse(dst: LocalTensor, src: LocalTensor, idx: LocalTensor, load_data_params: LoadData2DParams) -> None:
    """The cube unit and its loads. AscendC::LoadDataWithSparse."""
@overload
def mmad(dst: LocalTensor, fm: LocalTensor, filter: LocalTensor, params: MmadParams) -> None:
    """The cube unit and its loads. AscendC::Mmad."""
@overload
def mmad(dst: LocalTensor, fm: LocalTensor, filter: LocalTensor, bias: LocalTensor, params: MmadParams) -> None:
    """The cube unit and its loads. AscendC::Mmad."""
def mmad_with_sparse(dst: LocalTensor, fm: LocalTensor, filter: LocalTensor, params: MmadParams) -> None:
    """The cube unit and its loads. AscendC::MmadWithSparse."""
def init_const_value(dst: LocalTensor, init_const_value_params: InitConstValueParams) -> None:
    """The cube unit and its loads. AscendC::InitConstValue."""
@overload
def fixpipe(dst: LocalTensor | GlobalTensor, src: LocalTensor, params: FixpipeParamsV220, config: FixpipeConfig | None = ...) -> None:
    """The cube unit and its loads. AscendC::Fixpipe."""
@overload
def fixpipe(dst: LocalTensor | GlobalTensor, src: LocalTensor, cbuf_workspace: LocalTensor, params: FixpipeParamsV220, config: FixpipeConfig | None = ...) -> None:
    """The cube unit and its loads. AscendC::Fixpipe."""
def set_load_data_boundary(boundary_value: int) -> None:
    """The cube unit and its loads. AscendC::SetLoadDataBoundary."""
def set_load_data_padding_value(pad_value: Any) -> None:
    """The cube unit and its loads. AscendC::SetLoadDataPaddingValue."""
def set_load_data_repeat(repeat_params: LoadDataRepeatParam) -> None:
    """The cube unit and its loads. AscendC::SetLoadDataRepeat."""
def set_fix_pipe_pre_quant_flag(config: int) -> None:
    """The cube unit and its loads. AscendC::SetFixpipePreQuantFlag."""
def set_flag(event: HardEvent, event_id: int = ...) -> None:
    """Order inside a core. AscendC::SetFlag."""
def wait_flag(event: HardEvent, event_id: int = ...) -> None:
    """Order inside a core. AscendC::WaitFlag."""
def pipe_barrier(pipe: PipeID) -> None:
    """Order inside a core. AscendC::PipeBarrier."""
def data_sync_barrier(arg0: MemDsbT) -> None:
    """Order inside a core. AscendC::DataSyncBarrier."""
def cross_core_set_flag(flag_id: int, mode_id: int, pipe: PipeID) -> None:
    """Order between cores. AscendC::CrossCoreSetFlag."""
def cross_core_wait_flag(flag_id: int, mode_id: int = ..., pipe: PipeID = ...) -> None:
    """Order between cores. AscendC::CrossCoreWaitFlag."""
@overload
def sync_all(is_aiv_only: bool = ...) -> None:
    """Order between cores. AscendC::SyncAll."""
@overload
def sync_all(gm_workspace: GlobalTensor, ub_workspace: LocalTensor, used_cores: int = ..., is_aiv_only: bool = ...) -> None:
    """Order between cores. AscendC::SyncAll."""
def ib_set(gm_workspace: GlobalTensor, ub_workspace: LocalTensor, block_idx: int, event_id: int, is_aiv_only: bool = ...) -> None:
    """Order between cores. AscendC::IBSet."""
def ib_wait(gm_workspace: GlobalTensor, ub_workspace: LocalTensor, block_idx: int, event_id: int, is_aiv_only: bool = ...) -> None:
    """Order between cores. AscendC::IBWait."""
def notify_next_block(gm_workspace: GlobalTensor, ub_workspace: LocalTensor) -> None:
    """Order between cores. AscendC::NotifyNextBlock."""
def wait_pre_block(gm_workspace: GlobalTensor, ub_workspace: LocalTensor) -> None:
    """Order between cores. AscendC::WaitPreBlock."""
def get_block_idx() -> Number:
    """Who this core is. AscendC::GetBlockIdx."""
def get_block_num() -> Number:
    """Who this core is. AscendC::GetBlockNum."""
def get_sub_block_idx() -> Number:
    """Who this core is. AscendC::GetSubBlockIdx."""
def get_sub_block_num() -> Number:
    """Who this core is. AscendC::GetSubBlockNum."""
def get_task_ratio() -> Number:
    """Who this core is. AscendC::GetTaskRatio."""
def get_system_cycle() -> Number:
    """Who this core is. AscendC::GetSystemCycle."""
def get_program_counter() -> Number:
    """Who this core is. AscendC::GetProgramCounter."""
def get_data_block_size_in_bytes() -> Number:
    """Who this core is. AscendC::GetDataBlockSizeInBytes."""
def get_arch_version() -> Number:
    """Who this core is. AscendC::GetArchVersion."""
def trap() -> None:
    """Who this core is. AscendC::Trap."""
def set_mask_count() -> None:
    """Modes of the core. AscendC::SetMaskCount."""
def set_mask_norm() -> None:
    """Modes of the core. AscendC::SetMaskNorm."""
def reset_mask() -> None:
    """Modes of the core. AscendC::ResetMask."""
@overload
def set_vector_mask(length: int, dtype: DataType = ..., mode: MaskMode = ...) -> None:
    """Modes of the core. AscendC::SetVectorMask."""
@overload
def set_vector_mask(mask_high: int, mask_low: int, dtype: DataType = ..., mode: MaskMode = ...) -> None:
    """Modes of the core. AscendC::SetVectorMask."""
def set_atomic_add(dtype: DataType) -> None:
    """Modes of the core. AscendC::SetAtomicAdd."""
def set_atomic_max(dtype: DataType) -> None:
    """Modes of the core. AscendC::SetAtomicMax."""
def set_atomic_min(dtype: DataType) -> None:
    """Modes of the core. AscendC::SetAtomicMin."""
def set_atomic_type(dtype: DataType) -> None:
    """Modes of the core. AscendC::SetAtomicType."""
def set_atomic_none() -> None:
    """Modes of the core. AscendC::SetAtomicNone."""
def set_store_atomic_config(type: AtomicDtype, op: AtomicOp) -> None:
    """Modes of the core. AscendC::SetStoreAtomicConfig."""
def get_store_atomic_config(type: Any, op: Any) -> None:
    """Modes of the core. AscendC::GetStoreAtomicConfig."""
def set_hf32_mode(hf32_mode: bool) -> None:
    """Modes of the core. AscendC::SetHF32Mode."""
def set_hf32_trans_mode(hf32_trans_mode: bool) -> None:
    """Modes of the core. AscendC::SetHF32TransMode."""
def set_mm_layout_transform(mm_layout_mode: bool) -> None:
    """Modes of the core. AscendC::SetMMLayoutTransform."""
def init_soc_state() -> None:
    """Modes of the core. AscendC::InitSocState."""
def set_sys_workspace(workspace: Any) -> None:
    """Modes of the core. AscendC::SetSysWorkspace."""
def get_sys_workspace() -> GlobalAddress:
    """Modes of the core. AscendC::GetSysWorkSpacePtr."""
def get_hccl_context(index: int = ...) -> GlobalAddress:
    """Modes of the core. AscendC::GetHcclContext."""
def set_hccl_context(context: Any, index: int = ...) -> None:
    """Modes of the core. AscendC::SetHcclContext."""
@overload
def set_aipp_functions(src0: GlobalTensor, input_format: AippInputFormat, config: AippParams) -> None:
    """Modes of the core. AscendC::SetAippFunctions."""
@overload
def set_aipp_functions(src0: GlobalTensor, src1: GlobalTensor, input_format: AippInputFormat, config: AippParams) -> None:
    """Modes of the core. AscendC::SetAippFunctions."""
def check_local_memory_ia(check_params: CheckLocalMemoryIAParam) -> None:
    """Modes of the core. AscendC::CheckLocalMemoryIA."""
def scalar_cast(value_in: Any, dtype: DataType, round_mode: RoundMode) -> Real:
    """Scalars. AscendC::ScalarCast."""
def scalar_get_sff_value(value_in: int, count_value: int) -> Number:
    """Scalars. AscendC::ScalarGetSFFValue."""
def scalar_get_count_of_value(value_in: int, count_value: int) -> Number:
    """Scalars. AscendC::ScalarGetCountOfValue."""
def scalar_count_leading_zero(value_in: int) -> Number:
    """Scalars. AscendC::ScalarCountLeadingZero."""
def count_bits_cnt_same_as_sign_bit(value_in: int) -> Number:
    """Scalars. AscendC::CountBitsCntSameAsSignBit."""
def data_cache_clean_and_invalid(entire_type: CacheLine, dst: LocalTensor | GlobalTensor, dcci_dst: DcciDst | None = ...) -> None:
    """Caches. AscendC::DataCacheCleanAndInvalid."""
def data_cache_preload(src: GlobalTensor, cache_offset: int) -> None:
    """Caches. AscendC::DataCachePreload."""
def icache_preload(pre_fetch_len: int) -> None:
    """Caches. AscendC::ICachePreLoad."""
def get_icache_preload_status() -> Number:
    """Caches. AscendC::GetICachePreloadStatus."""
@overload
def dump_tensor(tensor: LocalTensor | GlobalTensor, desc: int, dump_size: int) -> None:
    """Looking inside while a kernel runs. AscendC::DumpTensor."""
@overload
def dump_tensor(tensor: LocalTensor | GlobalTensor, desc: int, dump_size: int, shape_info: Any) -> None:
    """Looking inside while a kernel runs. AscendC::DumpTensor."""
def print_time_stamp(desc_id: int) -> None:
    """Looking inside while a kernel runs. AscendC::PrintTimeStamp."""
def dump_acc_chk_point(tensor: LocalTensor | GlobalTensor, index: int, count_off: int, dump_size: int) -> None:
    """Looking inside while a kernel runs. AscendC::DumpAccChkPoint."""
def metrics_prof_start() -> None:
    """Looking inside while a kernel runs. AscendC::MetricsProfStart."""
def metrics_prof_stop() -> None:
    """Looking inside while a kernel runs. AscendC::MetricsProfStop."""
def get_mrg_sort_result(mrg_sort_list1: Any, mrg_sort_list2: Any, mrg_sort_list3: Any, mrg_sort_list4: Any) -> None:
    """Looking inside while a kernel runs. AscendC::GetMrgSortResult."""
def get_shape_size(shape_info: Any) -> Number:
    """Looking inside while a kernel runs. AscendC::GetShapeSize."""

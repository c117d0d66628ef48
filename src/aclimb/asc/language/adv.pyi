# SPDX-License-Identifier: Apache-2.0
# Written by `make docs`.
from collections.abc import Callable
from typing import Annotated, Any, TypeVar, overload
from contextlib import AbstractContextManager

from aclimb.asc import DataType, GlobalAddress, GlobalTensor, LocalTensor, Number, Real, TPipe
from aclimb.asc.language.core.enums import CubeFormat, LayoutMode, MatmulConfigMode, TPosition
from aclimb.asc.language.core.struct import Struct
from aclimb.asc.language.device import DeviceObject

class TCubeTiling(Struct):
    """A tiling of the library."""
    def __init__(self, **fields: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
class SoftmaxTiling(Struct):
    """A tiling of the library."""
    def __init__(self, **fields: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
class LayerNormTiling(Struct):
    """A tiling of the library."""
    def __init__(self, **fields: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
class RmsNormTiling(Struct):
    """A tiling of the library."""
    def __init__(self, **fields: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
class Matmul(DeviceObject):
    """A matrix product that the cube unit makes."""
    def __init__(self, a: MatmulType, b: MatmulType, c: MatmulType, bias: MatmulType | None = None, matmul_config: Any = None, matmul_policy: int = 0) -> None: ...
    def init(self, tiling: Any) -> None:
        """A matrix product that the cube unit makes. AscendC::Init."""
    def iterate(self, en_partial_sum: bool = ..., sync: bool = ...) -> AbstractContextManager[Number]:
        """A matrix product that the cube unit makes. AscendC::Iterate."""
    @overload
    def set_tensor_a(self, tensor: LocalTensor | GlobalTensor, transpose: bool = ...) -> None:
        """A matrix product that the cube unit makes. AscendC::SetTensorA."""
    @overload
    def set_tensor_a(self, scalar: Any) -> None:
        """A matrix product that the cube unit makes. AscendC::SetTensorA."""
    @overload
    def set_tensor_b(self, tensor: LocalTensor | GlobalTensor, transpose: bool = ...) -> None:
        """A matrix product that the cube unit makes. AscendC::SetTensorB."""
    @overload
    def set_tensor_b(self, scalar: Any) -> None:
        """A matrix product that the cube unit makes. AscendC::SetTensorB."""
    def set_bias(self, tensor: LocalTensor | GlobalTensor) -> None:
        """A matrix product that the cube unit makes. AscendC::SetBias."""
    def disable_bias(self) -> None:
        """A matrix product that the cube unit makes. AscendC::DisableBias."""
    def set_tail(self, m: int = ..., n: int = ..., k: int = ...) -> None:
        """A matrix product that the cube unit makes. AscendC::SetTail."""
    @overload
    def set_org_shape(self, m: int, n: int, k: int) -> None:
        """A matrix product that the cube unit makes. AscendC::SetOrgShape."""
    @overload
    def set_org_shape(self, m: int, n: int, k_a: int, k_b: int, n_c: int = ...) -> None:
        """A matrix product that the cube unit makes. AscendC::SetOrgShape."""
    def set_single_shape(self, m: int, n: int, k: int) -> None:
        """A matrix product that the cube unit makes. AscendC::SetSingleShape."""
    def set_quant_scalar(self, scalar: int) -> None:
        """A matrix product that the cube unit makes. AscendC::SetQuantScalar."""
    def set_quant_vector(self, vector: LocalTensor | GlobalTensor) -> None:
        """A matrix product that the cube unit makes. AscendC::SetQuantVector."""
    def set_hf32(self, enable_hf32: bool = ..., trans_mode: int = ...) -> None:
        """A matrix product that the cube unit makes. AscendC::SetHF32."""
    def set_batch_num(self, batch_a: int, batch_b: int) -> None:
        """A matrix product that the cube unit makes. AscendC::SetBatchNum."""
    @overload
    def set_workspace(self, tensor: GlobalTensor) -> None:
        """A matrix product that the cube unit makes. AscendC::SetWorkspace."""
    @overload
    def set_workspace(self, addr: GlobalAddress, size: int) -> None:
        """A matrix product that the cube unit makes. AscendC::SetWorkspace."""
    def set_self_define_data(self, ptr: Any) -> None:
        """A matrix product that the cube unit makes. AscendC::SetSelfDefineData."""
    def set_user_def_info(self, ptr: Any) -> None:
        """A matrix product that the cube unit makes. AscendC::SetUserDefInfo."""
    def set_sparse_index(self, index: LocalTensor | GlobalTensor) -> None:
        """A matrix product that the cube unit makes. AscendC::SetSparseIndex."""
    def get_tensor_c(self, tensor: LocalTensor | GlobalTensor, en_atomic: int = ..., en_sequential_write: bool = ..., sync: bool = ...) -> None:
        """A matrix product that the cube unit makes. AscendC::GetTensorC."""
    def get_batch_tensor_c(self, tensor: LocalTensor, batch_a: int, batch_b: int, en_sequential_write: bool = ...) -> None:
        """A matrix product that the cube unit makes. AscendC::GetBatchTensorC."""
    def async_get_tensor_c(self, tensor: LocalTensor) -> None:
        """A matrix product that the cube unit makes. AscendC::AsyncGetTensorC."""
    @overload
    def iterate_all(self, tensor: GlobalTensor, en_atomic: int = ..., sync: bool = ..., en_sequential_write: bool = ..., wait_iterate_all: bool = ..., fake_msg: bool = ...) -> None:
        """A matrix product that the cube unit makes. AscendC::IterateAll."""
    @overload
    def iterate_all(self, tensor: LocalTensor, en_atomic: int = ..., sync: bool = ...) -> None:
        """A matrix product that the cube unit makes. AscendC::IterateAll."""
    @overload
    def iterate_batch(self, tensor: GlobalTensor, en_partial_sum: bool, en_atomic: int, en_sequential_write: bool, matrix_stride_a: int = ..., matrix_stride_b: int = ..., matrix_stride_c: int = ...) -> None:
        """A matrix product that the cube unit makes. AscendC::IterateBatch."""
    @overload
    def iterate_batch(self, tensor: LocalTensor | GlobalTensor, batch_a: int, batch_b: int, en_sequential_write: bool, matrix_stride_a: int = ..., matrix_stride_b: int = ..., matrix_stride_c: int = ..., en_partial_sum: bool = ..., en_atomic: int = ..., sync: bool = ..., wait_iterate_batch: bool = ...) -> None:
        """A matrix product that the cube unit makes. AscendC::IterateBatch."""
    def iterate_n_batch(self, batch_loop: int, batch_a: int, batch_b: int, en_sequential_write: bool, matrix_stride_a: int = ..., matrix_stride_b: int = ..., matrix_stride_c: int = ..., sync: bool = ..., wait_iterate_batch: bool = ...) -> None:
        """A matrix product that the cube unit makes. AscendC::IterateNBatch."""
    def wait_iterate_all(self) -> None:
        """A matrix product that the cube unit makes. AscendC::WaitIterateAll."""
    def wait_iterate_batch(self) -> None:
        """A matrix product that the cube unit makes. AscendC::WaitIterateBatch."""
    def wait_get_tensor_c(self) -> None:
        """A matrix product that the cube unit makes. AscendC::WaitGetTensorC."""
    def get_offset_c(self) -> Number:
        """A matrix product that the cube unit makes. AscendC::GetOffsetC."""
    def end(self) -> None:
        """A matrix product that the cube unit makes. AscendC::End."""
class MatmulType(DeviceObject):
    """Where an operand of a Matmul lies, and how."""
    def __init__(self, position: TPosition, format: CubeFormat, dtype: DataType, is_trans: bool = False, layout: LayoutMode = LayoutMode.NONE) -> None: ...
class MatmulConfig(DeviceObject):
    """How a Matmul works, known at compile time."""
    def __init__(self, **options: Any) -> None: ...
class QuantConfig(DeviceObject):
    """Sizes that quant knows at compile time."""
    def __init__(self, calc_count: int = 0, offset_count: int = 0, scale_count: int = 0, work_local_size: int = 0) -> None: ...
class MatmulApiStaticTiling(DeviceObject):
    """A tiling that is known at compile time."""
    def __init__(self, **options: Any) -> None: ...
def register_matmul(pipe: TPipe, workspace: Any, matmul: Matmul, tiling: Any = None, *more: Any) -> None:
    """Makes a Matmul known; in a mixed kernel the cube core serves from here on."""
def get_normal_config(**options: Any) -> MatmulConfig:
    """The usual way of a Matmul."""
def get_mdl_config(**options: Any) -> MatmulConfig:
    """Large copies to L1."""
def get_basic_config(**options: Any) -> MatmulConfig:
    """Base blocks of a fixed size."""
def get_special_basic_config(**options: Any) -> MatmulConfig:
    """Base blocks of a fixed size, no tails."""
def get_special_mdl_config(**options: Any) -> MatmulConfig:
    """Large copies to L1, special order."""
def get_ib_share_norm_config(**options: Any) -> MatmulConfig:
    """Both vector cores share B."""
def get_mm_config(mode: MatmulConfigMode = MatmulConfigMode.CONFIG_NORM, **options: Any) -> MatmulConfig:
    """A configuration by mode."""
def get_matmul_api_tiling(config: MatmulConfig, **options: Any) -> MatmulApiStaticTiling:
    """A tiling that is known at compile time."""
def acos(dst: LocalTensor, src: LocalTensor, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src), element by element. AscendC::Acos."""
def acosh(dst: LocalTensor, src: LocalTensor, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src), element by element. AscendC::Acosh."""
def asin(dst: LocalTensor, src: LocalTensor, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src), element by element. AscendC::Asin."""
def asinh(dst: LocalTensor, src: LocalTensor, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src), element by element. AscendC::Asinh."""
def atan(dst: LocalTensor, src: LocalTensor, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src), element by element. AscendC::Atan."""
def atanh(dst: LocalTensor, src: LocalTensor, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src), element by element. AscendC::Atanh."""
def ceil(dst: LocalTensor, src: LocalTensor, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src), element by element. AscendC::Ceil."""
def cos(dst: LocalTensor, src: LocalTensor, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src), element by element. AscendC::Cos."""
def cosh(dst: LocalTensor, src: LocalTensor, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src), element by element. AscendC::Cosh."""
def digamma(dst: LocalTensor, src: LocalTensor, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src), element by element. AscendC::Digamma."""
def erf(dst: LocalTensor, src: LocalTensor, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src), element by element. AscendC::Erf."""
def erfc(dst: LocalTensor, src: LocalTensor, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src), element by element. AscendC::Erfc."""
def floor(dst: LocalTensor, src: LocalTensor, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src), element by element. AscendC::Floor."""
def frac(dst: LocalTensor, src: LocalTensor, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src), element by element. AscendC::Frac."""
def lgamma(dst: LocalTensor, src: LocalTensor, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src), element by element. AscendC::Lgamma."""
def round(dst: LocalTensor, src: LocalTensor, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src), element by element. AscendC::Round."""
def sign(dst: LocalTensor, src: LocalTensor, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src), element by element. AscendC::Sign."""
def sin(dst: LocalTensor, src: LocalTensor, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src), element by element. AscendC::Sin."""
def sinh(dst: LocalTensor, src: LocalTensor, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src), element by element. AscendC::Sinh."""
def tan(dst: LocalTensor, src: LocalTensor, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src), element by element. AscendC::Tan."""
def tanh(dst: LocalTensor, src: LocalTensor, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src), element by element. AscendC::Tanh."""
def trunc(dst: LocalTensor, src: LocalTensor, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src), element by element. AscendC::Trunc."""
def log(dst: LocalTensor, src: LocalTensor, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """The natural logarithm. AscendC::Log."""
@overload
def power(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src0, src1), element by element. AscendC::Power."""
@overload
def power(dst: LocalTensor, src0: LocalTensor, src1: float, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src0, src1), element by element. AscendC::Power."""
def xor(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src0, src1), element by element. AscendC::Xor."""
def axpy(dst: LocalTensor, src: LocalTensor, scalar: float, count: int | None = ..., temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src0, src1), element by element. AscendC::Axpy."""
def exp(dst: LocalTensor, src: LocalTensor, count: int, taylor_expand_level: int, temp_buffer: LocalTensor | None = ..., is_reuse_source: bool = ...) -> None:
    """dst = f(src0, src1), element by element. AscendC::Exp."""
def softmax(dst: LocalTensor, sum: LocalTensor, max: LocalTensor, src: LocalTensor, tiling: Any, temp_buffer: LocalTensor | None = ..., reuse_source: bool = ..., basic_block: bool = ..., data_format_nz: bool = ...) -> None:
    """Rows: soft-max and norms. AscendC::SoftMax."""
def rmsnorm(dst: LocalTensor, src: LocalTensor, gamma: LocalTensor, epsilon: float, tiling: Any, temp_buffer: LocalTensor | None = ..., basic_block: bool = ...) -> None:
    """Rows: soft-max and norms. AscendC::RmsNorm."""
def layer_norm(dst: LocalTensor, dst_mean: LocalTensor, dst_variance: LocalTensor, src: LocalTensor, gamma: LocalTensor, beta: LocalTensor, temp_buffer: LocalTensor, epsilon: float, tiling: Any, is_reuse_source: bool = ...) -> None:
    """Rows: soft-max and norms. AscendC::LayerNorm."""
@overload
def quant(dst: LocalTensor, src: LocalTensor, scale: float, offset: float, count: int | None = ..., temp_buffer: LocalTensor | None = ..., reuse_source: bool = ..., config: QuantConfig | None = ...) -> None:
    """float or half to int8. AscendC::AscendQuant."""
@overload
def quant(dst: LocalTensor, src: LocalTensor, scale: LocalTensor, offset: float, count: int | None = ..., temp_buffer: LocalTensor | None = ..., reuse_source: bool = ..., config: QuantConfig | None = ...) -> None:
    """float or half to int8. AscendC::AscendQuant."""
def concat(dst: LocalTensor, src: LocalTensor, tmp: LocalTensor, repeat_time: int) -> None:
    """Sorted lists put together, and taken apart. AscendC::Concat."""
def extract(dst_value: LocalTensor, dst_index: LocalTensor, src: LocalTensor, repeat_time: int) -> None:
    """Sorted lists put together, and taken apart. AscendC::Extract."""

# SPDX-License-Identifier: Apache-2.0
"""`aclimb op new`: a small operator project that builds and passes its check: y = x * scale."""

from __future__ import annotations

from pathlib import Path

from aclimb.errors import InvalidArgument
from aclimb.op.declare.kernel import kernel_name

_TILING = """// What the host tells the kernel.
#pragma once
#include <cstdint>

struct @Type@Tiling {
    uint32_t count; // elements in all
    uint32_t share; // elements of one block
    float scale;
};
"""

_HOST = """// The host code of @Type@: types and shapes, and how the work is cut.
#include <algorithm>

#include "../op_kernel/@name@_tiling.h"
#include "log/log.h"
#include "register/op_def_registry.h"

namespace optiling {
static ge::graphStatus Tiling(gert::TilingContext* context) {
    const uint32_t count = static_cast<uint32_t>(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
    platform_ascendc::PlatformAscendC chip(context->GetPlatformInfo());
    const uint32_t blocks = std::max(1u, std::min(chip.GetCoreNumAiv(), (count + 1023) / 1024));
    auto* tiling = context->GetTilingData<@Type@Tiling>();
    OP_CHECK_NULL_WITH_CONTEXT(context, tiling);
    *tiling = {count, (count + blocks - 1) / blocks, *context->GetAttrs()->GetFloat(0)};
    context->SetBlockDim(blocks);
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class @Type@ : public OpDef {
  public:
    explicit @Type@(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Attr("scale").AttrType(OPTIONAL).Float(2.0f);
        this->SetInferShape(ge::InferShape);
        this->AICore().SetTiling(optiling::Tiling);
        this->AICore().AddConfig("ascend910b");
        this->AICore().AddConfig("ascend910_93");
    }
};
OP_ADD(@Type@);
} // namespace ops
"""

_KERNEL = """// The kernel of @Type@: y = x * scale.
#include "kernel_operator.h"
#include "@name@_tiling.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void @name@(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    REGISTER_TILING_DEFAULT(@Type@Tiling);
    GET_TILING_DATA(data, tiling);
    constexpr uint32_t kTile = 4096;
    TPipe pipe;
    TQue<TPosition::VECIN, 1> xQueue;
    TQue<TPosition::VECOUT, 1> yQueue;
    pipe.InitBuffer(xQueue, 2, kTile * sizeof(float));
    pipe.InitBuffer(yQueue, 2, kTile * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, data.count);
    yGm.SetGlobalBuffer((__gm__ float*)y, data.count);

    const uint32_t begin = GetBlockIdx() * data.share, end = min(begin + data.share, data.count);
    for (uint32_t at = begin; at < end; at += kTile) {
        const uint32_t count = min(kTile, end - at);
        const DataCopyExtParams bytes(1, count * sizeof(float), 0, 0, 0); // DataCopyPad takes any number of bytes
        LocalTensor<float> in = xQueue.AllocTensor<float>();
        DataCopyPad(in, xGm[at], bytes, DataCopyPadExtParams<float>());
        xQueue.EnQue(in);
        in = xQueue.DeQue<float>();
        LocalTensor<float> out = yQueue.AllocTensor<float>();
        Muls(out, in, data.scale, count);
        yQueue.EnQue(out);
        xQueue.FreeTensor(in);
        out = yQueue.DeQue<float>();
        DataCopyPad(yGm[at], out, bytes);
        yQueue.FreeTensor(out);
    }
}
"""

_CHECK = '''"""What the operators compute, in NumPy: `aclimb op test` compares. A function has the name of its kernel."""

import numpy as np

SHAPES = [(1,), (7, 31), (64, 100), (3, 4097)]


def @name@(x: np.ndarray, scale: float = 2.0) -> np.ndarray:
    return x * np.float32(scale)
'''


def new_project(op_type: str, folder: str | Path | None = None) -> Path:
    """Writes the project of an operator type into a new folder, by default one of the kernel's name."""
    if not op_type.isidentifier() or not op_type[0].isupper():
        raise InvalidArgument(f"operator type is {op_type!r}; it takes a name such as AddCustom")
    name = kernel_name(op_type)
    target = Path(folder) if folder is not None else Path(name)
    if target.exists() and any(target.iterdir()):
        raise InvalidArgument(f"{target} is there already, and not empty; give another folder")
    files = {
        f"op_host/{name}.cpp": _HOST,
        f"op_kernel/{name}_tiling.h": _TILING,
        f"op_kernel/{name}.cpp": _KERNEL,
        "check.py": _CHECK,
    }
    for path, text in files.items():
        made = target / path
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_text(text.replace("@Type@", op_type).replace("@name@", name))
    return target

// SPDX-License-Identifier: Apache-2.0
// The host code of AddRmsNorm in C++: what operator.py and tiling.py beside it say in Python. The kernel is in op_kernel.
#include <algorithm>

#include "log/log.h"
#include "register/op_def_registry.h"

namespace optiling {
// As the kernel reads it.
struct AddRmsNormTiling {
    uint32_t rows;
    uint32_t columns;
    uint32_t tileRows;
    uint32_t tileColumns;
    float epsilon;
    float inverse;
};

constexpr uint64_t kBlock = 32;        // bytes
constexpr uint64_t kMaxCount = 4095;   // rows of one copy
constexpr uint64_t kPartials = 1024;   // of the kernel
constexpr uint64_t kSmallPiece = 1024; // columns; a row is not split further than this
constexpr uint64_t kSplit = 10;        // added to the tiling key for rows that do not fit into UB

static uint64_t CeilDiv(uint64_t size, uint64_t unit) { return (size + unit - 1) / unit; }
static uint64_t RoundUp(uint64_t size, uint64_t unit) { return CeilDiv(size, unit) * unit; }

// How many rows of so many columns the kernel's buffers hold.
static uint64_t RowsInUb(uint64_t columns, uint64_t itemsize, uint64_t ub) {
    const bool widen = itemsize < 4;
    const uint64_t width = RoundUp(columns, kBlock / itemsize);
    const uint64_t gamma = width * (widen ? itemsize + 4 : 4);
    const uint64_t reduce = RoundUp(CeilDiv(std::max(width, kPartials), 64) * 4, kBlock);
    const uint64_t once = gamma + reduce + kBlock + kPartials * 4;
    const uint64_t each = 8 * width * itemsize + (widen ? 2 * width * 4 : 0) + 3 * kBlock;
    return once < ub ? (ub - once) / each : 0;
}

// The longest piece of a row, in whole blocks: what it needs grows with every block, so halving finds it.
static uint64_t ColumnsInUb(uint64_t itemsize, uint64_t ub) {
    uint64_t low = 0, high = ub / kBlock;
    while (low < high) {
        const uint64_t middle = (low + high + 1) / 2;
        if (RowsInUb(middle * kBlock / itemsize, itemsize, ub) > 0) low = middle;
        else high = middle - 1;
    }
    return low * kBlock / itemsize;
}

static uint64_t KeyOf(ge::DataType type) { return type == ge::DT_FLOAT16 ? 1 : type == ge::DT_BF16 ? 2 : 3; }

static ge::graphStatus Tiling(gert::TilingContext* context) {
    const gert::Shape& shape = context->GetInputShape(0)->GetStorageShape();
    const ge::DataType type = context->GetInputDesc(0)->GetDataType();
    const uint64_t itemsize = static_cast<uint64_t>(ge::GetSizeByDataType(type));
    const uint64_t columns = static_cast<uint64_t>(shape.GetDim(shape.GetDimNum() - 1));
    OP_CHECK_IF(columns == 0, OP_LOGE(context, "rows of no elements have no mean; the last axis takes at least 1"),
                return ge::GRAPH_FAILED);
    const uint64_t rows = static_cast<uint64_t>(shape.GetShapeSize()) / columns;

    platform_ascendc::PlatformAscendC chip(context->GetPlatformInfo());
    const uint64_t cores = chip.GetCoreNumAiv();
    uint64_t ub = 0;
    chip.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub);

    auto* tiling = context->GetTilingData<AddRmsNormTiling>();
    OP_CHECK_NULL_WITH_CONTEXT(context, tiling);
    *tiling = {static_cast<uint32_t>(rows),    static_cast<uint32_t>(columns),    1,
               static_cast<uint32_t>(columns), *context->GetAttrs()->GetFloat(0), static_cast<float>(1.0 / static_cast<double>(columns))};
    size_t* workspace = context->GetWorkspaceSizes(1);
    const uint64_t rowLimit = RowsInUb(columns, itemsize, ub);
    if (rowLimit > 0) {
        const uint64_t tileRows = std::min({rowLimit, kMaxCount, CeilDiv(rows, cores)});
        tiling->tileRows = static_cast<uint32_t>(tileRows);
        workspace[0] = 0;
        context->SetTilingKey(KeyOf(type));
        return context->SetBlockDim(static_cast<uint32_t>(std::min(cores, CeilDiv(rows, tileRows))));
    }
    // Pieces as large as UB allows, but small enough that every core gets one. Each leaves one float in the workspace.
    const uint64_t share = std::max(CeilDiv(rows * columns, cores), kSmallPiece);
    const uint64_t piece = std::min(ColumnsInUb(itemsize, ub), RoundUp(share, kBlock / itemsize));
    const uint64_t tiles = rows * CeilDiv(columns, piece);
    tiling->tileColumns = static_cast<uint32_t>(piece);
    workspace[0] = RoundUp(tiles * 4, kBlock);
    context->SetTilingKey(KeyOf(type) + kSplit);
    return context->SetBlockDim(static_cast<uint32_t>(std::min(cores, tiles)));
}
} // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext* context) {
    const gert::Shape *x1 = context->GetInputShape(0), *x2 = context->GetInputShape(1), *gamma = context->GetInputShape(2);
    const size_t rank = x1->GetDimNum();
    OP_CHECK_IF(rank == 0 || *x1 != *x2 || gamma->GetDimNum() != 1 || gamma->GetDim(0) != x1->GetDim(rank - 1),
                OP_LOGE(context, "x1, x2 and gamma take two tensors of one shape, and their last axis"), return GRAPH_FAILED);
    *context->GetOutputShape(0) = *x1;
    *context->GetOutputShape(1) = *x1;
    context->GetOutputShape(1)->SetDim(rank - 1, 1);
    *context->GetOutputShape(2) = *x1;
    return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class AddRmsNorm : public OpDef {
  public:
    explicit AddRmsNorm(const char* name) : OpDef(name) {
        const std::vector<ge::DataType> types = {ge::DT_FLOAT16, ge::DT_BF16, ge::DT_FLOAT};
        const std::vector<ge::Format> formats(3, ge::FORMAT_ND);
        this->Input("x1").ParamType(REQUIRED).DataType(types).Format(formats);
        this->Input("x2").ParamType(REQUIRED).DataType(types).Format(formats);
        this->Input("gamma").ParamType(REQUIRED).DataType(types).Format(formats);
        this->Output("y").ParamType(REQUIRED).DataType(types).Format(formats);
        this->Output("rstd").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT, ge::DT_FLOAT}).Format(formats);
        this->Output("x").ParamType(REQUIRED).DataType(types).Format(formats);
        this->Attr("epsilon").AttrType(OPTIONAL).Float(1e-6f);
        this->SetInferShape(ge::InferShape);
        this->AICore().SetTiling(optiling::Tiling);
        this->AICore().AddConfig("ascend910b");
        this->AICore().AddConfig("ascend910_93");
    }
};
OP_ADD(AddRmsNorm);
} // namespace ops

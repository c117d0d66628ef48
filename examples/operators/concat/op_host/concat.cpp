// SPDX-License-Identifier: Apache-2.0
// The host code of Concat in C++, in two stages: prepare decides which kernel copies which input, launch queues one copy after the other
// with the calls of acl. What operator.py and tiling.py say in Python. The kernels are in op_kernel.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "../../package_kernels.h"
#include "acl/acl.h"
#include "log/log.h"
#include "register/op_def_registry.h"

namespace {
// As the kernels read it.
struct ConcatTiling {
    uint64_t rows;
    uint64_t rowBytes;
    uint64_t outRowBytes;
    uint64_t columnBytes;
    uint32_t tileRows;
    uint32_t tileBytes;
};

// One launch: kernel(x, y, tiling), where x is the input of that index.
struct InputCopy {
    size_t index;
    bool aligned;
    uint32_t numBlocks;
    ConcatTiling tiling;
};
struct Params {
    std::vector<InputCopy> copies;
};

constexpr uint64_t kBlock = 32;                     // bytes
constexpr uint64_t kBuffers = 2;                    // of the kernels
constexpr uint64_t kMaxCount = 4095;                // rows of one copy
constexpr uint64_t kMaxGap = 0xffffffff;            // bytes, of DataCopyPad
constexpr uint64_t kMaxAlignedGap = 65535 * kBlock; // of DataCopy
constexpr uint64_t kSmallTile = 4096;               // bytes; splitting rows further than this costs more than it wins
constexpr uint64_t kAlignedRow = 512;               // bytes; from here on concat_copy_aligned is used where it can be

uint64_t CeilDiv(uint64_t size, uint64_t unit) { return (size + unit - 1) / unit; }
uint64_t RoundUp(uint64_t size) { return CeilDiv(size, kBlock) * kBlock; }

uint64_t Product(const gert::Shape& shape, size_t begin, size_t end) {
    uint64_t product = 1;
    for (size_t i = begin; i < end; ++i) product *= static_cast<uint64_t>(shape.GetDim(i));
    return product;
}

// The axis counted from the front; false when it does not exist.
bool FindAxis(const gert::RuntimeAttrs* attrs, size_t rank, size_t& axis) {
    const int64_t given = *attrs->GetInt(0), count = static_cast<int64_t>(rank);
    if (given < -count || given >= count) return false;
    axis = static_cast<size_t>(given < 0 ? given + count : given);
    return true;
}

// Rows of a tile and bytes of each: whole rows as long as every core gets some, pieces of one row otherwise.
void Tile(ConcatTiling& tiling, bool aligned, uint64_t cores, uint64_t ub) {
    const uint64_t buffer = ub / kBuffers / kBlock * kBlock;
    const uint64_t share = std::max(CeilDiv(tiling.rows * tiling.rowBytes, cores), kSmallTile);
    const uint64_t rowInUb = RoundUp(tiling.rowBytes), piece = std::min(buffer, RoundUp(share));
    tiling.tileRows = 1;
    tiling.tileBytes = static_cast<uint32_t>(std::min(tiling.rowBytes, piece));
    if (rowInUb > piece) {
        tiling.tileBytes = static_cast<uint32_t>(piece);
    } else if (tiling.outRowBytes - tiling.rowBytes <= (aligned ? kMaxAlignedGap : kMaxGap)) {
        tiling.tileBytes = static_cast<uint32_t>(tiling.rowBytes);
        tiling.tileRows = static_cast<uint32_t>(std::min({kMaxCount, buffer / rowInUb, CeilDiv(tiling.rows, cores)}));
    }
}

InputCopy Plan(size_t index, ConcatTiling tiling, uint64_t cores, uint64_t ub) {
    const bool aligned = tiling.rowBytes >= kAlignedRow && tiling.rowBytes % kBlock == 0 && tiling.outRowBytes % kBlock == 0 &&
                         tiling.columnBytes % kBlock == 0;
    Tile(tiling, aligned, cores, ub);
    const uint64_t tiles = CeilDiv(tiling.rows, tiling.tileRows) * CeilDiv(tiling.rowBytes, tiling.tileBytes);
    return {index, aligned, static_cast<uint32_t>(std::min(cores, tiles)), tiling};
}

ge::graphStatus Prepare(gert::OpExecutePrepareContext* context) {
    const size_t count = context->GetIrInputInstanceInfo(0)->GetInstanceNum();
    const gert::Shape& first = context->GetDynamicInputTensor(0, 0)->GetStorageShape();
    const uint64_t itemsize = static_cast<uint64_t>(ge::GetSizeByDataType(context->GetOutputTensor(0)->GetDataType()));
    size_t axis = 0;
    OP_CHECK_IF(!FindAxis(context->GetAttrs(), first.GetDimNum(), axis), OP_LOGE(context, "the axis does not exist"),
                return ge::GRAPH_FAILED);
    auto* chip = platform_ascendc::PlatformAscendCManager::GetInstance();
    OP_CHECK_NULL_WITH_CONTEXT(context, chip);
    uint64_t ub = 0, column = 0;
    chip->GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub);
    const gert::Shape& out = context->GetOutputTensor(0)->GetStorageShape();
    const uint64_t rows = Product(first, 0, axis), outRow = Product(out, axis, out.GetDimNum()) * itemsize;
    std::unique_ptr<Params> params(new Params);
    for (size_t i = 0; i < count; ++i) {
        const gert::Shape& shape = context->GetDynamicInputTensor(0, i)->GetStorageShape();
        const uint64_t rowBytes = Product(shape, axis, shape.GetDimNum()) * itemsize;
        if (rows * rowBytes != 0) params->copies.push_back(Plan(i, {rows, rowBytes, outRow, column, 0, 0}, chip->GetCoreNumAiv(), ub));
        column += rowBytes;
    }
    const uint64_t bytes = sizeof(ConcatTiling) * params->copies.size();
    context->SetOpApiParamsWithDefaultDeleter(params.release());
    return context->SetWorkspaceSizes({bytes}); // the kernels read their tiling from there
}

aclrtFuncHandle Function(bool aligned) {
    static PackageKernels kernels("concat");
    return kernels.Find(aligned ? "concat_copy_aligned" : "concat_copy");
}

ge::graphStatus Launch(gert::OpExecuteLaunchContext* context) {
    const auto& copies = static_cast<Params*>(context->GetOpApiParams())->copies;
    if (copies.empty()) return ge::GRAPH_SUCCESS;
    std::vector<ConcatTiling> data;
    for (const InputCopy& each : copies) data.push_back(each.tiling);
    const size_t bytes = data.size() * sizeof(ConcatTiling);
    auto* address = static_cast<uint8_t*>(context->GetWorkspaceAddrs()->GetData()[0]->GetAddr());
    const void* from = data.data(); // taken along: it need not outlive the call
    void* to = address;
    OP_CHECK_IF(aclrtMemcpyAsync(to, bytes, from, bytes, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, context->GetStream()) != ACL_SUCCESS,
                OP_LOGE(context, "%s", aclGetRecentErrMsg()), return ge::GRAPH_FAILED);
    for (size_t i = 0; i < copies.size(); ++i) {
        struct {
            const void *x, *y, *tiling;
        } args = {context->GetDynamicInputTensor(0, copies[i].index)->GetAddr(), context->GetOutputTensor(0)->GetAddr(),
                  address + i * sizeof(ConcatTiling)};
        const aclError code = aclrtLaunchKernelWithHostArgs(Function(copies[i].aligned), copies[i].numBlocks, context->GetStream(), nullptr,
                                                            &args, sizeof args, nullptr, 0);
        OP_CHECK_IF(code != ACL_SUCCESS, OP_LOGE(context, "%s", aclGetRecentErrMsg()), return ge::GRAPH_FAILED);
    }
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus InferShape(gert::InferShapeContext* context) {
    const size_t count = context->GetIrInputInstanceInfo(0)->GetInstanceNum();
    OP_CHECK_IF(count == 0, OP_LOGE(context, "Concat of no tensors; give at least one"), return ge::GRAPH_FAILED);
    gert::Shape* y = context->GetOutputShape(0);
    *y = *context->GetDynamicInputShape(0, 0);
    size_t axis = 0;
    OP_CHECK_IF(!FindAxis(context->GetAttrs(), y->GetDimNum(), axis), OP_LOGE(context, "the axis does not exist"), return ge::GRAPH_FAILED);
    for (size_t i = 1; i < count; ++i) {
        gert::Shape shape = *context->GetDynamicInputShape(0, i);
        const int64_t side = shape.GetDim(axis);
        shape.SetDim(axis, y->GetDim(axis));
        OP_CHECK_IF(shape != *y, OP_LOGE(context, "input %zu may differ from the first one in axis %zu only", i, axis),
                    return ge::GRAPH_FAILED);
        y->SetDim(axis, y->GetDim(axis) + side);
    }
    return ge::GRAPH_SUCCESS;
}
} // namespace

namespace ops {
class Concat : public OpDef {
  public:
    explicit Concat(const char* name) : OpDef(name) {
        this->Input("x").ParamType(DYNAMIC).DataType({ge::DT_BOOL, ge::DT_INT8, ge::DT_UINT8, ge::DT_INT16, ge::DT_UINT16, ge::DT_FLOAT16,
                                                      ge::DT_BF16, ge::DT_INT32, ge::DT_UINT32, ge::DT_FLOAT, ge::DT_INT64, ge::DT_UINT64,
                                                      ge::DT_DOUBLE, ge::DT_COMPLEX64, ge::DT_COMPLEX128});
        this->Output("y").ParamType(REQUIRED).Follow("x");
        this->Attr("axis").AttrType(OPTIONAL).Int(0);
        this->SetInferShape(InferShape);
    }
};
OP_ADD(Concat);
} // namespace ops
IMPL_OP(Concat).Op2StageExecuteFuncs(Prepare, Launch);

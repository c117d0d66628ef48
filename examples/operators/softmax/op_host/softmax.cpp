// SPDX-License-Identifier: Apache-2.0
// The host code of Softmax in C++, in two stages: prepare decides between one kernel and three, launch queues them with the calls of acl.
// What operator.py and tiling.py say in Python. The kernels are in op_kernel.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "../../package_kernels.h"
#include "../op_kernel/softmax_tiling.h"
#include "acl/acl.h"
#include "log/log.h"
#include "register/op_def_registry.h"

namespace {
// One launch; which arguments it has follows from its name.
struct KernelCall {
    const char* kernel;
    uint32_t numBlocks;
    uint32_t key; // 0: the kernel has none
};
struct Params {
    std::vector<KernelCall> calls; // each after the one before has ended
    SoftmaxTiling tiling;
    uint64_t workspaceBytes;
};

constexpr uint64_t kBlock = 32;         // bytes
constexpr uint64_t kMaxCount = 4095;    // rows of one copy
constexpr uint64_t kNarrowColumns = 64; // floats of one repeat
constexpr uint64_t kNarrowRows = 248;   // repeats of one instruction, in whole blocks of results
constexpr uint64_t kSmallPiece = 2048;  // columns; a row is not cut further than this
constexpr uint64_t kFewRows = 4;        // less than 1 / kFewRows of the cores would have a row: long rows are cut although they fit
constexpr uint32_t kNarrow = 10;        // added to the tiling key of softmax_rows

uint64_t CeilDiv(uint64_t size, uint64_t unit) { return (size + unit - 1) / unit; }
uint64_t RoundUp(uint64_t size, uint64_t unit) { return CeilDiv(size, unit) * unit; }
// Scratch of a reduction: value and index for each repeat of 64 floats.
uint64_t ReduceBytes(uint64_t count) { return RoundUp(CeilDiv(count, 64) * 8, kBlock); }
uint32_t Narrowed(uint64_t value) { return static_cast<uint32_t>(value); }

// How many rows the buffers of softmax_rows can hold; with one row they hold what the kernels of pieces need too.
uint64_t RowsInUb(uint64_t columns, uint64_t itemsize, uint64_t ub) {
    const uint64_t width = RoundUp(columns, kBlock / itemsize);
    const uint64_t queues = 4 * width * itemsize; // x and y, each twice
    const uint64_t floats = itemsize < 4 ? width * 4 : 0;
    const uint64_t once = ReduceBytes(width) + 8 * kBlock + kBlock; // results and their spread copies come in groups of 8 rows
    return once < ub ? (ub - once) / (queues + floats + kBlock + 4) : 0;
}

// The longest piece of a row, in whole blocks. What it needs grows with every block, so halving finds it.
uint64_t ColumnsInUb(uint64_t itemsize, uint64_t ub) {
    uint64_t low = 0, high = ub / kBlock;
    while (low < high) {
        const uint64_t middle = (low + high + 1) / 2;
        if (RowsInUb(middle * kBlock / itemsize, itemsize, ub) > 0) low = middle;
        else high = middle - 1;
    }
    return low * kBlock / itemsize;
}

bool CombineFits(uint64_t perRow, uint64_t ub) { return 2 * RoundUp(perRow * 4, kBlock) + ReduceBytes(perRow) + 3 * kBlock <= ub; }

uint32_t KeyOf(ge::DataType type) { return type == ge::DT_FLOAT16 ? 1 : type == ge::DT_BF16 ? 2 : 3; }

void PlanRows(Params& plan, uint64_t rows, uint64_t columns, uint32_t key, uint64_t rowLimit, uint64_t cores) {
    const bool narrow = columns <= kNarrowColumns;
    const uint64_t tileRows = std::min({rowLimit, narrow ? kNarrowRows : kMaxCount, CeilDiv(rows, cores)});
    plan.calls = {{"softmax_rows", Narrowed(std::min(cores, CeilDiv(rows, tileRows))), narrow ? key + kNarrow : key}};
    plan.tiling = {Narrowed(rows), Narrowed(columns), Narrowed(tileRows), Narrowed(columns)};
}

// Pieces as large as UB allows, but small enough that every core gets one. False when a row has too many.
bool PlanPieces(Params& plan, uint64_t rows, uint64_t columns, uint64_t itemsize, uint32_t key, uint64_t cores, uint64_t ub) {
    const uint64_t share = std::max(CeilDiv(rows * columns, cores), kSmallPiece);
    const uint64_t piece = std::min(ColumnsInUb(itemsize, ub), RoundUp(share, kBlock / itemsize));
    const uint64_t perRow = CeilDiv(columns, piece);
    if (!CombineFits(perRow, ub)) return false;
    const uint32_t blocks = Narrowed(std::min(cores, rows * perRow));
    plan.calls = {
        {"softmax_partial", blocks, key}, {"softmax_combine", Narrowed(std::min(cores, rows)), 0}, {"softmax_normalize", blocks, key}};
    plan.tiling = {Narrowed(rows), Narrowed(columns), 1, Narrowed(piece)};
    plan.workspaceBytes = 2 * RoundUp(rows * perRow * 4, kBlock) + rows * kBlock; // maxima, sums; a block for each row
    return true;
}

ge::graphStatus Prepare(gert::OpExecutePrepareContext* context) {
    const gert::Shape& shape = context->GetInputTensor(0)->GetStorageShape();
    const ge::DataType type = context->GetInputTensor(0)->GetDataType();
    const uint64_t itemsize = static_cast<uint64_t>(ge::GetSizeByDataType(type)), rank = shape.GetDimNum();
    const uint64_t columns = rank > 0 ? static_cast<uint64_t>(shape.GetDim(rank - 1)) : 1;
    const uint64_t rows = columns > 0 ? static_cast<uint64_t>(shape.GetShapeSize()) / columns : 0;
    auto* chip = platform_ascendc::PlatformAscendCManager::GetInstance();
    OP_CHECK_NULL_WITH_CONTEXT(context, chip);
    const uint64_t cores = chip->GetCoreNumAiv();
    uint64_t ub = 0;
    chip->GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub);
    std::unique_ptr<Params> plan(new Params());
    if (rows > 0) {
        const uint64_t rowLimit = RowsInUb(columns, itemsize, ub);
        const bool fewAndLong = rows * kFewRows <= cores && columns >= kFewRows * kSmallPiece;
        if (rowLimit > 0 && !fewAndLong) PlanRows(*plan, rows, columns, KeyOf(type), rowLimit, cores);
        else
            OP_CHECK_IF(
                !PlanPieces(*plan, rows, columns, itemsize, KeyOf(type), cores, ub),
                OP_LOGE(context, "rows of %zu columns need more pieces than softmax_combine can hold", static_cast<size_t>(columns)),
                return ge::GRAPH_FAILED);
    }
    const uint64_t tilingBytes = plan->calls.empty() ? 0 : sizeof(SoftmaxTiling), bytes = plan->workspaceBytes;
    context->SetOpApiParamsWithDefaultDeleter(plan.release());
    return context->SetWorkspaceSizes({bytes, tilingBytes}); // the kernels read their tiling from the second one
}

aclError LaunchOne(const KernelCall& call, const void* x, const void* y, const void* workspace, const void* tiling, aclrtStream stream) {
    static PackageKernels kernels("softmax");
    const std::string name = call.kernel;
    aclrtFuncHandle function = kernels.Find(call.key > 0 ? name + "_" + std::to_string(call.key) : name);
    std::vector<const void*> args = {x, y, workspace, tiling};
    if (name == "softmax_partial") args = {x, workspace, tiling};
    if (name == "softmax_combine") args = {workspace, tiling};
    return aclrtLaunchKernelWithHostArgs(function, call.numBlocks, stream, nullptr, args.data(), args.size() * sizeof(void*), nullptr, 0);
}

ge::graphStatus Launch(gert::OpExecuteLaunchContext* context) {
    const auto* plan = static_cast<Params*>(context->GetOpApiParams());
    if (plan->calls.empty()) return ge::GRAPH_SUCCESS;
    gert::TensorData* const* addresses = context->GetWorkspaceAddrs()->GetData();
    void *workspace = addresses[0] != nullptr ? addresses[0]->GetAddr() : nullptr, *tiling = addresses[1]->GetAddr();
    constexpr size_t bytes = sizeof(SoftmaxTiling);
    OP_CHECK_IF(aclrtMemcpyAsync(tiling, bytes, &plan->tiling, bytes, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, context->GetStream()) !=
                    ACL_SUCCESS,
                OP_LOGE(context, "%s", aclGetRecentErrMsg()), return ge::GRAPH_FAILED);
    const void *x = context->GetInputTensor(0)->GetAddr(), *y = context->GetOutputTensor(0)->GetAddr();
    for (const KernelCall& each : plan->calls) {
        OP_CHECK_IF(LaunchOne(each, x, y, workspace, tiling, context->GetStream()) != ACL_SUCCESS,
                    OP_LOGE(context, "%s", aclGetRecentErrMsg()), return ge::GRAPH_FAILED);
    }
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus InferShape(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return ge::GRAPH_SUCCESS;
}
} // namespace

namespace ops {
class Softmax : public OpDef {
  public:
    explicit Softmax(const char* name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_BF16, ge::DT_FLOAT});
        this->Output("y").ParamType(REQUIRED).Follow("x");
        this->SetInferShape(InferShape);
    }
};
OP_ADD(Softmax);
} // namespace ops
IMPL_OP(Softmax).Op2StageExecuteFuncs(Prepare, Launch);

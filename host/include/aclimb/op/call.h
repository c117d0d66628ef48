// SPDX-License-Identifier: Apache-2.0
// What Python calls in a library of operators. No exception leaves it, and what a failed callback stored is freed here.
#pragma once
#include <cstdio>
#include <cstring>
#include <exception>

#include "aclimb/op/frame.h"
#include "aclimb/op/log.h"
#include "aclimb/op/registry.h"
#include "exe_graph/runtime/infer_datatype_context.h"
#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/infer_shape_range_context.h"
#include "exe_graph/runtime/tiling_parse_context.h"

namespace aclimb {
namespace op {
inline ACLIMB_OP_OWN Status tile(const Functions& functions, Frame& frame) {
    frame.tiling();
    const Status status = functions.tiling != nullptr ? frame.run<gert::TilingContext>(functions.tiling)
                                                      : frame.run<gert::TilingContext>(functions.device_tiling);
    if (status == ge::GRAPH_SUCCESS) frame.answer_tiling();
    return status;
}

template <typename Context> ACLIMB_OP_OWN Status infer(Stage stage, Status (*function)(Context*), Frame& frame) {
    const Status status = frame.run<Context>(function);
    if (status == ge::GRAPH_SUCCESS) frame.answer_outputs(stage);
    return status;
}

inline ACLIMB_OP_OWN Status run(const Functions& functions, Stage stage, Frame& frame) {
    switch (stage) {
    case kInferShape: frame.infer_shape(); return infer(stage, functions.infer_shape, frame);
    case kInferShapeRange: frame.infer_shape_range(); return infer(stage, functions.infer_shape_range, frame);
    case kInferDataType: frame.infer_data_type(); return infer(stage, functions.infer_data_type, frame);
    case kTilingParse:
        frame.tiling_parse();
        return functions.tiling_parse != nullptr ? frame.run<gert::TilingParseContext>(functions.tiling_parse)
                                                 : frame.run<gert::KernelContext>(functions.old_tiling_parse);
    case kTiling: return tile(functions, frame);
    case kPrepare: {
        frame.prepare();
        const Status status = frame.run<gert::OpExecutePrepareContext>(functions.prepare);
        if (status == ge::GRAPH_SUCCESS) frame.answer_prepare();
        return status;
    }
    case kLaunch: frame.launch(); return frame.run<gert::OpExecuteLaunchContext>(functions.launch);
    case kExecute: frame.execute(reinterpret_cast<void*>(functions.execute)); return frame.run<gert::OpExecuteContext>(functions.execute);
    default: return ge::GRAPH_PARAM_INVALID;
    }
}

inline ACLIMB_OP_OWN void say(Answer& answer, const char* text, bool threw) {
    if (*text != '\0') std::snprintf(answer.said, sizeof answer.said, "%s", text);
    else answer.said[0] = '\0';
    answer.threw = threw ? 1 : 0;
}

inline ACLIMB_OP_OWN uint32_t call(uint64_t row, uint32_t stage, const Request* request, Answer* answer) {
    Said before = {true, "", 0};
    std::swap(before, said()); // of a callback outside of this one
    Status status = ge::GRAPH_FAILED;
#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
    try {
#endif
        Frame frame(*request, *answer);
        status = run(registry().rows[row].functions, static_cast<Stage>(stage), frame);
        say(*answer, said().text.c_str(), false);
#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
    } catch (const std::exception& error) {
        say(*answer, error.what(), true);
        status = ge::GRAPH_FAILED;
    } catch (...) {
        say(*answer, "something that is no std::exception", true);
        status = ge::GRAPH_FAILED;
    }
#endif
    std::swap(before, said());
    return status;
}

inline ACLIMB_OP_OWN void* make_compile_info(uint64_t row) {
    const Functions& functions = registry().rows[row].functions;
    return functions.make_compile_info != nullptr ? functions.make_compile_info() : nullptr;
}
inline ACLIMB_OP_OWN void delete_compile_info(uint64_t row, void* info) {
    const Functions& functions = registry().rows[row].functions;
    if (functions.delete_compile_info != nullptr) functions.delete_compile_info(info);
}
inline ACLIMB_OP_OWN void call_deleter(void (*deleter)(void*), void* params) { deleter(params); }
inline ACLIMB_OP_OWN void connect(const Door* door) { connection() = *door; }
} // namespace op
} // namespace aclimb

// The one name that a library of operators exports. Its static initialisers have run when Python asks.
extern "C" __attribute__((weak, visibility("default"), used)) const aclimb::op::Library* aclimb_op_library(void);
extern "C" const aclimb::op::Library* aclimb_op_library(void) {
    using namespace aclimb::op;
    static Library own = {kWireVersion, 0, describe(), call, make_compile_info, delete_compile_info, call_deleter, connect};
    return &own;
}

// SPDX-License-Identifier: Apache-2.0
// What the static initialisers of a library declare: one row for each operator type, kept in the library itself.
#pragma once
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "aclimb/op/text.h"
#include "aclimb/op/wire.h"
#include "graph/types.h"

namespace gert {
class KernelContext;
class InferShapeContext;
class InferShapeRangeContext;
class InferDataTypeContext;
class InferFormatContext;
class TilingContext;
class TilingParseContext;
class OpExecuteContext;
class OpExecutePrepareContext;
class OpExecuteLaunchContext;
class ExeResGenerationContext;
class OpCheckContext;
} // namespace gert
namespace ge {
class AscendString;
}
struct rtExceptionInfo;

namespace aclimb {
namespace op {
using Status = unsigned int;

// Everything that OpImplRegisterV2 can be told. What is not set is null, 0 or empty.
struct Functions {
    Status (*infer_shape)(gert::InferShapeContext*) = nullptr;
    Status (*infer_shape_range)(gert::InferShapeRangeContext*) = nullptr;
    Status (*infer_data_type)(gert::InferDataTypeContext*) = nullptr;
    Status (*tiling)(gert::TilingContext*) = nullptr;
    std::function<Status(gert::TilingContext*)> device_tiling; // where there is no other
    Status (*tiling_parse)(gert::TilingParseContext*) = nullptr;
    Status (*old_tiling_parse)(gert::KernelContext*) = nullptr;
    void* (*make_compile_info)() = nullptr;
    void (*delete_compile_info)(void*) = nullptr;
    Status (*execute)(gert::OpExecuteContext*) = nullptr;
    Status (*prepare)(gert::OpExecutePrepareContext*) = nullptr;
    Status (*launch)(gert::OpExecuteLaunchContext*) = nullptr;
    uint64_t null_stages = 0; // of a pair that is none: 1 the prepare function is null, 2 the launch function
    // Kept, and called by nobody here: they belong to compiling graphs.
    Status (*gen_simplified_key)(gert::TilingContext*, char*) = nullptr;
    Status (*infer_format)(gert::InferFormatContext*) = nullptr;
    Status (*calc_op_param)(gert::ExeResGenerationContext*) = nullptr;
    Status (*generate_task)(const gert::ExeResGenerationContext*, std::vector<std::vector<uint8_t>>&) = nullptr;
    Status (*check_support)(const gert::OpCheckContext*, ge::AscendString&) = nullptr;
    Status (*op_select_format)(const gert::OpCheckContext*, ge::AscendString&) = nullptr;
    void (*exception_dump)(rtExceptionInfo*, void*) = nullptr;

    uint64_t max_tiling_data_size = 0;
    uint64_t inputs_data_dependency = 0; // masks: bit i is input i of the prototype
    uint64_t tiling_inputs_data_dependency = 0;
    uint64_t tiling_placements = 0;
    uint64_t host_inputs = 0;
    uint64_t output_shape_depend_on_compute = 0;
    uint64_t nullable_outputs = 0;
    struct PrivateAttr {
        std::string name, json; // of the default; empty: required
    };
    std::vector<PrivateAttr> private_attrs;

    // Takes what is set in the other; the last one counts.
    void merge(const Functions& other);
};

template <typename T> void take(T& mine, const T& theirs) {
    if (theirs) mine = theirs;
}

inline void Functions::merge(const Functions& other) {
    take(infer_shape, other.infer_shape);
    take(infer_shape_range, other.infer_shape_range);
    take(infer_data_type, other.infer_data_type);
    if (other.tiling != nullptr) {
        tiling = other.tiling;
        max_tiling_data_size = other.max_tiling_data_size;
    }
    take(device_tiling, other.device_tiling);
    if (other.tiling_parse != nullptr || other.old_tiling_parse != nullptr) { // with the object that it fills
        tiling_parse = other.tiling_parse;
        old_tiling_parse = other.old_tiling_parse;
        make_compile_info = other.make_compile_info;
        delete_compile_info = other.delete_compile_info;
    }
    take(execute, other.execute);
    if (other.prepare != nullptr && other.launch != nullptr) { // the pair counts as one
        prepare = other.prepare;
        launch = other.launch;
    }
    take(null_stages, other.null_stages);
    take(gen_simplified_key, other.gen_simplified_key);
    take(infer_format, other.infer_format);
    take(calc_op_param, other.calc_op_param);
    take(generate_task, other.generate_task);
    take(check_support, other.check_support);
    take(op_select_format, other.op_select_format);
    take(exception_dump, other.exception_dump);
    take(inputs_data_dependency, other.inputs_data_dependency);
    take(tiling_inputs_data_dependency, other.tiling_inputs_data_dependency);
    take(tiling_placements, other.tiling_placements);
    take(host_inputs, other.host_inputs);
    take(output_shape_depend_on_compute, other.output_shape_depend_on_compute);
    take(nullable_outputs, other.nullable_outputs);
    if (!other.private_attrs.empty()) private_attrs = other.private_attrs;
}

struct Row {
    std::string type;
    Functions functions;
    std::string prototype; // JSON of an OpDef; empty: there is none
    std::string configs;   // JSON of chips that were added from elsewhere, with commas
};

struct Registry {
    std::deque<Row> rows;
    std::string tiling_classes; // JSON of what REGISTER_TILING_DATA_CLASS said, with commas
    std::string description;

    Row& row(const std::string& type) {
        for (Row& each : rows) {
            if (each.type == type) return each;
        }
        rows.push_back(Row());
        rows.back().type = type;
        return rows.back();
    }
};

// The registry of this library.
inline ACLIMB_OP_OWN Registry& registry() {
    static Registry own;
    return own;
}

inline ACLIMB_OP_OWN std::string describe(const Row& row) {
    const Functions& f = row.functions;
    JsonObject out;
    out.add("type", row.type).add("infer_shape", f.infer_shape != nullptr).add("infer_shape_range", f.infer_shape_range != nullptr);
    out.add("infer_data_type", f.infer_data_type != nullptr).add("tiling", f.tiling != nullptr || static_cast<bool>(f.device_tiling));
    out.add("tiling_parse", f.tiling_parse != nullptr || f.old_tiling_parse != nullptr).add("execute", f.execute != nullptr);
    out.add("two_stage", f.prepare != nullptr).add("null_stages", f.null_stages);
    out.add("max_tiling_data_size", f.max_tiling_data_size);
    out.add("inputs_data_dependency", f.inputs_data_dependency).add("tiling_inputs_data_dependency", f.tiling_inputs_data_dependency);
    out.add("tiling_placements", f.tiling_placements).add("host_inputs", f.host_inputs);
    out.add("output_shape_depend_on_compute", f.output_shape_depend_on_compute).add("nullable_outputs", f.nullable_outputs);
    out.add_json("private_attrs", json_list(f.private_attrs, [](const Functions::PrivateAttr& each) {
                     return "[" + json(each.name) + (each.json.empty() ? "" : "," + each.json) + "]";
                 }));
    std::vector<std::string> unused;
    if (f.gen_simplified_key != nullptr) unused.push_back("GenSimplifiedKey");
    if (f.infer_format != nullptr) unused.push_back("InferFormat");
    if (f.calc_op_param != nullptr) unused.push_back("CalcOpParam");
    if (f.generate_task != nullptr) unused.push_back("GenerateTask");
    if (f.check_support != nullptr) unused.push_back("CheckSupport");
    if (f.op_select_format != nullptr) unused.push_back("OpSelectFormat");
    if (f.exception_dump != nullptr) unused.push_back("ExceptionDumpParseFunc");
    out.add("unused", unused);
    if (!row.prototype.empty()) out.add_json("prototype", row.prototype);
    out.add_json("configs", "[" + row.configs + "]");
    return out.text();
}

inline ACLIMB_OP_OWN const char* describe() {
    Registry& own = registry();
    JsonObject out;
    out.add_json("operators", json_list(own.rows, [](const Row& row) { return describe(row); }));
    out.add_json("tiling_classes", "[" + own.tiling_classes + "]");
    own.description = out.text();
    return own.description.c_str();
}
} // namespace op
} // namespace aclimb

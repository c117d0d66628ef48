// SPDX-License-Identifier: Apache-2.0
// An operator whose tiling logs and reports through every header that public host code does it with; `how` says through which.
#include <string>

#include "base/err_msg.h"
#include "common/util/error_manager/error_manager.h"
#include "register/op_def_registry.h"
#include "toolchain/slog.h"
#include "utils/log/asc_cpu_log.h"

// As projects do it: the log, with much around the sentence, then the report of the sentence alone.
#define LOG_AND_REPORT(FMT, ...)                                                                                                           \
    do {                                                                                                                                   \
        DlogSub(static_cast<int>(OP), "OP_TILING", DLOG_ERROR, "[%s] OpName:[%s] " #FMT, __func__, "Logs", __VA_ARGS__);                   \
        REPORT_INNER_ERR_MSG("EZ9999", FMT, __VA_ARGS__);                                                                                  \
    } while (0)

static void tell(const std::string& how) {
    if (how == "both") LOG_AND_REPORT("%d rows are too few", 3);
    if (how == "inner") REPORT_INNER_ERR_MSG("EZ9999", "no rows");
    if (how == "user") REPORT_USER_DEFINED_ERR_MSG("EU0001", "%s", "my own");
    if (how == "predefined")
        REPORT_PREDEFINED_ERR_MSG("EZ0001", std::vector<const char*>({"op", "why"}), std::vector<const char*>({"Logs", "x"}));
    if (how == "predefined alone") REPORT_PREDEFINED_ERR_MSG("EZ0002");
    if (how == "input") REPORT_INPUT_ERROR("E10001", std::vector<std::string>({"path", "errmsg"}), std::vector<std::string>({"/x"}));
    if (how == "env") REPORT_ENV_ERROR("E10002");
    if (how == "call") REPORT_CALL_ERROR("EZ9998", "call of %s", "x");
    if (how == "old inner") REPORT_INNER_ERROR("EZ9997", "old");
    if (how == "asc") ASC_CPU_LOG_ERROR("seen by %s\n", "all");
    if (how == "dlog") dlog_error(GE, "rank %d", 9);
    if (how == "record") DlogRecord(OP | RUN_LOG_MASK, DLOG_ERROR, "%s", std::string(5000, 'x').c_str());
    if (how == "twice") {
        dlog_error(GE, "first");
        dlog_error(GE, "second");
        dlog_error(GE, "second");
    }
}

static void quiet() {
    dlog_debug(OP, "a %d", 1);
    dlog_info(FE, "b");
    dlog_warn(ASCENDCL, "c");
    dlog_event(77, "d");
    Dlog(OP, DLOG_NULL, "nowhere");
    ASC_CPU_LOG_DEBUG("e");
    ASC_CPU_LOG_INFO("f %d", 2);
    ASC_CPU_LOG_WARNING("g");
}

static ge::graphStatus tile(gert::TilingContext* context) {
    const std::string how = context->GetAttrs()->GetStr(0);
    context->SetBlockDim(1);
    if (how != "quiet") tell(how);
    else quiet();
    return how == "quiet" ? ge::GRAPH_SUCCESS : ge::GRAPH_FAILED;
}
static ge::graphStatus same(gert::InferShapeContext* context) {
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return ge::GRAPH_SUCCESS;
}

namespace ops {
class Logs : public OpDef {
  public:
    explicit Logs(const char* name) : OpDef(name) {
        this->Input("x").DataType({ge::DT_FLOAT});
        this->Output("y").DataType({ge::DT_FLOAT});
        this->Attr("how").AttrType(OPTIONAL).String("quiet");
        this->SetInferShape(same);
        this->AICore().SetTiling(tile);
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(Logs);
} // namespace ops

// Outside of any callback.
extern "C" __attribute__((visibility("default"))) void say_outside(const char* how) { tell(how); }
extern "C" __attribute__((visibility("default"))) int check_level(int level) { return CheckLogLevel(OP, level); }
extern "C" __attribute__((visibility("default"))) int get_level(int* event) { return dlog_getlevel(OP, event); }

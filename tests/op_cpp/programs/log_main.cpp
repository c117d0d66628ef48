// SPDX-License-Identifier: Apache-2.0
// A program that logs and reports outside of any operator.
#include <cstdio>

#include "acl/acl.h"
#include "base/err_msg.h"
#include "toolchain/slog.h"

int main() {
    dlog_warn(OP, "%d blocks", 7);
    dlog_debug(OP, "hidden");
    REPORT_INNER_ERR_MSG("EZ9999", "no %s", "rows");
    const char* text = aclGetRecentErrMsg();
    std::printf("%s|%d%d|", text != nullptr ? text : "nothing", CheckLogLevel(OP, DLOG_INFO), CheckLogLevel(OP, DLOG_ERROR));
    std::printf("%s\n", aclGetRecentErrMsg() != nullptr ? "again" : "once");
    return 0;
}

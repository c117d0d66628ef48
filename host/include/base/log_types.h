// SPDX-License-Identifier: Apache-2.0
// Levels and modules of the log that dlog_pub.h writes.
#pragma once
#include <cstdint>

#define DLOG_DEBUG 0x0
#define DLOG_INFO 0x1
#define DLOG_WARN 0x2
#define DLOG_ERROR 0x3
#define DLOG_NULL 0x4   // nothing is written
#define DLOG_EVENT 0x10 // aclimb logs it as INFO

// Marks beside the module's number, which choose a directory of the real log; aclimb has one log.
#define DEBUG_LOG_MASK 0x00010000U
#define SECURITY_LOG_MASK 0x00100000U
#define RUN_LOG_MASK 0x01000000U
#define STDOUT_LOG_MASK 0x10000000U

// The modules that host code speaks for, with their published numbers.
#define ACLIMB_LOG_MODULES(ROW)                                                                                                            \
    ROW(HCCL, 3)                                                                                                                           \
    ROW(FMK, 4)                                                                                                                            \
    ROW(DVPP, 6)                                                                                                                           \
    ROW(RUNTIME, 7)                                                                                                                        \
    ROW(CCE, 8)                                                                                                                            \
    ROW(DRV, 10)                                                                                                                           \
    ROW(CCECPU, 25)                                                                                                                        \
    ROW(TEFUSION, 30)                                                                                                                      \
    ROW(PROFILING, 31)                                                                                                                     \
    ROW(APP, 33)                                                                                                                           \
    ROW(AICPU, 36)                                                                                                                         \
    ROW(FE, 39)                                                                                                                            \
    ROW(GE, 45)                                                                                                                            \
    ROW(ASCENDCL, 48)                                                                                                                      \
    ROW(TBE, 57)                                                                                                                           \
    ROW(TUNE, 60)                                                                                                                          \
    ROW(OP, 63)                                                                                                                            \
    ROW(ASCENDCKERNEL, 69)

enum {
#define ACLIMB_LOG_MODULE(name, number) name = number,
    ACLIMB_LOG_MODULES(ACLIMB_LOG_MODULE)
#undef ACLIMB_LOG_MODULE
};

/* SPDX-License-Identifier: Apache-2.0 */
/* The whole runtime below acl. */
#pragma once
#include "runtime/base.h"
#include "runtime/dev.h"
#include "runtime/kernel.h"
#include "runtime/mem.h"
#include "runtime/rt_ffts.h"
#include "runtime/stream.h"

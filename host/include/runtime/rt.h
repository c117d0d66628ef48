/* SPDX-License-Identifier: Apache-2.0 */
/* The whole runtime below acl. */
#pragma once
#include "base.h"
#include "dev.h"
#include "kernel.h"
#include "mem.h"
#include "rt_ffts.h"
#include "stream.h"

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "graph/error_codes.h"

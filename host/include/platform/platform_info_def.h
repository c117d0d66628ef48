// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "platform/platform_infos_def.h"

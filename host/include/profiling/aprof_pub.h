/* SPDX-License-Identifier: Apache-2.0 */
/* The name of newer toolkits for prof_api.h. */
#pragma once
#include "prof_api.h"

// SPDX-License-Identifier: Apache-2.0
#pragma once
#define IN_FOLDER 4000

// SPDX-License-Identifier: Apache-2.0
#ifndef GAIN_TABLE_H
#define GAIN_TABLE_H
constexpr int GAIN_COUNT = 3;
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The version whose interfaces aclimb follows. Only the major number is known to be asked; the others follow its form. */
#pragma once

#define CANN_MAJOR 9
#define CANN_MINOR 0
#define CANN_PATCH 0
#define CANN_VERSION_STR "9.0.0"
#define CANN_VERSION_NUM 90000000
#define CANN_TIMESTAMP 0

# SPDX-License-Identifier: Apache-2.0
set(CMAKE_ASC_COMPILER_WORKS 1 CACHE INTERNAL "")

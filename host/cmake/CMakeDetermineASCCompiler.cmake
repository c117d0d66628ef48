# SPDX-License-Identifier: Apache-2.0
# The compiler of .asc sources is the bisheng of the prefix that this file lies in.
include(${CMAKE_ROOT}/Modules/CMakeDetermineCompiler.cmake)
get_filename_component(_asc_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT CMAKE_ASC_COMPILER)
  set(CMAKE_ASC_COMPILER "${_asc_root}/bin/bisheng" CACHE FILEPATH "Compiler of ASC sources")
endif()
mark_as_advanced(CMAKE_ASC_COMPILER)
if(NOT EXISTS "${CMAKE_ASC_COMPILER}")
  message(FATAL_ERROR "CMAKE_ASC_COMPILER is ${CMAKE_ASC_COMPILER}, which does not exist; `aclimb cmake-prefix` makes the folder it belongs to")
endif()
set(CMAKE_ASC_COMPILER_ENV_VAR "ASC")
include(CMakeFindBinUtils)
configure_file("${CMAKE_CURRENT_LIST_DIR}/CMakeASCCompiler.cmake.in" "${CMAKE_PLATFORM_INFO_DIR}/CMakeASCCompiler.cmake" @ONLY)

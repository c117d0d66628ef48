# SPDX-License-Identifier: Apache-2.0
# find_package(ASC): the language ASC for project(... LANGUAGES ASC CXX), the imported targets ascendcl and acl_rt, and the ascendc_*
# and npu_op_* functions. It may stand before project() or behind it, and more than once.
get_filename_component(_asc_file "${CMAKE_CURRENT_LIST_FILE}" REALPATH) # projects find it under several names
get_filename_component(ASC_CMAKE_DIR "${_asc_file}" DIRECTORY)
get_filename_component(ASC_ROOT "${ASC_CMAKE_DIR}/../../.." ABSOLUTE)
unset(_asc_file)
list(FIND CMAKE_MODULE_PATH "${ASC_CMAKE_DIR}" _asc_at)
if(_asc_at EQUAL -1)
  list(APPEND CMAKE_MODULE_PATH "${ASC_CMAKE_DIR}")
endif()
unset(_asc_at)

# What links to one of these becomes a program that Python can load (host/src/start.c). Older code calls the library ascendcl.
foreach(_asc_name ascendcl acl_rt)
  if(NOT TARGET ${_asc_name})
    add_library(${_asc_name} UNKNOWN IMPORTED GLOBAL)
    set_target_properties(${_asc_name} PROPERTIES
      IMPORTED_LOCATION "${ASC_ROOT}/lib64/libascendcl.so"
      INTERFACE_INCLUDE_DIRECTORIES "${ASC_ROOT}/include")
  endif()
endforeach()
unset(_asc_name)

include("${ASC_CMAKE_DIR}/ascendc_functions.cmake")
include("${ASC_CMAKE_DIR}/npu_op_functions.cmake")

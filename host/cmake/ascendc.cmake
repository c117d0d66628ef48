# SPDX-License-Identifier: Apache-2.0
# include(.../ascendc.cmake): ascendc_library and its relatives in a project of C++, behind project().
get_filename_component(_ascendc_here "${CMAKE_CURRENT_LIST_DIR}" REALPATH)
include("${_ascendc_here}/ASCConfig.cmake")
string(TOLOWER "${SOC_VERSION}" _ascendc_soc) # projects write it in small letters, too
if(_ascendc_soc AND NOT _ascendc_soc MATCHES "^ascend910(b|_93)")
  message(FATAL_ERROR "SOC_VERSION is ${SOC_VERSION}; aclimb models Ascend910B... (Atlas A2) and Ascend910_93... (Atlas A3)")
endif()
if(RUN_MODE AND NOT RUN_MODE MATCHES "^(npu|cpu|sim)$")
  message(FATAL_ERROR "RUN_MODE is ${RUN_MODE}; it takes npu, cpu or sim, which are the same here")
endif()
get_property(_ascendc_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if(NOT "ASC" IN_LIST _ascendc_languages)
  enable_language(ASC)
endif()

# SPDX-License-Identifier: Apache-2.0
function(opbuild)
  cmake_parse_arguments(GIVEN "" "OUT_DIR" "OPS_SRC" ${ARGN})
  execute_process(
    COMMAND ${CMAKE_CXX_COMPILER} -fPIC -shared -std=c++11 ${GIVEN_OPS_SRC} -D_GLIBCXX_USE_CXX11_ABI=0
            -I ${ASCEND_CANN_PACKAGE_PATH}/include -L ${ASCEND_CANN_PACKAGE_PATH}/lib64 -lexe_graph -lregister -ltiling_api
            -o ${GIVEN_OUT_DIR}/libascend_all_ops.so
    COMMAND_ERROR_IS_FATAL ANY)
  execute_process(
    COMMAND ${ASCEND_CANN_PACKAGE_PATH}/toolkit/tools/opbuild/op_build ${GIVEN_OUT_DIR}/libascend_all_ops.so ${GIVEN_OUT_DIR}
    COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(add_ops_compile_options op_type)
  cmake_parse_arguments(GIVEN "" "" "COMPUTE_UNIT;OPTIONS" ${ARGN})
  file(APPEND ${ASCEND_AUTOGEN_PATH}/options.txt "${op_type},${GIVEN_COMPUTE_UNIT},${GIVEN_OPTIONS}\n")
endfunction()

function(add_bin_compile_target)
  cmake_parse_arguments(GIVEN "" "COMPUTE_UNIT;IMPL_DIR;OUT_DIR" "" ${ARGN})
  file(MAKE_DIRECTORY ${GIVEN_OUT_DIR}/src ${GIVEN_OUT_DIR}/gen ${GIVEN_OUT_DIR}/bin)
  execute_process(
    COMMAND python3 ${CMAKE_SOURCE_DIR}/cmake/util/scripts.py ${ASCEND_AUTOGEN_PATH} ${GIVEN_COMPUTE_UNIT} ${GIVEN_OUT_DIR}
    COMMAND_ERROR_IS_FATAL ANY)
  add_custom_target(${GIVEN_COMPUTE_UNIT}_sources COMMAND cp ${GIVEN_IMPL_DIR}/*.* ${GIVEN_OUT_DIR}/src)
  file(GLOB scripts ${GIVEN_OUT_DIR}/gen/*.sh)
  foreach(script IN LISTS scripts)
    get_filename_component(name ${script} NAME_WE)
    add_custom_target(${GIVEN_COMPUTE_UNIT}_${name} ALL COMMAND bash ${script})
    add_dependencies(${GIVEN_COMPUTE_UNIT}_${name} ${GIVEN_COMPUTE_UNIT}_sources)
  endforeach()
  install(DIRECTORY ${GIVEN_OUT_DIR}/bin/ DESTINATION ${PACKAGE}/op_impl/ai_core/tbe/kernel/${GIVEN_COMPUTE_UNIT})
endfunction()

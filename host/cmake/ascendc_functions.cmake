# SPDX-License-Identifier: Apache-2.0
# ascendc_library(kernels STATIC|SHARED a.cpp ...) and what belongs to it: kernels that are launched through ACLRT_LAUNCH_KERNEL.
include_guard(GLOBAL)

# The launch functions aclrtlaunch_<kernel> go into the library, their headers into <build>/include/<target>; a consumer links the target.
function(ascendc_library target type)
  if(NOT type MATCHES "^(STATIC|SHARED)$")
    message(FATAL_ERROR "ascendc_library(${target} ${type} ...): the second word is STATIC or SHARED")
  endif()
  _ascendc_language()
  set(headers "${CMAKE_BINARY_DIR}/include/${target}")
  set(stamp "${CMAKE_CURRENT_BINARY_DIR}/${target}_launch_headers.stamp")
  _ascendc_sources(sources ${ARGN})
  add_library(${target} ${type} ${sources})
  set_source_files_properties(${sources} PROPERTIES LANGUAGE ASC)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON LINKER_LANGUAGE ASC)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:ASC>:--aclimb-launch-functions>)
  target_compile_options(${target} INTERFACE -fPIC)
  target_include_directories(${target} INTERFACE "$<BUILD_INTERFACE:${headers}>" "$<INSTALL_INTERFACE:include/${target}>")
  target_include_directories(${target} SYSTEM PUBLIC "${ASC_ROOT}/include")
  target_link_libraries(${target} PUBLIC ascendcl)
  # Consumers need the headers before they compile, so they come from a command of their own.
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(folders "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  add_custom_command(
    OUTPUT "${stamp}"
    COMMAND "${ASC_ROOT}/bin/bisheng" --aclimb-launch-headers=${headers} "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
            "$<$<BOOL:${folders}>:-I$<JOIN:${folders},;-I>>" -x asc ${sources}
    COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
    DEPENDS ${sources}
    COMMAND_EXPAND_LISTS VERBATIM
    COMMENT "Launch headers of ${target}")
  target_sources(${target} PRIVATE "${stamp}")
  install(TARGETS ${target} LIBRARY DESTINATION lib ARCHIVE DESTINATION lib)
  install(DIRECTORY "${headers}/" DESTINATION include/${target})
endfunction()

# One <target>.o for aclrtBinaryLoadFromFile.
function(ascendc_fatbin_library target)
  _ascendc_sources(sources ${ARGN})
  set(image "${CMAKE_CURRENT_BINARY_DIR}/${target}.o")
  add_custom_target(${target} ALL DEPENDS "${image}")
  set_property(TARGET ${target} PROPERTY COMPILE_OPTIONS "") # CMake 3.16 gives it those of the folder, which no command can use
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(folders "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  add_custom_command(
    OUTPUT "${image}"
    COMMAND "${ASC_ROOT}/bin/bisheng" --cce-aicore-only --npu-arch=dav-2201 "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
            "$<$<BOOL:${folders}>:-I$<JOIN:${folders},;-I>>" "$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>" -c -x asc ${sources} -o "${image}"
    DEPENDS ${sources}
    COMMAND_EXPAND_LISTS VERBATIM
    COMMENT "Device image ${target}.o")
  install(FILES "${image}" DESTINATION fatbin/${target})
endfunction()

function(ascendc_compile_definitions target)
  _ascendc_words(words ${ARGN})
  list(TRANSFORM words REPLACE "^-D" "") # as target_compile_definitions takes them
  set_property(TARGET ${target} APPEND PROPERTY COMPILE_DEFINITIONS ${words})
endfunction()

function(ascendc_include_directories target)
  _ascendc_words(words ${ARGN})
  set(folders "")
  foreach(folder IN LISTS words)
    get_filename_component(folder "${folder}" ABSOLUTE)
    list(APPEND folders "${folder}")
  endforeach()
  set_property(TARGET ${target} APPEND PROPERTY INCLUDE_DIRECTORIES ${folders})
endfunction()

# What stands behind -forward-options-to-host-compiler is for the host part alone, what stands before it for the device.
function(ascendc_compile_options target)
  _ascendc_words(words ${ARGN})
  list(FIND words "-forward-options-to-host-compiler" at)
  set(device ${words})
  set(host "")
  if(NOT at EQUAL -1)
    list(LENGTH words count)
    set(device "")
    if(at GREATER 0)
      list(SUBLIST words 0 ${at} device)
    endif()
    math(EXPR behind "${at} + 1")
    if(behind LESS count)
      list(SUBLIST words ${behind} -1 host)
    endif()
  endif()
  set(options "")
  if(device)
    list(APPEND options -Xaicore-start ${device} -Xaicore-end)
  endif()
  if(host)
    list(APPEND options -Xhost-start ${host} -Xhost-end)
  endif()
  # As one text with SHELL:, because CMake drops a second -Xhost-start as a repetition.
  string(REPLACE ";" " " options "${options}")
  get_target_property(kind ${target} TYPE)
  if(kind STREQUAL "UTILITY")
    separate_arguments(options)
    set_property(TARGET ${target} APPEND PROPERTY COMPILE_OPTIONS ${options})
  else()
    target_compile_options(${target} PRIVATE "SHELL:${options}")
  endif()
endfunction()

macro(_ascendc_language)
  get_property(_ascendc_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "ASC" IN_LIST _ascendc_languages)
    message(FATAL_ERROR "ascendc_library needs the language ASC: include(ascendc.cmake) enables it, or project(... LANGUAGES ASC CXX)")
  endif()
endmacro()

function(_ascendc_sources out)
  set(found "")
  foreach(source IN LISTS ARGN)
    get_filename_component(source "${source}" ABSOLUTE)
    if(NOT EXISTS "${source}")
      message(FATAL_ERROR "kernel source ${source} does not exist")
    endif()
    list(APPEND found "${source}")
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

function(_ascendc_words out)
  set(words ${ARGN})
  list(REMOVE_ITEM words PRIVATE PUBLIC)
  set(${out} ${words} PARENT_SCOPE)
endfunction()

# SPDX-License-Identifier: Apache-2.0
# onnxfold_build_number(<target> <source>): makes "onnxfold/onnx/driver/BuildNumber.inc", which <source> includes. It is made
# anew, and the source compiled again, when a source of a library that computes, the compiler or its flags change.
function(onnxfold_build_number target source)
  set(folders widenum elements symbolic constprop onnx)
  set(list ${CMAKE_CURRENT_BINARY_DIR}/build-number-sources.txt)
  set(output ${ONNXFOLD_GENERATED_DIR}/onnxfold/onnx/driver/BuildNumber.inc)
  set(patterns)
  foreach(folder IN LISTS folders)
    foreach(ending cpp h inc def td)
      list(APPEND patterns ${PROJECT_SOURCE_DIR}/${folder}/*.${ending})
    endforeach()
  endforeach()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${patterns})
  list(SORT sources)
  set(names)
  foreach(path IN LISTS sources)
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${path})
    string(APPEND names "${name}\n")
  endforeach()
  file(CONFIGURE OUTPUT ${list} CONTENT "${names}" @ONLY)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  string(JOIN "|" seed ${PROJECT_VERSION} ${CMAKE_SYSTEM_PROCESSOR} ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}
    "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}" ${LLVM_PACKAGE_VERSION} ${Protobuf_VERSION})
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DSEED=${seed}" -DLIST=${list} -DROOT=${PROJECT_SOURCE_DIR} -DOUTPUT=${output}
            -P ${PROJECT_SOURCE_DIR}/cmake/BuildNumber.cmake
    DEPENDS ${sources} ${list} ${PROJECT_SOURCE_DIR}/cmake/BuildNumber.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
  set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
    OBJECT_DEPENDS ${output})
endfunction()

# SPDX-License-Identifier: Apache-2.0
# The frame of the report's page (onnx/driver/report/page), made by tools/make_page.py with the libraries that
# tools/fetch-page-libraries.sh unpacks from Debian packages.

# Build folders beside build/ use the copy that is there.
set(page_libraries_default ${PROJECT_SOURCE_DIR}/build/third-party/page-libraries)
if(NOT EXISTS ${page_libraries_default})
  set(page_libraries_default ${PROJECT_BINARY_DIR}/third-party/page-libraries)
endif()
set(ONNXFOLD_PAGE_LIBRARIES ${page_libraries_default}
    CACHE PATH "Libraries of the report's page; fetched when absent")
if(NOT EXISTS ${ONNXFOLD_PAGE_LIBRARIES}/d3-hierarchy)
  execute_process(COMMAND ${PROJECT_SOURCE_DIR}/tools/fetch-page-libraries.sh ${ONNXFOLD_PAGE_LIBRARIES}
                  COMMAND_ERROR_IS_FATAL ANY)
endif()

find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)

# onnxfold_page(<target>): the target's sources may include PageHead.inc and PageTail.inc.
function(onnxfold_page target)
  set(folder ${ONNXFOLD_GENERATED_DIR}/onnxfold/onnx/driver)
  file(MAKE_DIRECTORY ${folder})
  file(GLOB parts CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/report/page/*)
  set(made ${folder}/PageHead.inc ${folder}/PageTail.inc)
  add_custom_command(OUTPUT ${made} VERBATIM
    COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tools/make_page.py ${CMAKE_CURRENT_SOURCE_DIR}/report/page
            ${ONNXFOLD_PAGE_LIBRARIES} ${made}
    DEPENDS ${parts} ${PROJECT_SOURCE_DIR}/tools/make_page.py)
  add_custom_target(${target}_page DEPENDS ${made})
  add_dependencies(${target} ${target}_page)
endfunction()

# SPDX-License-Identifier: Apache-2.0
# Programs without shared libraries: they run on every Linux of their architecture, and start in a tenth of the time.

include(CheckCXXSourceCompiles)
include(CMakeDependentOption)
set(CMAKE_REQUIRED_LINK_OPTIONS -static)
check_cxx_source_compiles("int main() { return 0; }" ONNXFOLD_CAN_LINK_STATIC)
unset(CMAKE_REQUIRED_LINK_OPTIONS)
cmake_dependent_option(ONNXFOLD_STATIC "Link what users run without any shared library" ON
  "ONNXFOLD_CAN_LINK_STATIC;NOT BUILD_SHARED_LIBS;NOT ONNXFOLD_SANITIZE" OFF)

# Debian has SLEEF as a shared library only, of which tools/static_object.py makes an object. An archive that
# SLEEF_LIBRARY names is taken as it is.
if(ONNXFOLD_STATIC AND NOT SLEEF_LIBRARY MATCHES "\\.a$")
  enable_language(ASM)
  find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
  set(sleef_source ${PROJECT_BINARY_DIR}/sleef.s)
  add_custom_command(OUTPUT ${sleef_source}
    COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tools/static_object.py ${SLEEF_LIBRARY} Sleef_cinz_
      ${sleef_source}
    DEPENDS ${PROJECT_SOURCE_DIR}/tools/static_object.py ${SLEEF_LIBRARY} VERBATIM)
  add_library(onnxfold_static_sleef STATIC EXCLUDE_FROM_ALL ${sleef_source})
  # Programs have the property, other libraries and programs the shared library.
  set_target_properties(onnxfold::sleef PROPERTIES INTERFACE_LINK_LIBRARIES
    "$<IF:$<BOOL:$<TARGET_PROPERTY:ONNXFOLD_STATIC>>,onnxfold_static_sleef,${SLEEF_LIBRARY}>")
endif()

# onnxfold_install_notices(<destination> <component>): what the static programs hold of others, with its licences.
function(onnxfold_install_notices destination component)
  find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
  set(notices ${PROJECT_BINARY_DIR}/THIRD-PARTY-NOTICES)
  install(CODE "execute_process(COMMAND \"${Python3_EXECUTABLE}\" -B \"${PROJECT_SOURCE_DIR}/tools/make_notices.py\"
    \"${PROJECT_BINARY_DIR}/third-party\" \"${notices}\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT ${component})
  install(FILES ${notices} DESTINATION ${destination} COMPONENT ${component})
endfunction()

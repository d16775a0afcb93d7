# SLEEF for programs without shared libraries. An archive that SLEEF_LIBRARY names is taken as it is; Debian has the shared
# library only, of which tools/static_object.py makes an object.

if(NOT SLEEF_LIBRARY MATCHES "\\.a$")
  enable_language(ASM)
  find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
  set(sleef_source ${PROJECT_BINARY_DIR}/sleef.s)
  add_custom_command(OUTPUT ${sleef_source}
    COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tools/static_object.py ${SLEEF_LIBRARY} Sleef_cinz_
      ${sleef_source}
    DEPENDS ${PROJECT_SOURCE_DIR}/tools/static_object.py ${SLEEF_LIBRARY} VERBATIM)
  set_source_files_properties(${sleef_source} PROPERTIES LANGUAGE ASM SKIP_UNITY_BUILD_INCLUSION ON)
  add_library(onnxfold_static_sleef STATIC ${sleef_source})
  set_target_properties(onnxfold::sleef PROPERTIES INTERFACE_LINK_LIBRARIES onnxfold_static_sleef)
endif()

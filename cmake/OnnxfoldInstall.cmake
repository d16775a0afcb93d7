# SPDX-License-Identifier: Apache-2.0
# cmake --install: tools, libraries, headers, and a package for find_package(onnxfold). Each library is
# installed as a component of its name (cmake/OnnxfoldLibrary.cmake); the rest is `tools` and `package`:
#   cmake --install build --component elements
include(CMakePackageConfigHelpers)

foreach(tool onnx-fold onnx-to-dml dml-to-onnx onnx-run fold-opt fold-run stablehlo-fold)
  if(TARGET ${tool})
    install(TARGETS ${tool} COMPONENT tools)
  endif()
endforeach()

# onnx-run-dml, which is Python: beside onnx-to-dml, with its modules in share/onnx-fold.
if(TARGET onnx-to-dml)
  set(onnxfold_run_dml ${CMAKE_INSTALL_DATAROOTDIR}/onnx-fold/run-dml)
  file(RELATIVE_PATH ONNXFOLD_RUN_DML ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_PREFIX}/${onnxfold_run_dml})
  configure_file(${PROJECT_SOURCE_DIR}/tools/run-dml/onnx-run-dml.in ${PROJECT_BINARY_DIR}/installed-onnx-run-dml @ONLY)
  file(GLOB run_dml_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/run-dml/*.py ${PROJECT_SOURCE_DIR}/tools/run-dml/*.java)
  set(run_dml_components run_dml)
  if(ONNXFOLD_STATIC)
    list(APPEND run_dml_components release)
  endif()
  foreach(component ${run_dml_components})
    install(PROGRAMS ${PROJECT_BINARY_DIR}/installed-onnx-run-dml RENAME onnx-run-dml
      DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${component})
    install(FILES ${run_dml_files} DESTINATION ${onnxfold_run_dml} COMPONENT ${component})
  endforeach()
endif()

# The Debian package of a release (tools/make-release.sh): the programs that stand alone.
if(ONNXFOLD_STATIC)
  foreach(tool onnx-fold onnx-to-dml dml-to-onnx)
    if(TARGET ${tool})
      install(TARGETS ${tool} COMPONENT release)
    endif()
  endforeach()
  install(TARGETS onnxfold_c COMPONENT release)
  install(FILES ${PROJECT_SOURCE_DIR}/capi/onnx_fold.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT release)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/onnx-fold COMPONENT release)
  onnxfold_install_notices(${CMAKE_INSTALL_DATAROOTDIR}/doc/onnx-fold release)
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_NAME onnx-fold)
  set(CPACK_PACKAGE_CONTACT "the authors of onnx-fold")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "constant folding of ONNX models")
  set(CPACK_STRIP_FILES ON)
  set(CPACK_COMPONENTS_ALL release)
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION science)
  # Of libonnxfold.so; the programs need nothing.
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libc6, libstdc++6, libprotobuf32, libre2-9, libsleef3, zlib1g")
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-numpy, openjdk-17-jdk-headless") # of onnx-run-dml
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
    set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
  endif()
  include(CPack)
endif()

set(onnxfold_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/onnxfold)
get_property(components GLOBAL PROPERTY ONNXFOLD_COMPONENTS)
get_property(needs GLOBAL PROPERTY ONNXFOLD_NEEDS)
string(REPLACE ";" " " components "${components}")
file(CONFIGURE OUTPUT onnxfoldComponents.cmake @ONLY CONTENT
  "# The components, and what each stands on. Made from the dependencies of the targets.
set(onnxfold_components @components@)
@needs@")
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/onnxfoldConfig.cmake.in
  ${PROJECT_BINARY_DIR}/onnxfoldConfig.cmake INSTALL_DESTINATION ${onnxfold_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/onnxfoldConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/onnxfoldConfig.cmake
  ${PROJECT_BINARY_DIR}/onnxfoldConfigVersion.cmake ${PROJECT_BINARY_DIR}/onnxfoldComponents.cmake
  ${PROJECT_SOURCE_DIR}/cmake/OnnxfoldDependencies.cmake
  DESTINATION ${onnxfold_package_dir} COMPONENT package)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT package)

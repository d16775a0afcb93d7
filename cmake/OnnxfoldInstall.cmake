# cmake --install: tools, libraries, headers, and a package for find_package(onnxfold).
include(CMakePackageConfigHelpers)

foreach(tool onnx-fold fold-opt)
  if(TARGET ${tool})
    install(TARGETS ${tool})
  endif()
endforeach()

set(onnxfold_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/onnxfold)
install(EXPORT onnxfoldTargets NAMESPACE onnxfold:: DESTINATION ${onnxfold_package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/onnxfoldConfig.cmake.in
  ${PROJECT_BINARY_DIR}/onnxfoldConfig.cmake INSTALL_DESTINATION ${onnxfold_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/onnxfoldConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/onnxfoldConfig.cmake
  ${PROJECT_BINARY_DIR}/onnxfoldConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/OnnxfoldDependencies.cmake DESTINATION ${onnxfold_package_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

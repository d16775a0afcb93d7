# SPDX-License-Identifier: Apache-2.0
# The Python wheel (pyproject.toml): its script onnx-fold is the program.
#   pip wheel .
#   pip wheel . --config-settings=cmake.define.ONNXFOLD_PROGRAM=$PWD/build/bin/onnx-fold    # of a program that is built already
# Shell completion and the manual page are in share/ of the environment that the wheel is installed in.
if(ONNXFOLD_PROGRAM)
  add_custom_target(onnx-fold)
  install(PROGRAMS ${ONNXFOLD_PROGRAM} DESTINATION ${SKBUILD_SCRIPTS_DIR} RENAME onnx-fold COMPONENT wheel)
  # Of an archive of the release; a program that somebody else built may have none.
  cmake_path(REPLACE_FILENAME ONNXFOLD_PROGRAM THIRD-PARTY-NOTICES OUTPUT_VARIABLE notices)
  install(FILES ${notices} DESTINATION ${SKBUILD_METADATA_DIR}/licenses COMPONENT wheel OPTIONAL)
  # Beside the program of an archive, or in its build folder.
  cmake_path(REPLACE_FILENAME ONNXFOLD_PROGRAM share OUTPUT_VARIABLE share)
  if(NOT EXISTS ${share})
    cmake_path(REPLACE_FILENAME ONNXFOLD_PROGRAM ../options/share OUTPUT_VARIABLE share)
  endif()
else()
  install(TARGETS onnx-fold RUNTIME DESTINATION ${SKBUILD_SCRIPTS_DIR} COMPONENT wheel)
  if(ONNXFOLD_STATIC)
    onnxfold_install_notices(${SKBUILD_METADATA_DIR}/licenses wheel)
  endif()
  get_property(share GLOBAL PROPERTY ONNXFOLD_SHARE)
endif()
install(DIRECTORY ${share}/ DESTINATION ${SKBUILD_DATA_DIR}/share COMPONENT wheel OPTIONAL
  FILES_MATCHING PATTERN onnx-fold PATTERN _onnx-fold PATTERN onnx-fold.fish PATTERN onnx-fold.1)

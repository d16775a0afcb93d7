# The Python wheel (pyproject.toml): its script onnx-fold is the program.
#   pip wheel .
#   pip wheel . --config-settings=cmake.define.ONNXFOLD_PROGRAM=$PWD/build/bin/onnx-fold    # of a program that is built already
if(ONNXFOLD_PROGRAM)
  add_custom_target(onnx-fold)
  install(PROGRAMS ${ONNXFOLD_PROGRAM} DESTINATION ${SKBUILD_SCRIPTS_DIR} RENAME onnx-fold COMPONENT wheel)
else()
  install(TARGETS onnx-fold RUNTIME DESTINATION ${SKBUILD_SCRIPTS_DIR} COMPONENT wheel)
endif()

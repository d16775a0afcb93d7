//===- Main.cpp - onnx-fold -----------------------------------------------===//

#include "Tool.h"

int main(int argc, char **argv) { return onnxfold::runTool(argc, argv); }

//===- Main.cpp - onnx-fold -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Tool.h"

int main(int argc, char **argv) { return onnxfold::runTool(argc, argv); }

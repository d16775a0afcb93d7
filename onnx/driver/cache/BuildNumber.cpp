//===- BuildNumber.cpp - Which program this is ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/cache/internal/BuildNumber.h"

using namespace onnxfold;

ResultCache::Key onnxfold::buildNumber() {
#include "onnxfold/onnx/driver/BuildNumber.inc"
}

//===- BFloat16Builtins.cpp - What older libgcc lacks ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/programs/BFloat16Builtins.h"
#include "onnxfold/widenum/WideNum.h"
#include <bit>
#include <cstdint>

using namespace onnxfold;

static float asReturned(WideNum number) {
  uint16_t bits;
  number.store(DataType::BFloat16, &bits);
  return std::bit_cast<float>(uint32_t(bits));
}

float onnxfoldRoundFloat(float value) {
  return asReturned(WideNum::widen(value));
}

float onnxfoldRoundDouble(double value) {
  return asReturned(WideNum::widen(value));
}

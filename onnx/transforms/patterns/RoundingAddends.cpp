//===- RoundingAddends.cpp - Constants that round what they are added to --===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"
#include <cmath>

using namespace onnxfold;

int patterns::digitsOf(DataType type) {
  switch (type) {
  case DataType::Float16:
    return 11;
  case DataType::BFloat16:
    return 8;
  case DataType::Float64:
    return 53;
  default:
    return 24;
  }
}

bool patterns::addsToRound(const Elements &addend) {
  if (typeClass(addend.type()) != TypeClass::Float)
    return false;
  // Sums from this size and from twice as much on are multiples of 1/2 and of
  // 1.
  double least = std::ldexp(1, digitsOf(addend.type()) - 2);
  return ops::firstWhere<double>(
             ops::cast(addend, DataType::Float64),
             [=](double v) { return std::fabs(v) >= least; })
      .has_value();
}

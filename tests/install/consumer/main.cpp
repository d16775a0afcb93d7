//===- main.cpp - A program that uses the installed elements library ------===//
// SPDX-License-Identifier: Apache-2.0
//
// Prints 2 6 4 8: the transposed matrix, doubled, read through a view. Then 0: a
// product that is rounded, minus itself, which a fused multiply-add would make
// 2^-24.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Elementwise.h"
#include <cstdio>

using namespace onnxfold;
using namespace onnxfold::ops;

int main() {
  Elements x = Elements::fromValues<float>({2, 2}, {1, 2, 3, 4});
  Elements y = map(x.transpose({1, 0}), [](auto v) { return v * 2; });
  for (float value : y.values<float>())
    std::printf("%g ", value);
  Elements z = Elements::fromValues<float>({1}, {1 + 1 / 4096.f});
  z = map(z, [](auto v) { return v * v - decltype(v)(1 + 2 / 4096.f); });
  std::printf("%g\n", z.value<float>());
}

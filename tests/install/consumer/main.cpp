//===- main.cpp - A program that uses the installed elements library ------===//
//
// Prints 2 6 4 8: the transposed matrix, doubled, read through a view.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/Elementwise.h"
#include <cstdio>

using namespace onnxfold;

int main() {
  Elements x = Elements::fromValues<float>({2, 2}, {1, 2, 3, 4});
  Elements y = map(x.transpose({1, 0}), [](auto v) { return v * 2; });
  for (float value : y.values<float>())
    std::printf("%g ", value);
  std::printf("\n");
}

//===- RandomTensor.cpp - Numbers that are the same everywhere ------------===//

#include "onnxfold/onnx/verify/internal/RandomTensor.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include <complex>

using namespace onnxfold;
using namespace onnxfold::ops;
using llvm::StringRef;

static Elements randomStrings(ShapeRef shape, Random &random) {
  static const StringRef words[] = {"", "a", "onnx", "fold", "0.5", "17"};
  std::vector<StringRef> values(numElements(shape));
  for (StringRef &value : values)
    value = words[random.integer({0, std::size(words) - 1.0})];
  return Elements::fromStrings(shape, values);
}

Elements onnxfold::randomTensor(DataType type, ShapeRef shape,
                                NumberRange range, Random &random) {
  int64_t count = numElements(shape);
  if (type == DataType::String)
    return randomStrings(shape, random);
  if (isComplex(type)) {
    std::vector<std::complex<double>> values(count);
    for (auto &value : values)
      value = {random.real({-1, 1}), random.real({-1, 1})};
    return cast(Elements::fromValues<std::complex<double>>(shape, values),
                type);
  }
  if (isFloat(type)) {
    std::vector<double> values(count);
    for (double &value : values)
      value = random.real(range);
    return cast(Elements::fromValues<double>(shape, values), type);
  }
  std::vector<int64_t> values(count);
  for (int64_t &value : values)
    value = random.integer(range);
  return cast(Elements::fromValues<int64_t>(shape, values), type);
}

//===- EqualConstants.cpp - New constants that have one value -------------===//

#include "onnxfold/onnx/io/EqualConstants.h"
#include "onnxfold/elements/ElementsAttrBuilder.h"

using namespace onnxfold;
using namespace mlir;

EqualConstants::EqualConstants(ArrayRef<OnnxConstantOp> given) {
  std::vector<Elements> values;
  for (OnnxConstantOp constant : given) {
    indices[constant] = constants.size();
    constants.push_back(constant);
    values.push_back(fromAttribute(constant.getValue()));
  }
  equal = EqualValues(values);
}

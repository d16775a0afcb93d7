//===- ModelNumbers.cpp - The numbers that a model states -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/verify/internal/ModelNumbers.h"
#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Operator.h"
#include <set>

using namespace onnxfold;
using namespace mlir;

namespace {

class Collector {
public:
  void add(Operation *op);
  ModelNumbers take();

private:
  void addTensor(const Elements &value);
  void addAttribute(Attribute attribute);
  void addFloat(double value);
  void addInteger(int64_t value);
  void addSizes(ArrayRef<int64_t> list);
  void addText(StringRef text);

  static constexpr size_t most = 400; // of each kind
  static constexpr int64_t largestTensor = 4096, samples = 24;
  static constexpr int64_t largestSize = 1 << 20;

  ModelNumbers numbers;
  std::set<double> floats;
  std::set<int64_t> integers, sizes;
  std::set<std::string> texts;
};

} // namespace

void Collector::addFloat(double value) {
  if (floats.size() < most && floats.insert(value).second)
    numbers.floats.push_back(value);
}

void Collector::addInteger(int64_t value) {
  if (integers.size() < most && integers.insert(value).second)
    numbers.integers.push_back(value);
  addFloat(double(value));
}

void Collector::addText(StringRef text) {
  if (texts.size() < most && texts.insert(text.str()).second)
    numbers.texts.push_back(text.str());
}

/// Adds sizes that a dimension may need: of kernels, pads and the like.
void Collector::addSizes(ArrayRef<int64_t> list) {
  double product = 1;
  for (int64_t size : list) {
    if (size > 1 && size <= largestSize)
      sizes.insert(size);
    product *= size > 1 ? double(size) : 1;
  }
  if (product > 1 && product <= largestSize)
    sizes.insert(int64_t(product));
}

void Collector::addTensor(const Elements &value) {
  if (!value || value.type() == DataType::Opaque)
    return;
  addSizes(value.shape());
  if (value.size() == 0 || value.size() > largestTensor)
    return;
  if (value.type() == DataType::String) {
    for (StringRef text : value.values<StringRef>())
      addText(text);
    return;
  }
  if (isInteger(value.type())) {
    std::vector<int64_t> list =
        ops::cast(value, DataType::Int64).values<int64_t>();
    if (list.size() <= 16)
      addSizes(list);
    for (size_t i = 0; i < list.size(); i += 1 + list.size() / samples)
      addInteger(list[i]);
  } else if (isFloat(value.type())) {
    std::vector<double> list =
        ops::cast(value, DataType::Float64).values<double>();
    for (size_t i = 0; i < list.size(); i += 1 + list.size() / samples)
      if (!std::isnan(list[i]))
        addFloat(list[i]);
  }
}

void Collector::addAttribute(Attribute attribute) {
  if (auto value = dyn_cast<FloatAttr>(attribute))
    addFloat(value.getValueAsDouble());
  else if (auto value = dyn_cast<IntegerAttr>(attribute)) {
    if (value.getValue().getBitWidth() <= 64)
      addInteger(value.getValue().getSExtValue());
  } else if (auto value = dyn_cast<StringAttr>(attribute))
    addText(value.getValue());
  else if (auto list = dyn_cast<ArrayAttr>(attribute))
    llvm::for_each(list, [&](Attribute inner) { addAttribute(inner); });
  else if (auto list = dyn_cast<DenseI64ArrayAttr>(attribute)) {
    addSizes(list.asArrayRef());
    for (int64_t value : list.asArrayRef().take_front(64))
      addInteger(value);
  } else if (auto list = dyn_cast<DenseF32ArrayAttr>(attribute))
    for (float value : list.asArrayRef().take_front(64))
      addFloat(value);
  else if (isa<ElementsAttr>(attribute))
    addTensor(elementsOf(attribute));
}

void Collector::add(Operation *op) {
  if (auto constant = dyn_cast<OnnxConstantOp>(op))
    return addTensor(elementsOf(constant.getValue()));
  if (Operator onnxOp = Operator::from(op))
    for (NamedAttribute attribute : op->getDiscardableAttrs())
      addAttribute(attribute.getValue());
}

ModelNumbers Collector::take() {
  numbers.sizes.assign(sizes.begin(), sizes.end());
  return std::move(numbers);
}

ModelNumbers onnxfold::numbersOf(ArrayRef<ModuleOp> modules) {
  Collector collector;
  for (ModuleOp module : modules)
    module->walk([&](Operation *op) { collector.add(op); });
  return collector.take();
}

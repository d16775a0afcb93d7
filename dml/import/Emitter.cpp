//===- Emitter.cpp - Values of DML as tensors of a graph ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/Emitter.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold::dml;

std::string Emitter::real(const DmlValue &value) {
  if (value.isMatrix())
    return value.name;
  if (value.number)
    return graph.number(*value.number);
  return value.type == DmlValue::Double ? value.name
                                        : graph.cast(value.name, graph.real());
}

int64_t Emitter::toInteger(double number) {
  constexpr double beyond = 0x1p63;
  if (std::isnan(number))
    return 0;
  if (std::abs(number) < beyond)
    return int64_t(number);
  using Limits = std::numeric_limits<int64_t>;
  return number < 0 ? Limits::min() : Limits::max();
}

std::string Emitter::integer(const DmlValue &value) {
  if (value.number)
    return graph.integer(toInteger(*value.number));
  return value.type == DmlValue::Int
             ? value.name
             : graph.cast(value.name, onnx::TensorProto::INT64);
}

DmlValue Emitter::whole(const DmlValue &value) {
  if (value.number)
    return DmlValue::known(std::trunc(*value.number), DmlValue::Int);
  return value.type == DmlValue::Int
             ? value
             : DmlValue::scalar(integer(value), DmlValue::Int);
}

std::string Emitter::truth(const DmlValue &value) {
  if (value.number)
    return graph.truth(*value.number != 0);
  if (value.type == DmlValue::Boolean)
    return value.name;
  return graph.truthOf(real(value));
}

std::string Emitter::list(llvm::ArrayRef<DmlValue> sizes) {
  if (llvm::all_of(sizes, [](auto &one) { return one.number.has_value(); })) {
    llvm::SmallVector<int64_t> values;
    for (const DmlValue &one : sizes)
      values.push_back(*one.number);
    return graph.integers(values);
  }
  std::vector<std::string> parts;
  for (const DmlValue &one : sizes)
    parts.push_back(
        graph.node("Unsqueeze", {integer(one), graph.integers({0})}));
  return graph.node("Concat", parts, {{"axis", {0}}});
}

DmlValue Emitter::size(const DmlValue &matrix, int axis) {
  int64_t count = axis == 0 ? matrix.rows : matrix.columns;
  if (count >= 0)
    return DmlValue::known(count, DmlValue::Int);
  DmlValue value =
      DmlValue::scalar(graph.sizeOf(matrix.name, axis), DmlValue::Int);
  value.least = 1;
  return value;
}

DmlValue Emitter::shifted(const DmlValue &open, int64_t by) {
  std::string base = open.name;
  if (auto found = sums.find(base); found != sums.end()) {
    by += found->second.second;
    base = std::string(found->second.first);
  }
  if (by == 0)
    return DmlValue::scalar(base, DmlValue::Int);
  std::string step = graph.integer(std::abs(by));
  DmlValue made = DmlValue::scalar(
      graph.node(by > 0 ? "Add" : "Sub", {base, step}), DmlValue::Int);
  sums[made.name] = {base, by};
  return made;
}

DmlValue Emitter::select(const DmlValue &condition, const DmlValue &yes,
                         const DmlValue &no) {
  if (condition.number)
    return *condition.number != 0 ? yes : no;
  DmlValue value = joined(yes, no);
  if (!isOpen(value))
    return value;
  std::string test = truth(condition);
  if (value.isScalar() || (value.rows >= 0 && value.columns >= 0)) {
    std::string a = as(yes, value), b = as(no, value);
    value.name = graph.node("Where", {test, a, b});
    return value;
  }
  GraphBody *graphs[] = {&graph.newBody(), &graph.newBody()};
  for (int i : {0, 1}) {
    InBody inside(graph, *graphs[i]);
    const DmlValue &one = i == 0 ? yes : no;
    graph.addBodyOutput(as(one, value), elementType(value), bodySizes(one));
  }
  value.name = graph.branch(test, *graphs[0], *graphs[1]).front();
  return value;
}

std::string Emitter::as(const DmlValue &value, const DmlValue &other) {
  return other.type == DmlValue::Int       ? integer(value)
         : other.type == DmlValue::Boolean ? truth(value)
                                           : real(value);
}

int32_t Emitter::elementType(const DmlValue &value) const {
  return value.type == DmlValue::Int       ? onnx::TensorProto::INT64
         : value.type == DmlValue::Boolean ? onnx::TensorProto::BOOL
                                           : graph.real();
}

BodySizes Emitter::bodySizes(const DmlValue &value) {
  return value.isMatrix() ? std::vector<int64_t>{value.rows, value.columns}
                          : std::vector<int64_t>{};
}

DmlValue Emitter::standIn(const DmlValue &value) {
  DmlValue made = value;
  eachLeaf(made, [&](DmlValue &one) {
    if (one.isScalar() && !one.number)
      one = DmlValue::known(0, one.type);
    else if (one.isMatrix())
      one.name = graph.node(
          "Expand", {graph.number(0),
                     graph.integers({std::max<int64_t>(one.rows, 0),
                                     std::max<int64_t>(one.columns, 0)})});
    else if (one.type == DmlValue::Frame)
      one = unreadable(frameOfPaths);
    if (one.isMatrix()) {
      one.isCounting = false;
      one.text.clear();
    }
  });
  return made;
}

std::string Emitter::unusable(const std::string &like, std::string why) {
  std::string name = graph.node(randomOperator, {like});
  unusableNodes[name] = std::move(why);
  return name;
}

std::vector<std::string> Emitter::neededUnusable() const {
  std::vector<std::string> reasons;
  if (unusableNodes.empty())
    return reasons;
  for (const std::string &node : graph.neededNodes(randomOperator))
    if (auto found = unusableNodes.find(node); found != unusableNodes.end())
      reasons.push_back(found->second);
  return reasons;
}

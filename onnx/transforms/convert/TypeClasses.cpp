//===- TypeClasses.cpp - Values that change their type together -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/convert/internal/TypeClasses.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace onnxfold;
using namespace mlir;

DataType onnxfold::elementTypeOf(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor ? toDataType(tensor.getElementType()) : DataType::Undefined;
}

Type onnxfold::withElements(Type type, DataType elements) {
  auto tensor = cast<TensorType>(type);
  Type element = toElementType(elements, type.getContext());
  return cast<Type>(tensor.clone(element));
}

const TypePair *TypeClasses::pairOf(Type type) const {
  DataType element = elementTypeOf(type);
  for (const TypePair &pair : pairs)
    if (pair.from == element)
      return &pair;
  return nullptr;
}

TypeClasses::Id TypeClasses::make(const TypePair &pair) {
  classes.push_back({Id(classes.size()), &pair, std::nullopt});
  return classes.size() - 1;
}

TypeClasses::Id TypeClasses::root(Id id) const {
  while (classes[id].parent != id)
    id = classes[id].parent = classes[classes[id].parent].parent;
  return id;
}

void TypeClasses::join(Id a, Id b) {
  a = root(a);
  b = root(b);
  if (a == b)
    return;
  bool isOther = classes[a].pair != classes[b].pair;
  classes[b].parent = a;
  if (classes[b].kept)
    keep(a, *classes[b].kept);
  if (isOther)
    keep(a, "it has two element types");
}

void TypeClasses::keep(Id id, const Twine &why) {
  std::optional<std::string> &kept = classes[root(id)].kept;
  if (!kept)
    kept = why.str();
}

void TypeClasses::add(Value value, Id id) {
  auto [place, isNew] = values.try_emplace(value, id);
  if (!isNew)
    join(place->second, id);
}

void TypeClasses::add(OpOperand &use, Id id) {
  auto [place, isNew] = places.try_emplace(&use, id);
  if (!isNew)
    join(place->second, id);
}

std::optional<TypeClasses::Id> TypeClasses::of(Value value) const {
  auto place = values.find(value);
  return place == values.end() ? std::nullopt : std::optional(place->second);
}

std::optional<TypeClasses::Id> TypeClasses::of(OpOperand &use) const {
  auto place = places.find(&use);
  return place == places.end() ? std::nullopt : std::optional(place->second);
}

TypeClasses::Id TypeClasses::ofOrNew(Value value, const TypePair &pair) {
  if (std::optional<Id> id = of(value))
    return *id;
  Id id = make(pair);
  add(value, id);
  return id;
}

llvm::MapVector<TypeClasses::Id, TypeClasses::Members>
TypeClasses::members() const {
  llvm::MapVector<Id, Members> result;
  for (const auto &[value, id] : values)
    result[root(id)].values.push_back(value);
  for (const auto &[place, id] : places)
    result[root(id)].places.push_back(place);
  return result;
}

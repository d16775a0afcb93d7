//===- Operator.cpp - One ONNX operator in the IR -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/Operator.h"

#include "onnxfold/onnx/ir/OperatorDefinition.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace onnxfold;

bool onnxfold::isAbsent(Value value) { return isa<NoneType>(value.getType()); }

Operator Operator::from(Operation *operation) {
  const OperatorDefinition *definition =
      operation ? OperatorDefinition::of(operation->getName()) : nullptr;
  return definition ? Operator(operation, definition) : Operator();
}

OperatorProperties &Operator::properties() const {
  return OperatorDefinition::propertiesOf(operation);
}

//===----------------------------------------------------------------------===//
// Identity
//===----------------------------------------------------------------------===//

/// Part of the identity of an onnx.Custom: domain, operator, overload.
static StringRef customPart(const OperatorProperties &properties,
                            unsigned part) {
  return properties.customId
             ? cast<StringAttr>(properties.customId[part]).getValue()
             : StringRef();
}

bool Operator::isCustom() const { return definition->isCustom(); }

StringRef Operator::domain() const {
  return isCustom() ? customPart(properties(), 0) : definition->domain();
}

StringRef Operator::opType() const {
  return isCustom() ? customPart(properties(), 1) : definition->opType();
}

StringRef Operator::overload() const { return customPart(properties(), 2); }

int64_t Operator::since() const { return properties().since; }

const onnx::OpSchema *Operator::schema() const {
  if (isCustom())
    return nullptr;
  const SchemaEntry *entry = definition->version(since());
  return entry ? schemaOf(*entry) : nullptr;
}

//===----------------------------------------------------------------------===//
// Where it is in the file
//===----------------------------------------------------------------------===//

StringRef Operator::nodeName() const { return properties().name.get(); }

void Operator::setNodeName(StringRef name) {
  properties().name = StoredName(name, operation->getContext());
}

StringRef Operator::outputName(unsigned index) const {
  const auto &outputs = properties().outputs;
  return index < outputs.size() ? outputs[index].get() : StringRef();
}

void Operator::setOutputNames(ArrayRef<StringRef> names) {
  auto &outputs = properties().outputs;
  outputs.clear();
  outputs.reserve(names.size());
  for (StringRef name : names)
    outputs.push_back(StoredName(name, operation->getContext()));
}

std::optional<int64_t> Operator::node() const {
  int64_t node = properties().node;
  return node >= 0 ? std::optional(node) : std::nullopt;
}

void Operator::setNode(std::optional<int64_t> ordinal) {
  properties().node = ordinal.value_or(-1);
}

DictionaryAttr Operator::annotations() const {
  return properties().annotations;
}

void Operator::setAnnotations(DictionaryAttr annotations) {
  properties().annotations = annotations;
}

Value Operator::input(unsigned index) const {
  if (index >= operation->getNumOperands())
    return {};
  Value value = operation->getOperand(index);
  return isAbsent(value) ? Value() : value;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

Attribute Operator::attribute(StringRef name) const {
  return operation->getDiscardableAttr(name);
}

bool Operator::hasReferences() const {
  return llvm::any_of(
      operation->getDiscardableAttrDictionary(),
      [](auto attribute) { return isa<OnnxRefAttr>(attribute.getValue()); });
}

std::optional<int64_t> Operator::getInt(StringRef name) const {
  auto value = dyn_cast_or_null<IntegerAttr>(attribute(name));
  return value ? std::optional(value.getInt()) : std::nullopt;
}

int64_t Operator::getInt(StringRef name, int64_t byDefault) const {
  return getInt(name).value_or(byDefault);
}

std::optional<float> Operator::getFloat(StringRef name) const {
  auto value = dyn_cast_or_null<FloatAttr>(attribute(name));
  if (!value || !value.getType().isF32())
    return std::nullopt;
  return value.getValue().convertToFloat();
}

float Operator::getFloat(StringRef name, float byDefault) const {
  return getFloat(name).value_or(byDefault);
}

std::optional<StringRef> Operator::getString(StringRef name) const {
  auto value = dyn_cast_or_null<StringAttr>(attribute(name));
  return value ? std::optional(value.getValue()) : std::nullopt;
}

StringRef Operator::getString(StringRef name, StringRef byDefault) const {
  return getString(name).value_or(byDefault);
}

/// A list, from a dense array or, if it is long, from an ElementsAttr.
template <typename T, typename DenseArray>
static std::optional<SmallVector<T>> listOf(Attribute attribute) {
  if (auto array = dyn_cast_or_null<DenseArray>(attribute))
    return llvm::to_vector(array.asArrayRef());
  auto elements = dyn_cast_or_null<ElementsAttr>(attribute);
  if (!elements || elements.getShapedType().getRank() != 1)
    return std::nullopt;
  if (auto values = elements.tryGetValues<T>())
    return llvm::to_vector(*values);
  return std::nullopt;
}

std::optional<SmallVector<int64_t>> Operator::getInts(StringRef name) const {
  return listOf<int64_t, DenseI64ArrayAttr>(attribute(name));
}

std::optional<SmallVector<float>> Operator::getFloats(StringRef name) const {
  return listOf<float, DenseF32ArrayAttr>(attribute(name));
}

std::optional<SmallVector<StringRef>>
Operator::getStrings(StringRef name) const {
  if (auto elements = dyn_cast_or_null<ElementsAttr>(attribute(name)))
    if (auto values = elements.tryGetValues<StringRef>())
      return llvm::to_vector(*values);
  auto array = dyn_cast_or_null<ArrayAttr>(attribute(name));
  if (!array || !llvm::all_of(array, llvm::IsaPred<StringAttr>))
    return std::nullopt;
  return llvm::map_to_vector(array, [](Attribute element) {
    return cast<StringAttr>(element).getValue();
  });
}

ElementsAttr Operator::getTensor(StringRef name) const {
  return dyn_cast_or_null<ElementsAttr>(attribute(name));
}

Type Operator::getType(StringRef name) const {
  auto value = dyn_cast_or_null<TypeAttr>(attribute(name));
  return value ? value.getValue() : Type();
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

StringRef Operator::graphName(unsigned index) const {
  return cast<StringAttr>(properties().graphs[index]).getValue();
}

Region *Operator::getGraph(StringRef name) const {
  for (unsigned i = 0, e = numGraphs(); i != e; ++i)
    if (graphName(i) == name)
      return &operation->getRegion(i);
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

static const OperatorDefinition *definitionFor(const OnnxDialect::State &state,
                                               const OperatorId &id) {
  if (!id.overload.empty())
    return nullptr;
  const OperatorDefinition *definition =
      state.definitions.lookup({canonicalDomain(id.domain), id.opType});
  return definition && definition->hasVersion(id.since) ? definition : nullptr;
}

static Operation *createOperation(OpBuilder &builder, Location location,
                                  const OperatorDefinition &definition,
                                  const OperatorId &id, ValueRange inputs,
                                  TypeRange resultTypes,
                                  ArrayRef<NamedAttribute> attributes,
                                  ArrayRef<StringRef> graphNames) {
  Operation *operation = Operation::create(
      location, definition.operationName(), resultTypes, inputs,
      NamedAttrList(attributes), /*properties=*/nullptr, /*successors=*/{},
      graphNames.size());
  OperatorProperties &properties = OperatorDefinition::propertiesOf(operation);
  properties.since = id.since;
  if (!graphNames.empty())
    properties.graphs = builder.getStrArrayAttr(graphNames);
  if (definition.isCustom())
    properties.customId = builder.getStrArrayAttr(
        {canonicalDomain(id.domain), id.opType, id.overload});
  return builder.insert(operation);
}

Operator Operator::create(OpBuilder &builder, Location location,
                          const OperatorId &id, ValueRange inputs,
                          TypeRange resultTypes,
                          ArrayRef<NamedAttribute> attributes,
                          ArrayRef<StringRef> graphNames) {
  const auto &state =
      builder.getContext()->getLoadedDialect<OnnxDialect>()->getState();
  const OperatorDefinition *definition = definitionFor(state, id);
  if (!definition)
    definition = state.custom;
  return {createOperation(builder, location, *definition, id, inputs,
                          resultTypes, attributes, graphNames),
          definition};
}

Operator Operator::createCustom(OpBuilder &builder, Location location,
                                const OperatorId &id, ValueRange inputs,
                                TypeRange resultTypes,
                                ArrayRef<NamedAttribute> attributes,
                                ArrayRef<StringRef> graphNames) {
  const auto &state =
      builder.getContext()->getLoadedDialect<OnnxDialect>()->getState();
  return {createOperation(builder, location, *state.custom, id, inputs,
                          resultTypes, attributes, graphNames),
          state.custom};
}

//===- OperatorDefinition.cpp - How operators are known to MLIR -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/OperatorDefinition.h"

#include "onnxfold/onnx/ir/Operator.h"
#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace onnxfold;

MLIR_DEFINE_EXPLICIT_TYPE_ID(onnxfold::OperatorDefinition)

//===----------------------------------------------------------------------===//
// Interfaces
//===----------------------------------------------------------------------===//

namespace {

/// Effects say what MLIR's passes may do with an operator: a deterministic one
/// has none (erased when dead, merged with an equal one); a random one
/// allocates its results (erased, never merged); an opaque one writes somewhere
/// (neither), since nobody knows what it does.
struct EffectModel : MemoryEffectOpInterface::FallbackModel<EffectModel> {
  void
  getEffects(Operation *operation,
             SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
                 &effects) const {
    const auto *definition = OperatorDefinition::of(operation->getName());
    if (definition->isCustom())
      effects.emplace_back(MemoryEffects::Write::get());
    else if (!definition->isDeterministic())
      for (OpResult result : operation->getResults())
        effects.emplace_back(MemoryEffects::Allocate::get(), result);
  }
};

/// Values are printed under the names that they have in the model.
struct AsmModel : OpAsmOpInterface::FallbackModel<AsmModel> {
  void getAsmResultNames(Operation *operation,
                         OpAsmSetValueNameFn setName) const {
    const OperatorProperties &properties =
        OperatorDefinition::propertiesOf(operation);
    for (auto [result, name] :
         llvm::zip(operation->getResults(), properties.outputs))
      if (!name.empty())
        setName(result, name.get());
  }
  void getAsmBlockArgumentNames(Operation *, Region &,
                                OpAsmSetValueNameFn) const {}
  void getAsmBlockNames(Operation *, OpAsmSetBlockNameFn) const {}
  static StringRef getDefaultDialect() { return ""; }
};

/// Properties in bytecode are the dictionary of the generic text form.
struct BytecodeModel : BytecodeOpInterface::FallbackModel<BytecodeModel> {
  static LogicalResult readProperties(DialectBytecodeReader &reader,
                                      OperationState &state) {
    return reader.readAttribute(state.propertiesAttr);
  }
  void writeProperties(Operation *operation,
                       DialectBytecodeWriter &writer) const {
    writer.writeAttribute(operation->getPropertiesAsAttribute());
  }
};

} // namespace

static mlir::detail::InterfaceMap interfaces() {
  mlir::detail::InterfaceMap map;
  map.insertModels<EffectModel, AsmModel, BytecodeModel>();
  return map;
}

//===----------------------------------------------------------------------===//
// Identity
//===----------------------------------------------------------------------===//

OperatorDefinition::OperatorDefinition(ArrayRef<SchemaEntry> versions,
                                       OnnxDialect &dialect, TypeID typeID)
    : Impl(onnxfold::operationName(versions.front().domain,
                                   versions.front().opType),
           &dialect, typeID, interfaces()),
      versions(versions),
      deterministic(onnxfold::isDeterministic(versions.front().domain,
                                              versions.front().opType)) {}

OperatorDefinition::OperatorDefinition(OnnxDialect &dialect, TypeID typeID)
    : Impl("onnx.Custom", &dialect, typeID, interfaces()),
      deterministic(false) {}

const OperatorDefinition *OperatorDefinition::of(OperationName name) {
  // A constant is the commonest operation that is none, and compares the ID with
  // those of all its traits.
  if (name.getTypeID() == TypeID::get<OnnxConstantOp>() ||
      !name.hasTrait(TypeID::get<OperatorDefinition>()))
    return nullptr;
  return static_cast<const OperatorDefinition *>(
      static_cast<const Impl *>(name.getAsOpaquePointer()));
}

const SchemaEntry *OperatorDefinition::version(int64_t since) const {
  const SchemaEntry *found = llvm::find_if(
      versions, [=](const SchemaEntry &entry) { return entry.since == since; });
  return found == versions.end() ? nullptr : found;
}

bool OperatorDefinition::hasTrait(TypeID id) {
  return id == TypeID::get<OperatorDefinition>() ||
         id == TypeID::get<OpTrait::HasRecursiveMemoryEffects>() ||
         id == TypeID::get<OpTrait::ZeroSuccessors>();
}

LogicalResult
OperatorDefinition::foldHook(Operation *operation, ArrayRef<Attribute> operands,
                             SmallVectorImpl<OpFoldResult> &results) {
  const FoldHook &hook =
      static_cast<OnnxDialect *>(getDialect())->getState().foldHook;
  return hook ? hook(operation, operands, results) : failure();
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

LogicalResult OperatorDefinition::verifyInvariants(Operation *operation) {
  const OperatorProperties &properties = propertiesOf(operation);
  if (operation->getNumSuccessors() != 0)
    return operation->emitOpError("has successors, expected none");
  size_t numNames = properties.graphs ? properties.graphs.size() : 0;
  if (numNames != operation->getNumRegions())
    return operation->emitOpError("has ")
           << operation->getNumRegions() << " regions, expected " << numNames
           << ", one for each name in 'graphs'";
  if (properties.outputs.size() > operation->getNumResults())
    return operation->emitOpError("has ")
           << properties.outputs.size() << " output names, expected at most "
           << operation->getNumResults();
  if (isCustom())
    return success();
  if (!hasVersion(properties.since))
    return operation->emitOpError("has no version ")
           << properties.since << ", expected one of "
           << llvm::map_to_vector(versions, [](const SchemaEntry &entry) {
                return entry.since;
              });
  std::string text =
      llvm::toString(Operator::from(operation).checkAgainstSchema());
  return text.empty() ? success() : operation->emitOpError(text);
}

LogicalResult OperatorDefinition::verifyRegionInvariants(Operation *operation) {
  Operator op = Operator::from(operation);
  for (auto [index, region] : llvm::enumerate(operation->getRegions())) {
    if (!region.hasOneBlock())
      return operation->emitOpError("graph '")
             << op.graphName(index) << "' has " << region.getBlocks().size()
             << " blocks, expected 1";
    Block &block = region.front();
    if (block.empty() || !isa<OnnxYieldOp>(block.back()))
      return operation->emitOpError("graph '")
             << op.graphName(index)
             << "' does not end with onnx.Yield, expected its outputs there";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

void OperatorDefinition::setDefaults(OperatorProperties &properties) const {
  if (!isCustom())
    properties.since = versions.back().since;
}

void OperatorDefinition::initProperties(OperationName, OpaqueProperties storage,
                                        OpaqueProperties init) {
  auto *properties = new (storage.as<void *>()) OperatorProperties();
  if (init)
    *properties = *init.as<OperatorProperties *>();
  else
    setDefaults(*properties);
}

void OperatorDefinition::deleteProperties(OpaqueProperties properties) {
  properties.as<OperatorProperties *>()->~OperatorProperties();
}

void OperatorDefinition::copyProperties(OpaqueProperties to,
                                        OpaqueProperties from) {
  *to.as<OperatorProperties *>() = *from.as<OperatorProperties *>();
}

static auto identity(const OperatorProperties &properties) {
  return std::make_tuple(properties.since,
                         properties.graphs.getAsOpaquePointer(),
                         properties.customId.getAsOpaquePointer(),
                         properties.annotations.getAsOpaquePointer());
}

bool OperatorDefinition::compareProperties(OpaqueProperties left,
                                           OpaqueProperties right) {
  return identity(*left.as<OperatorProperties *>()) ==
         identity(*right.as<OperatorProperties *>());
}

llvm::hash_code
OperatorDefinition::hashProperties(OpaqueProperties properties) {
  return llvm::hash_value(identity(*properties.as<OperatorProperties *>()));
}

Attribute OperatorDefinition::getPropertiesAsAttr(Operation *operation) {
  const OperatorProperties &properties = propertiesOf(operation);
  Builder builder(operation->getContext());
  NamedAttrList list;
  list.append("since", builder.getI64IntegerAttr(properties.since));
  if (properties.node >= 0)
    list.append("node", builder.getI64IntegerAttr(properties.node));
  if (!properties.name.empty())
    list.append("name", builder.getStringAttr(properties.name.get()));
  if (!properties.outputs.empty())
    list.append("outputs", builder.getStrArrayAttr(llvm::map_to_vector(
                               properties.outputs, [](const StoredName &name) {
                                 return name.get();
                               })));
  if (properties.graphs)
    list.append("graphs", properties.graphs);
  if (properties.customId) {
    list.append("domain", properties.customId[0]);
    list.append("op_type", properties.customId[1]);
    if (!cast<StringAttr>(properties.customId[2]).empty())
      list.append("overload", properties.customId[2]);
  }
  if (properties.annotations)
    list.append("annotations", properties.annotations);
  return list.getDictionary(operation->getContext());
}

static bool isStringArray(Attribute attribute) {
  auto array = dyn_cast<ArrayAttr>(attribute);
  return array && llvm::all_of(array, llvm::IsaPred<StringAttr>);
}

/// Reads one entry; false if the key is unknown or the value of another kind.
static bool readProperty(NamedAttribute entry, bool isCustom,
                         OperatorProperties &properties,
                         SmallVector<Attribute, 3> &customId) {
  StringRef key = entry.getName();
  Attribute value = entry.getValue();
  auto integer = dyn_cast<IntegerAttr>(value);
  auto string = dyn_cast<StringAttr>(value);
  if (key == "since" && integer && integer.getType().isInteger(64))
    properties.since = integer.getInt();
  else if (key == "node" && integer && integer.getType().isInteger(64))
    properties.node = integer.getInt();
  else if (key == "name" && string)
    properties.name = StoredName(string, value.getContext());
  else if (key == "outputs" && isStringArray(value))
    properties.outputs = llvm::map_to_vector<1>(
        cast<ArrayAttr>(value).getAsRange<StringAttr>(),
        [](StringAttr name) { return StoredName(name, name.getContext()); });
  else if (key == "graphs" && isStringArray(value))
    properties.graphs = cast<ArrayAttr>(value);
  else if (key == "annotations" && isa<DictionaryAttr>(value))
    properties.annotations = cast<DictionaryAttr>(value);
  else if (isCustom && key == "domain" && string)
    customId[0] = string;
  else if (isCustom && key == "op_type" && string)
    customId[1] = string;
  else if (isCustom && key == "overload" && string)
    customId[2] = string;
  else
    return false;
  return true;
}

LogicalResult
onnxfold::readProperties(DictionaryAttr dictionary, bool isCustom,
                         OperatorProperties &properties,
                         function_ref<InFlightDiagnostic()> emitError) {
  MLIRContext *context = dictionary.getContext();
  SmallVector<Attribute, 3> customId(3, StringAttr::get(context));
  for (NamedAttribute entry : dictionary)
    if (!readProperty(entry, isCustom, properties, customId))
      return emitError() << "property " << entry.getName() << " is "
                         << entry.getValue() << ", expected "
                         << (isCustom
                                 ? "domain, op_type and overload (strings), "
                                 : "")
                         << "since and node (i64), name (string), outputs and "
                            "graphs (arrays of strings), annotations "
                            "(dictionary)";
  if (isCustom) {
    if (cast<StringAttr>(customId[1]).empty())
      return emitError() << "property \"op_type\" is missing";
    properties.customId = ArrayAttr::get(context, customId);
  }
  return success();
}

LogicalResult OperatorDefinition::setPropertiesFromAttr(
    OperationName, OpaqueProperties storage, Attribute attribute,
    function_ref<InFlightDiagnostic()> emitError) {
  auto dictionary = dyn_cast<DictionaryAttr>(attribute);
  if (!dictionary)
    return emitError() << "properties are " << attribute
                       << ", expected a dictionary";
  OperatorProperties properties;
  setDefaults(properties);
  if (failed(readProperties(dictionary, isCustom(), properties, emitError)))
    return failure();
  *storage.as<OperatorProperties *>() = std::move(properties);
  return success();
}

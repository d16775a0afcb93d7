//===- Definition.cpp - How operations are known to MLIR ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/stablehlo/ir/Definition.h"
#include "onnxfold/stablehlo/ir/Forms.h"
#include "mlir/Bytecode/BytecodeImplementation.h"

using namespace mlir;
using namespace onnxfold::hlo;

MLIR_DEFINE_EXPLICIT_TYPE_ID(onnxfold::hlo::Definition)

//===----------------------------------------------------------------------===//
// Interfaces
//===----------------------------------------------------------------------===//

namespace {

struct EffectModel : MemoryEffectOpInterface::FallbackModel<EffectModel> {
  void
  getEffects(Operation *operation,
             SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
                 &effects) const {
    switch (Definition::of(operation->getName())->effects()) {
    case Effects::Pure:
      return;
    case Effects::Random:
      for (OpResult result : operation->getResults())
        effects.emplace_back(MemoryEffects::Allocate::get(), result);
      return;
    case Effects::Unknown:
      effects.emplace_back(MemoryEffects::Write::get());
    }
  }
};

/// One attribute after the other, by these names.
LogicalResult readEach(DialectBytecodeReader &reader, StringRef names,
                       OperationState &state) {
  if (names.empty())
    return reader.emitError()
           << "'" << state.name << "' has attributes, expected none";
  NamedAttrList properties;
  while (!names.empty()) {
    auto [name, rest] = names.split(' ');
    names = rest;
    Attribute value;
    if (failed(reader.readAttribute(value)))
      return failure();
    properties.append(name, value);
  }
  state.propertiesAttr = properties.getDictionary(reader.getContext());
  return success();
}

/// Properties in bytecode are the dictionary of the generic text form.
struct BytecodeModel : BytecodeOpInterface::FallbackModel<BytecodeModel> {
  static LogicalResult readProperties(DialectBytecodeReader &reader,
                                      OperationState &state) {
    if (auto names = Definition::of(state.name)->serializedNames())
      return readEach(reader, *names, state);
    DictionaryAttr all;
    if (failed(reader.readAttribute(all)))
      return failure();
    state.propertiesAttr = all;
    return success();
  }
  void writeProperties(Operation *operation,
                       DialectBytecodeWriter &writer) const {
    Attribute all = operation->getPropertiesAsAttribute();
    writer.writeAttribute(all ? all
                              : DictionaryAttr::get(operation->getContext()));
  }
};

} // namespace

static mlir::detail::InterfaceMap interfaces() {
  mlir::detail::InterfaceMap map;
  map.insertModels<EffectModel, BytecodeModel>();
  return map;
}

//===----------------------------------------------------------------------===//
// Identity
//===----------------------------------------------------------------------===//

Definition::Definition(StringRef name, Effects effects, Dialect &dialect,
                       TypeID typeID, std::optional<StringRef> serialized)
    : Impl(name, &dialect, typeID, interfaces()), effectsOfAll(effects),
      serialized(serialized) {}

const Definition *Definition::of(OperationName name) {
  if (!name.hasTrait(TypeID::get<Definition>()))
    return nullptr;
  return static_cast<const Definition *>(
      static_cast<const Impl *>(name.getAsOpaquePointer()));
}

bool Definition::hasTrait(TypeID id) {
  return id == TypeID::get<Definition>() ||
         id == TypeID::get<OpTrait::HasRecursiveMemoryEffects>() ||
         id == TypeID::get<OpTrait::ZeroSuccessors>();
}

LogicalResult Definition::foldHook(Operation *, ArrayRef<Attribute>,
                                   SmallVectorImpl<OpFoldResult> &) {
  return failure();
}

void onnxfold::hlo::addOperations(Dialect &dialect) {
  // The ids of a process's dialects: one for each name, whatever the context.
  static TypeIDAllocator allocator;
  static const std::vector<std::tuple<StringRef, Effects, TypeID>> operations =
      {
#define HLO_OPERATION(name, Kind) {name, Effects::Kind, allocator.allocate()},
#include "onnxfold/stablehlo/ir/Operations.def"
      };
  std::string prefix = (dialect.getNamespace() + ".").str();
  for (const auto &[name, effects, id] : operations)
    if (name.starts_with(prefix))
      RegisteredOperationName::insert(
          std::make_unique<Definition>(name, effects, dialect, id),
          /*attrNames=*/{});
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

OperationName::ParseAssemblyFn Definition::getParseAssemblyFn() {
  return parseUsualForm;
}

void Definition::printAssembly(Operation *operation, OpAsmPrinter &printer,
                               StringRef) {
  printer.printGenericOp(operation);
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

static DictionaryAttr &dictionaryOf(OpaqueProperties properties) {
  return *properties.as<DictionaryAttr *>();
}

static DictionaryAttr &dictionaryOf(Operation *operation) {
  return dictionaryOf(operation->getPropertiesStorage());
}

std::optional<Attribute> Definition::getInherentAttr(Operation *operation,
                                                     StringRef name) {
  DictionaryAttr all = dictionaryOf(operation);
  Attribute found = all ? all.get(name) : Attribute();
  return found ? std::optional(found) : std::nullopt;
}

void Definition::setInherentAttr(Operation *operation, StringAttr name,
                                 Attribute value) {
  NamedAttrList list(dictionaryOf(operation));
  if (value)
    list.set(name, value);
  else
    list.erase(name);
  dictionaryOf(operation) = list.getDictionary(operation->getContext());
}

void Definition::populateInherentAttrs(Operation *operation,
                                       NamedAttrList &attributes) {
  if (DictionaryAttr all = dictionaryOf(operation))
    attributes.append(all.getValue());
}

void Definition::initProperties(OperationName, OpaqueProperties storage,
                                OpaqueProperties init) {
  new (storage.as<void *>())
      DictionaryAttr(init ? dictionaryOf(init) : DictionaryAttr());
}

LogicalResult Definition::setPropertiesFromAttr(
    OperationName, OpaqueProperties storage, Attribute attribute,
    function_ref<InFlightDiagnostic()> emitError) {
  auto dictionary = dyn_cast<DictionaryAttr>(attribute);
  if (!dictionary)
    return emitError() << "properties are " << attribute
                       << ", expected a dictionary";
  dictionaryOf(storage) = dictionary;
  return success();
}

Attribute Definition::getPropertiesAsAttr(Operation *operation) {
  DictionaryAttr all = dictionaryOf(operation);
  return all && !all.empty() ? all : DictionaryAttr();
}

void Definition::copyProperties(OpaqueProperties to, OpaqueProperties from) {
  dictionaryOf(to) = dictionaryOf(from);
}

bool Definition::compareProperties(OpaqueProperties left,
                                   OpaqueProperties right) {
  return dictionaryOf(left) == dictionaryOf(right);
}

llvm::hash_code Definition::hashProperties(OpaqueProperties properties) {
  return mlir::hash_value(Attribute(dictionaryOf(properties)));
}

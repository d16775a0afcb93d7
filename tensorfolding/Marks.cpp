//===- Marks.cpp - Which arguments never change ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/internal/Marks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

namespace onnxfold {

using namespace mlir;

static constexpr StringLiteral argumentMark = "onnxfold.constant";
static constexpr std::pair<ConstantTier, StringLiteral> functionMarks[] = {
    {ConstantTier::CompileTime, "compiletime_const_args_index"},
    {ConstantTier::Runtime, "runtime_const_args_index"}};

bool hasMarks(FunctionOpInterface function) {
  for (const auto &[tier, name] : functionMarks)
    if (function->hasAttr(name))
      return true;
  return llvm::any_of(llvm::seq(function.getNumArguments()), [&](unsigned i) {
    return bool(function.getArgAttr(i, argumentMark));
  });
}

void eraseMarks(FunctionOpInterface function) {
  for (const auto &[tier, name] : functionMarks)
    function->removeAttr(name);
  // Set at once: each change of one copies all.
  SmallVector<DictionaryAttr> attributes;
  for (unsigned i : llvm::seq(function.getNumArguments())) {
    NamedAttrList list(function.getArgAttrDict(i));
    list.erase(argumentMark);
    attributes.push_back(list.getDictionary(function->getContext()));
  }
  function.setAllArgAttrs(attributes);
}

/// The numbers of an array attribute of any kind of integers.
static std::optional<SmallVector<int64_t>> integersOf(Attribute attr) {
  if (auto array = dyn_cast<DenseI32ArrayAttr>(attr))
    return SmallVector<int64_t>(array.asArrayRef());
  if (auto array = dyn_cast<DenseI64ArrayAttr>(attr))
    return SmallVector<int64_t>(array.asArrayRef());
  auto array = dyn_cast<ArrayAttr>(attr);
  if (!array)
    return std::nullopt;
  SmallVector<int64_t> numbers;
  for (Attribute element : array) {
    auto number = dyn_cast<IntegerAttr>(element);
    if (!number || number.getValue().getSignificantBits() > 64)
      return std::nullopt;
    numbers.push_back(number.getValue().getSExtValue());
  }
  return numbers;
}

/// Can an argument of a type be passed once and kept?
static bool canBeConstant(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    type = complex.getElementType();
  return isa<RankedTensorType, MemRefType, VectorType>(type) ||
         type.isIntOrIndexOrFloat();
}

namespace {

/// Collects the marks of one function.
class MarkReader {
public:
  explicit MarkReader(FunctionOpInterface function)
      : function(function),
        tiers(function.getNumArguments(), ConstantTier::Variable) {}

  LogicalResult readFunctionMark(ConstantTier tier, StringRef name) {
    Attribute attr = function->getAttr(name);
    if (!attr)
      return success();
    std::optional<SmallVector<int64_t>> numbers = integersOf(attr);
    if (!numbers)
      return error() << "attribute '" << name << "' is " << attr
                     << ": expected an array of argument numbers";
    for (int64_t number : *numbers) {
      if (number < 0 || number >= int64_t(tiers.size()))
        return error()
               << "attribute '" << name << "' has " << number
               << ", but there are " << tiers.size()
               << " arguments: expected numbers of arguments, from 0 on";
      if (failed(add(number, tier)))
        return failure();
    }
    return success();
  }

  LogicalResult readArgumentMark(unsigned number) {
    Attribute attr = function.getArgAttr(number, argumentMark);
    if (!attr)
      return success();
    auto text = dyn_cast<StringAttr>(attr);
    for (ConstantTier tier : {ConstantTier::CompileTime, ConstantTier::Runtime})
      if (text && text.getValue() == nameOf(tier))
        return add(number, tier);
    return error() << "argument " << number << " has '" << argumentMark
                   << "' = " << attr
                   << ": expected \"compiletime\" or \"runtime\"";
  }

  /// A constant memref is read at any time: whoever writes to it means another
  /// thing. Writes through views are not seen.
  LogicalResult checkWrites(unsigned number) {
    if (tiers[number] == ConstantTier::Variable || function.isExternal())
      return success();
    Value argument = function.getFunctionBody().getArgument(number);
    for (Operation *user : argument.getUsers()) {
      SmallVector<MemoryEffects::EffectInstance> effects;
      if (auto withEffects = dyn_cast<MemoryEffectOpInterface>(user))
        withEffects.getEffectsOnValue(argument, effects);
      if (llvm::none_of(effects,
                        [](const MemoryEffects::EffectInstance &effect) {
                          return isa<MemoryEffects::Write, MemoryEffects::Free>(
                              effect.getEffect());
                        }))
        continue;
      InFlightDiagnostic diagnostic =
          error()
          << "argument " << number << " is marked as a "
          << nameOf(tiers[number])
          << " constant and is written to: expected that it is only read";
      diagnostic.attachNote(user->getLoc()) << "written here";
      return diagnostic;
    }
    return success();
  }

  FunctionOpInterface function;
  SmallVector<ConstantTier> tiers;

private:
  InFlightDiagnostic error() {
    return function->emitError() << "function '" << function.getName() << "': ";
  }

  LogicalResult add(int64_t number, ConstantTier tier) {
    Type type = function.getArgumentTypes()[number];
    if (!canBeConstant(type))
      return error() << "argument " << number << " is marked as a "
                     << nameOf(tier) << " constant and has the type " << type
                     << ": expected a ranked tensor or memref, or a number";
    if (tiers[number] != ConstantTier::Variable && tiers[number] != tier)
      return error() << "argument " << number
                     << " is marked both as a compiletime and as a runtime "
                        "constant: expected one";
    tiers[number] = tier;
    return success();
  }
};

} // namespace

FailureOr<SmallVector<ConstantTier>> readMarks(FunctionOpInterface function) {
  MarkReader reader(function);
  for (const auto &[tier, name] : functionMarks)
    if (failed(reader.readFunctionMark(tier, name)))
      return failure();
  for (unsigned i : llvm::seq(function.getNumArguments()))
    if (failed(reader.readArgumentMark(i)) || failed(reader.checkWrites(i)))
      return failure();
  return std::move(reader.tiers);
}

} // namespace onnxfold

//===- ConstantTensors.cpp - What an entry runs once ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/ConstantTensors.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

namespace onnxfold {

using namespace mlir;

StringRef nameOf(ConstantTier tier) {
  switch (tier) {
  case ConstantTier::CompileTime:
    return "compiletime";
  case ConstantTier::Runtime:
    return "runtime";
  case ConstantTier::Variable:
    break;
  }
  return "variable";
}

namespace {

/// Reads the parts of the attribute; what is not there or of another type is
/// remembered as one failure.
class AttributeReader {
public:
  template <typename AttrT> AttrT get(Attribute parent, StringRef name) {
    auto dictionary = dyn_cast_or_null<DictionaryAttr>(parent);
    auto attr = dictionary ? dictionary.getAs<AttrT>(name) : AttrT();
    failed = failed || !attr;
    return attr;
  }

  ArrayRef<Attribute> array(Attribute parent, StringRef name) {
    auto attr = get<ArrayAttr>(parent, name);
    return attr ? attr.getValue() : ArrayRef<Attribute>();
  }

  Type type(Attribute parent, StringRef name) {
    auto attr = get<TypeAttr>(parent, name);
    return attr ? attr.getValue() : Type();
  }

  int64_t number(Attribute parent, StringRef name) {
    auto attr = get<IntegerAttr>(parent, name);
    return attr ? attr.getInt() : ConstantTensors::notTaken;
  }

  std::string text(Attribute parent, StringRef name) {
    auto attr = get<StringAttr>(parent, name);
    return attr ? attr.str() : "";
  }

  SmallVector<int64_t> numbers(Attribute parent, StringRef name,
                               size_t smallerThan) {
    auto attr = get<DenseI64ArrayAttr>(parent, name);
    if (!attr)
      return {};
    failed = failed || llvm::any_of(attr.asArrayRef(), [&](int64_t number) {
               return number < 0 || size_t(number) >= smallerThan;
             });
    return llvm::to_vector(attr.asArrayRef());
  }

  ConstantTier tier(Attribute parent, StringRef name) {
    std::string given = text(parent, name);
    for (ConstantTier tier : {ConstantTier::CompileTime, ConstantTier::Runtime,
                              ConstantTier::Variable})
      if (given == nameOf(tier))
        return tier;
    failed = true;
    return ConstantTier::Variable;
  }

  bool failed = false;
};

} // namespace

static ConstantTensors parse(Attribute attr, AttributeReader &reader) {
  ConstantTensors tensors;
  tensors.symbol = reader.text(attr, "symbol");
  for (Attribute argument : reader.array(attr, "arguments"))
    tensors.arguments.push_back({reader.type(argument, "type"),
                                 reader.tier(argument, "role"),
                                 reader.number(argument, "entry")});
  for (Attribute type : reader.array(attr, "results")) {
    reader.failed = reader.failed || !isa<TypeAttr>(type);
    if (auto typeAttr = dyn_cast<TypeAttr>(type))
      tensors.results.push_back(typeAttr.getValue());
  }
  for (Attribute folded : reader.array(attr, "folded")) {
    auto type = dyn_cast_or_null<RankedTensorType>(reader.type(folded, "type"));
    reader.failed = reader.failed || !type;
    tensors.folded.push_back({type, reader.number(folded, "entry")});
  }
  for (Attribute part : reader.array(attr, "parts"))
    tensors.parts.push_back(
        {reader.get<FlatSymbolRefAttr>(part, "function"),
         reader.tier(part, "tier"),
         reader.numbers(part, "arguments", tensors.arguments.size()),
         reader.numbers(part, "folded", tensors.folded.size()),
         reader.text(part, "hash")});
  return tensors;
}

/// Each argument of the entry is one of the original arguments or a folded
/// tensor.
static LogicalResult checkEntry(FunctionOpInterface entry,
                                const ConstantTensors &tensors) {
  llvm::SmallBitVector taken(entry.getNumArguments());
  auto take = [&](StringRef what, size_t i, int64_t argument) -> LogicalResult {
    if (argument == ConstantTensors::notTaken)
      return success();
    bool isArgument = argument >= 0 && argument < int64_t(taken.size());
    if (!isArgument || taken.test(unsigned(argument)))
      return entry->emitError()
             << "function '" << entry.getName() << "': its attribute '"
             << constantTensorsAttrName << "' has " << what << " " << i
             << " with entry " << argument << ", expected "
             << ConstantTensors::notTaken << " or one of the function's "
             << taken.size() << " arguments, each once";
    taken.set(unsigned(argument));
    return success();
  };
  for (auto [i, argument] : llvm::enumerate(tensors.arguments))
    if (failed(take("argument", i, argument.entry)))
      return failure();
  for (auto [i, folded] : llvm::enumerate(tensors.folded))
    if (failed(take("folded tensor", i, folded.entry)))
      return failure();
  if (int left = taken.find_first_unset(); left >= 0)
    return entry->emitError()
           << "function '" << entry.getName() << "': its attribute '"
           << constantTensorsAttrName << "' has no entry " << left
           << ", expected one of each argument of the function";
  return success();
}

FailureOr<ConstantTensors> getConstantTensors(FunctionOpInterface entry) {
  Attribute attr = entry->getDiscardableAttr(constantTensorsAttrName);
  if (!attr)
    return entry->emitError()
           << "function '" << entry.getName() << "' has no attribute '"
           << constantTensorsAttrName
           << "': expected one that constant-tensor-folding made";
  AttributeReader reader;
  ConstantTensors tensors = parse(attr, reader);
  if (reader.failed)
    return entry->emitError()
           << "function '" << entry.getName() << "' has the attribute '"
           << constantTensorsAttrName << "' " << attr
           << ": expected the form that constant-tensor-folding writes "
              "(tensorfolding/ConstantTensors.h)";
  if (failed(checkEntry(entry, tensors)))
    return failure();
  return tensors;
}

static Attribute attributeOf(Builder &builder,
                             const ConstantTensors::Part &part) {
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("function", part.function),
       builder.getNamedAttr("tier", builder.getStringAttr(nameOf(part.tier))),
       builder.getNamedAttr("arguments",
                            builder.getDenseI64ArrayAttr(part.arguments)),
       builder.getNamedAttr("folded",
                            builder.getDenseI64ArrayAttr(part.folded)),
       builder.getNamedAttr("hash", builder.getStringAttr(part.hash))});
}

void setConstantTensors(FunctionOpInterface entry,
                        const ConstantTensors &tensors) {
  Builder builder(entry->getContext());
  SmallVector<Attribute> arguments, folded, parts;
  for (const ConstantTensors::Argument &argument : tensors.arguments)
    arguments.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr("type", TypeAttr::get(argument.type)),
         builder.getNamedAttr("role",
                              builder.getStringAttr(nameOf(argument.tier))),
         builder.getNamedAttr("entry",
                              builder.getI64IntegerAttr(argument.entry))}));
  for (const ConstantTensors::Folded &value : tensors.folded)
    folded.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr("type", TypeAttr::get(value.type)),
         builder.getNamedAttr("entry",
                              builder.getI64IntegerAttr(value.entry))}));
  for (const ConstantTensors::Part &part : tensors.parts)
    parts.push_back(attributeOf(builder, part));
  entry->setDiscardableAttr(
      constantTensorsAttrName,
      builder.getDictionaryAttr(
          {builder.getNamedAttr("symbol",
                                builder.getStringAttr(tensors.symbol)),
           builder.getNamedAttr("arguments", builder.getArrayAttr(arguments)),
           builder.getNamedAttr("results",
                                builder.getTypeArrayAttr(tensors.results)),
           builder.getNamedAttr("folded", builder.getArrayAttr(folded)),
           builder.getNamedAttr("parts", builder.getArrayAttr(parts))}));
}

} // namespace onnxfold

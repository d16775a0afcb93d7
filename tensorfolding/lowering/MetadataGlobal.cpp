//===- MetadataGlobal.cpp - Constant tensors as bytes of the program ------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/ConstantTensors.h"
#include "onnxfold/tensorfolding/lowering/Passes.h"
#include "onnxfold/tensorfolding/runtime/Metadata.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

namespace onnxfold {
#define GEN_PASS_DEF_CONSTANTTENSORSMETADATAPASS
#include "onnxfold/tensorfolding/lowering/Passes.h.inc"
} // namespace onnxfold

using namespace mlir;
using onnxfold::ConstantTensors;
using onnxfold::ConstantTier;
namespace ct = onnxfold::tensorfolding;

static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Nothing for types that no descriptor and no register of the C interface
/// holds.
static std::optional<ct::TensorType> convertType(Type type) {
  ct::TensorType converted;
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::optional<ct::ElementType> element =
      ct::elementTypeNamed(textOf(tensor ? tensor.getElementType() : type));
  if (!element)
    return std::nullopt;
  converted.element = *element;
  converted.isScalar = !tensor;
  if (tensor)
    for (int64_t size : tensor.getShape())
      converted.shape.push_back(ShapedType::isDynamic(size) ? ct::dynamicSize
                                                            : size);
  return converted;
}

static ct::Function functionOf(StringRef symbol, TypeRange results) {
  bool isDynamic = llvm::any_of(results, [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !tensor.hasStaticShape();
  });
  return {symbol.str(), isDynamic ? ct::ResultConvention::Returned
                                  : ct::ResultConvention::OutParameters};
}

static ct::ContentHash parseHash(StringRef text) {
  ct::ContentHash hash = {};
  constexpr size_t digits = 16;
  if (text.size() == 2 * digits) {
    text.take_front(digits).getAsInteger(16, hash[1]);
    text.drop_front(digits).getAsInteger(16, hash[0]);
  }
  return hash;
}

namespace {

struct ConstantTensorsMetadataPass
    : onnxfold::impl::ConstantTensorsMetadataPassBase<
          ConstantTensorsMetadataPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    auto functions = llvm::to_vector(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp entry : functions)
      if (entry->hasAttr(onnxfold::constantTensorsAttrName) &&
          failed(writeGlobal(entry, symbols)))
        return signalPassFailure();
  }

private:
  static LogicalResult writeGlobal(func::FuncOp entry, SymbolTable &symbols) {
    FailureOr<ConstantTensors> tensors = onnxfold::getConstantTensors(entry);
    if (failed(tensors))
      return failure();
    FailureOr<ct::Metadata> metadata = convert(entry, *tensors, symbols);
    if (failed(metadata))
      return failure();
    std::string wrong = ct::checkMetadata(*metadata);
    if (!wrong.empty())
      return entry.emitError()
             << "attribute '" << onnxfold::constantTensorsAttrName << "' of '"
             << entry.getName() << "': " << wrong;
    std::vector<char> bytes = ct::writeMetadata(*metadata);
    OpBuilder builder(entry.getContext());
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
    constexpr uint64_t alignment = 8;
    auto global = LLVM::GlobalOp::create(
        builder, entry.getLoc(), type, /*isConstant=*/true,
        LLVM::Linkage::External, tensors->symbol,
        builder.getStringAttr(StringRef(bytes.data(), bytes.size())),
        alignment);
    symbols.insert(global);
    entry->removeAttr(onnxfold::constantTensorsAttrName);
    return success();
  }

  /// The caller makes what the metadata says, and the entry reads what its type
  /// says.
  static LogicalResult checkType(func::FuncOp entry, int64_t argument,
                                 Type stated) {
    if (argument == ConstantTensors::notTaken ||
        entry.getArgument(unsigned(argument)).getType() == stated)
      return success();
    return entry.emitError()
           << "attribute '" << onnxfold::constantTensorsAttrName << "' of '"
           << entry.getName() << "' says that argument " << argument
           << " has type " << stated << ", expected "
           << entry.getArgument(unsigned(argument)).getType();
  }

  static FailureOr<ct::Metadata> convert(func::FuncOp entry,
                                         const ConstantTensors &tensors,
                                         const SymbolTable &symbols) {
    ct::Metadata metadata;
    metadata.entry = functionOf(entry.getName(), entry.getResultTypes());
    metadata.entryArguments.resize(entry.getNumArguments());
    for (auto [i, argument] : llvm::enumerate(tensors.arguments)) {
      std::optional<ct::TensorType> type = convertType(argument.type);
      if (!type)
        return entry.emitError()
               << "argument " << i << " of function '" << entry.getName()
               << "' has type " << argument.type
               << ", expected a ranked tensor of numbers or a number";
      ct::ArgumentRole role = ct::ArgumentRole::Input;
      if (argument.tier != ConstantTier::Variable)
        role = argument.tier == ConstantTier::Runtime
                   ? ct::ArgumentRole::Weight
                   : ct::ArgumentRole::CompileTimeConstant;
      metadata.arguments.push_back({"", role, *type});
      if (failed(checkType(entry, argument.entry, argument.type)))
        return failure();
      if (argument.entry != ConstantTensors::notTaken)
        metadata.entryArguments[argument.entry] = ct::original(i);
    }
    for (auto [i, folded] : llvm::enumerate(tensors.folded)) {
      std::optional<ct::TensorType> type = convertType(folded.type);
      if (!type)
        return entry.emitError()
               << "folded tensor " << i << " of function '" << entry.getName()
               << "' has type " << folded.type << ", expected numbers";
      metadata.foldedValues.push_back({*type, {}});
      if (failed(checkType(entry, folded.entry, folded.type)))
        return failure();
      if (folded.entry != ConstantTensors::notTaken)
        metadata.entryArguments[folded.entry] = ct::folded(i);
    }
    for (Type result : tensors.results) {
      std::optional<ct::TensorType> type = convertType(result);
      if (!type)
        return entry.emitError()
               << "function '" << entry.getName() << "' has a result of type "
               << result << ", expected a ranked tensor of numbers or a number";
      metadata.results.push_back(*type);
    }
    for (const ConstantTensors::Part &part : tensors.parts)
      metadata.parts.push_back(convertPart(part, symbols));
    return metadata;
  }

  static ct::Part convertPart(const ConstantTensors::Part &part,
                              const SymbolTable &symbols) {
    StringRef symbol = part.function.getValue();
    auto function = symbols.lookup<func::FuncOp>(symbol);
    ct::Part converted;
    converted.function =
        functionOf(symbol, function ? function.getResultTypes() : TypeRange());
    converted.inputs.assign(part.arguments.begin(), part.arguments.end());
    converted.outputs.assign(part.folded.begin(), part.folded.end());
    converted.hash = parseHash(part.hash);
    return converted;
  }
};

} // namespace

//===- CompatibilityGlobals.cpp - The globals of graph-compiler -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/internal/CompatibilityGlobals.h"
#include "onnxfold/tensorfolding/internal/TensorSize.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

namespace onnxfold {

using namespace mlir;

namespace {

/// Makes one constant after the other at the start of a module.
class GlobalWriter {
public:
  explicit GlobalWriter(FunctionOpInterface entry)
      : entry(entry), table(SymbolTable::getNearestSymbolTable(entry)),
        builder(OpBuilder::atBlockBegin(&table->getRegion(0).front())) {}

  LogicalResult number(StringRef name, int32_t value) {
    return write(name, builder.getI32Type(), builder.getI32IntegerAttr(value));
  }

  /// An array of `bits` bits each.
  LogicalResult numbers(StringRef name, ArrayRef<int64_t> values,
                        unsigned bits) {
    Type element = builder.getIntegerType(bits);
    SmallVector<Attribute> attributes =
        llvm::map_to_vector(values, [&](int64_t value) -> Attribute {
          return builder.getIntegerAttr(element, value);
        });
    auto type = RankedTensorType::get(int64_t(values.size()), element);
    return write(name, LLVM::LLVMArrayType::get(element, values.size()),
                 DenseElementsAttr::get(type, attributes));
  }

private:
  LogicalResult write(StringRef name, Type type, Attribute value) {
    if (SymbolTable::lookupSymbolIn(table, name))
      return entry->emitError()
             << "function '" << entry.getName() << "': the symbol '" << name
             << "' is taken: expected one entry per module with the option "
                "compatibility-globals";
    LLVM::GlobalOp::create(builder, entry.getLoc(), type, /*isConstant=*/true,
                           LLVM::Linkage::External, name, value);
    return success();
  }

  FunctionOpInterface entry;
  Operation *table;
  OpBuilder builder;
};

/// The arrays; those with a count have it first.
struct Arrays {
  SmallVector<int64_t> fold{0}, compute{0}, ids{0}, ranks, shapes;
};

} // namespace

static Arrays arraysOf(const ConstantTensors &tensors) {
  Arrays arrays;
  for (auto [i, argument] : llvm::enumerate(tensors.arguments)) {
    bool isFolded = llvm::any_of(
        tensors.parts, [i = int64_t(i)](const ConstantTensors::Part &part) {
          return llvm::is_contained(part.arguments, i);
        });
    if (isFolded)
      arrays.fold.push_back(i);
    if (argument.entry != ConstantTensors::notTaken)
      arrays.compute.push_back(i);
  }
  for (auto [k, folded] : llvm::enumerate(tensors.folded)) {
    arrays.fold.push_back(tensors.arguments.size() + k);
    arrays.compute.push_back(tensors.arguments.size() + k);
    arrays.ids.push_back(k);
    arrays.ranks.push_back(folded.type.getRank());
    llvm::append_range(arrays.shapes, folded.type.getShape());
    arrays.shapes.push_back(sizeOf(folded.type.getElementType()).bytes);
  }
  for (SmallVector<int64_t> *counted :
       {&arrays.fold, &arrays.compute, &arrays.ids})
    counted->front() = counted->size() - 1;
  return arrays;
}

LogicalResult writeCompatibilityGlobals(FunctionOpInterface entry) {
  FailureOr<ConstantTensors> tensors = getConstantTensors(entry);
  if (failed(tensors) || tensors->folded.empty())
    return failure(failed(tensors));
  for (const ConstantTensors::Folded &folded : tensors->folded)
    if (!folded.type.hasStaticShape())
      return entry->emitError()
             << "function '" << entry.getName()
             << "' has a folded tensor of type " << folded.type
             << ": the option compatibility-globals expects static shapes";
  Arrays arrays = arraysOf(*tensors);
  GlobalWriter writer(entry);
  int32_t arguments = tensors->arguments.size();
  bool isWritten =
      succeeded(writer.number("__num_orig_args", arguments)) &&
      succeeded(writer.number("__num_orig_num_args",
                              arguments + int32_t(tensors->results.size()))) &&
      succeeded(writer.numbers("__fold_args", arrays.fold, 32)) &&
      succeeded(writer.numbers("__compute_args", arrays.compute, 32)) &&
      succeeded(writer.numbers("__runtime_fold_buffer_ids", arrays.ids, 64)) &&
      succeeded(writer.numbers("__folded_ranks", arrays.ranks, 32)) &&
      succeeded(writer.numbers("__folded_shapes", arrays.shapes, 64));
  return success(isWritten);
}

} // namespace onnxfold

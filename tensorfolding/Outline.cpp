//===- Outline.cpp - The functions that run once --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/internal/Outline.h"
#include "onnxfold/tensorfolding/runtime/Metadata.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"

namespace onnxfold {

using namespace mlir;

namespace {

class Outliner {
public:
  Outliner(FunctionOpInterface entry, ArrayRef<ConstantTier> argumentTiers,
           const std::string &symbolPrefix)
      : entry(entry), argumentTiers(argumentTiers),
        prefix(symbolPrefix + entry.getName().str()),
        symbols(SymbolTable::getNearestSymbolTable(entry)),
        builder(entry->getContext()) {
    builder.setInsertionPointAfter(entry);
    tensors.symbol = tensorfolding::metadataSymbol(prefix);
    llvm::append_range(tensors.results, entry.getResultTypes());
  }

  /// The functions of one fold: one per part, and one that calls them all.
  LogicalResult makeFunctions(const Fold &fold) {
    std::string name = prefix + ".fold_" + nameOf(fold.tier).str();
    if (fold.parts.size() == 1)
      return makePart(fold.parts.front(), fold.tier, name);
    SmallVector<func::FuncOp> functions;
    for (auto [k, part] : llvm::enumerate(fold.parts)) {
      if (failed(makePart(part, fold.tier, name + "." + std::to_string(k))))
        return failure();
      functions.push_back(cast<func::FuncOp>(
          symbols.lookup(tensors.parts.back().function.getValue())));
    }
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(functions.front());
    return makeWhole(fold.parts, functions, name);
  }

  /// The entry takes what the parts make, and computes it no more.
  LogicalResult rewriteEntry(const ConstantAnalysis &analysis,
                             ArrayRef<Fold> folds) {
    SmallVector<Value> outputs;
    llvm::DenseSet<Operation *> moved;
    for (const Fold &fold : folds)
      for (const FoldPart &part : fold.parts) {
        llvm::append_range(outputs, part.outputs);
        moved.insert(part.operations.begin(), part.operations.end());
      }
    if (failed(takeAsArguments(outputs)))
      return failure();
    for (const ConstantAnalysis::Classified &classified :
         llvm::reverse(analysis.operations()))
      if (moved.contains(classified.operation) &&
          classified.operation->use_empty())
        classified.operation->erase();
    return eraseUnusedArguments();
  }

  void describe() { setConstantTensors(entry, tensors); }

private:
  using NamedValues = ArrayRef<BlockArgument>;

  /// An empty function with copies of arguments of the entry.
  FailureOr<func::FuncOp> makeFunction(const std::string &name,
                                       NamedValues inputs, TypeRange results) {
    if (symbols.lookup(name))
      return entry->emitError()
             << "function '" << entry.getName() << "': the symbol '" << name
             << "' is taken: expected a free name for a function with work on "
                "constants (option symbol-prefix)";
    auto type = builder.getFunctionType(TypeRange(ValueRange(inputs)), results);
    SmallVector<DictionaryAttr> attributes =
        llvm::map_to_vector(inputs, [&](BlockArgument input) {
          return unwritable(entry.getArgAttrDict(input.getArgNumber()),
                            input.getType());
        });
    auto function = func::FuncOp::create(builder, entry.getLoc(), name, type,
                                         cWrapper(), attributes);
    Block *block = function.addEntryBlock();
    for (auto [argument, input] :
         llvm::zip_equal(block->getArguments(), inputs))
      argument.setLoc(input.getLoc());
    symbols.insert(function);
    builder.setInsertionPointAfter(function);
    return function;
  }

  /// Makes `_mlir_ciface_...`, by which the function is called.
  SmallVector<NamedAttribute> cWrapper() {
    return {builder.getNamedAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                                 builder.getUnitAttr())};
  }

  /// Attributes of an argument that keeps its content: bufferization takes
  /// others for writable, and the first run would overwrite kept tensors.
  DictionaryAttr unwritable(DictionaryAttr attributes, Type type) {
    NamedAttrList list(attributes);
    if (isa_and_present<TensorType>(type))
      list.set(bufferization::BufferizationDialect::kWritableAttrName,
               builder.getBoolAttr(false));
    return list.getDictionary(builder.getContext());
  }

  LogicalResult makePart(const FoldPart &part, ConstantTier tier,
                         const std::string &name) {
    FailureOr<func::FuncOp> function =
        makeFunction(name, part.inputs, TypeRange(ValueRange(part.outputs)));
    if (failed(function))
      return failure();
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&function->getBody().front());
    IRMapping mapping;
    for (auto [input, argument] :
         llvm::zip_equal(part.inputs, function->getArguments()))
      mapping.map(input, argument);
    for (Operation *op : part.operations)
      builder.clone(*op, mapping);
    SmallVector<Value> results = llvm::map_to_vector(
        part.outputs, [&](Value output) { return mapping.lookup(output); });
    func::ReturnOp::create(builder, entry.getLoc(), results);

    ConstantTensors::Part described;
    described.function = FlatSymbolRefAttr::get(*function);
    described.tier = tier;
    for (BlockArgument input : part.inputs)
      described.arguments.push_back(input.getArgNumber());
    for (Value output : part.outputs) {
      described.folded.push_back(tensors.folded.size());
      tensors.folded.push_back({cast<RankedTensorType>(output.getType())});
    }
    described.hash = contentHash(*function);
    tensors.parts.push_back(std::move(described));
    return success();
  }

  /// The function that calls those of all parts.
  LogicalResult makeWhole(ArrayRef<FoldPart> parts,
                          ArrayRef<func::FuncOp> functions,
                          const std::string &name) {
    SmallVector<BlockArgument> inputs;
    SmallVector<Type> types;
    llvm::BitVector isInput(entry.getNumArguments());
    for (const FoldPart &part : parts) {
      for (BlockArgument input : part.inputs)
        isInput.set(input.getArgNumber());
      llvm::append_range(types, TypeRange(ValueRange(part.outputs)));
    }
    for (unsigned number : isInput.set_bits())
      inputs.push_back(entry.getArgument(number));
    FailureOr<func::FuncOp> whole = makeFunction(name, inputs, types);
    if (failed(whole))
      return failure();
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&whole->getBody().front());
    IRMapping mapping;
    for (auto [input, argument] :
         llvm::zip_equal(inputs, whole->getArguments()))
      mapping.map(input, argument);
    SmallVector<Value> results;
    for (auto [part, function] : llvm::zip_equal(parts, functions)) {
      SmallVector<Value> operands =
          llvm::map_to_vector(part.inputs, [&](BlockArgument input) {
            return mapping.lookup<Value>(input);
          });
      auto call =
          func::CallOp::create(builder, entry.getLoc(), function, operands);
      llvm::append_range(results, call.getResults());
    }
    func::ReturnOp::create(builder, entry.getLoc(), results);
    return success();
  }

  LogicalResult takeAsArguments(ArrayRef<Value> outputs) {
    unsigned count = entry.getNumArguments();
    SmallVector<unsigned> positions(outputs.size(), count);
    SmallVector<Type> types = llvm::to_vector(TypeRange(ValueRange(outputs)));
    SmallVector<DictionaryAttr> attributes =
        llvm::map_to_vector(outputs, [&](Value output) {
          return unwritable(builder.getDictionaryAttr({}), output.getType());
        });
    SmallVector<Location> locations = llvm::map_to_vector(
        outputs, [](Value output) { return output.getLoc(); });
    if (failed(entry.insertArguments(positions, types, attributes, locations)))
      return entry->emitError()
             << "function '" << entry.getName()
             << "' cannot take the types of the folded tensors as arguments";
    for (auto [output, argument] :
         llvm::zip_equal(outputs, entry.getArguments().drop_front(count)))
      Value(output).replaceAllUsesWith(argument);
    return success();
  }

  /// Constants that the entry does not use itself are given once, elsewhere.
  LogicalResult eraseUnusedArguments() {
    llvm::BitVector unused(entry.getNumArguments());
    // Set at once: each change of one copies all.
    SmallVector<DictionaryAttr> attributes;
    int64_t next = 0;
    for (auto [i, tier] : llvm::enumerate(argumentTiers)) {
      bool isConstant = tier != ConstantTier::Variable;
      ConstantTensors::Argument argument{entry.getArgumentTypes()[i], tier};
      if (isConstant && entry.getArgument(i).use_empty())
        unused.set(i);
      else
        argument.entry = next++;
      DictionaryAttr attribute = entry.getArgAttrDict(i);
      attributes.push_back(
          unwritable(attribute, isConstant ? argument.type : Type()));
      tensors.arguments.push_back(argument);
    }
    for (auto [i, folded] : llvm::enumerate(tensors.folded)) {
      folded.entry = next++;
      attributes.push_back(entry.getArgAttrDict(argumentTiers.size() + i));
    }
    entry.setAllArgAttrs(attributes);
    return entry.eraseArguments(unused);
  }

  FunctionOpInterface entry;
  ArrayRef<ConstantTier> argumentTiers;
  std::string prefix;
  SymbolTable symbols;
  OpBuilder builder;
  ConstantTensors tensors;
};

} // namespace

LogicalResult outline(FunctionOpInterface entry,
                      const ConstantAnalysis &analysis,
                      ArrayRef<ConstantTier> argumentTiers,
                      ArrayRef<Fold> folds, const std::string &symbolPrefix) {
  Outliner outliner(entry, argumentTiers, symbolPrefix);
  for (const Fold &fold : folds)
    if (!fold.parts.empty() && failed(outliner.makeFunctions(fold)))
      return failure();
  if (failed(outliner.rewriteEntry(analysis, folds)))
    return failure();
  outliner.describe();
  return success();
}

} // namespace onnxfold

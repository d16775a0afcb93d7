//===- Compile.cpp - Fold functions as code that runs here ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The functions are copied into a module of their own, cut down to the results
// that are wanted, with literals as arguments: the compiler does not see their
// bytes, and time and memory do not grow with them.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/tensorfolding/evaluation/CompiledBytes.h"
#include "onnxfold/tensorfolding/evaluation/CompiledModule.h"
#include "onnxfold/tensorfolding/evaluation/internal/PendingFold.h"
#include "onnxfold/tensorfolding/lowering/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace onnxfold;
using namespace mlir;

namespace {

/// A function of the module that is compiled.
struct Code {
  PendingFold *fold;
  std::string name;
  SmallVector<unsigned> results; ///< of the fold function
  std::vector<Elements> literals;
};

} // namespace

/// Leaves what the terminator needs: an operation with effects, whose results
/// nobody reads, is none of its business.
static void keepSliceOfTerminator(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (&op != block.getTerminator() && op.use_empty())
      op.erase();
}

/// Makes arguments of the literals that are tensors; splats are left, they are
/// one number.
static void hoistLiterals(func::FuncOp function,
                          std::vector<Elements> &values) {
  for (Operation &op : llvm::make_early_inc_range(function.getBody().front())) {
    ElementsAttr literal;
    if (!matchPattern(&op, m_Constant(&literal)) || literal.isSplat() ||
        !isa<RankedTensorType>(op.getResult(0).getType()))
      continue;
    Elements value = fromAttribute(literal);
    if (!value)
      continue;
    unsigned number = function.getNumArguments();
    if (failed(function.insertArgument(number, op.getResult(0).getType(), {},
                                       op.getLoc())))
      continue;
    op.getResult(0).replaceAllUsesWith(function.getArgument(number));
    op.erase();
    values.push_back(toCompiledBytes(value));
  }
}

/// A copy of the function that computes its open results from its literals.
static Code addCopy(ModuleOp module, PendingFold &fold, unsigned number) {
  Code code{&fold, "fold_" + std::to_string(number), {}, {}};
  auto copy = cast<func::FuncOp>(fold.function->clone());
  module.push_back(copy);
  copy.setName(code.name);
  copy.setPublic();
  Operation *end = copy.getBody().front().getTerminator();
  SmallVector<Value> wanted;
  SmallVector<Type> types;
  for (auto [i, value] : llvm::enumerate(end->getOperands()))
    if (fold.isOpen(i)) {
      code.results.push_back(i);
      wanted.push_back(value);
      types.push_back(value.getType());
    }
  end->setOperands(wanted);
  copy->removeAttr(copy.getResAttrsAttrName());
  copy->removeAttr(copy.getArgAttrsAttrName());
  copy.setType(FunctionType::get(copy.getContext(),
                                 copy.getBody().getArgumentTypes(), types));
  keepSliceOfTerminator(copy.getBody().front());
  // A value that is computed from an argument is not wanted.
  (void)copy.eraseArguments(llvm::BitVector(copy.getNumArguments(), true));
  hoistLiterals(copy, code.literals);
  return code;
}

static llvm::Error runCode(const CompiledModule &compiled, const Code &code) {
  std::vector<MemrefDescriptor> descriptors;
  for (const Elements &literal : code.literals)
    descriptors.emplace_back(literal.residentBytes(), literal.shape());
  std::vector<llvm::IntrusiveRefCntPtr<HeapBuffer>> buffers;
  SmallVector<RankedTensorType> types;
  for (unsigned result : code.results) {
    auto type =
        cast<RankedTensorType>(code.fold->function.getResultTypes()[result]);
    types.push_back(type);
    uint64_t bytes =
        type.getNumElements() * byteWidth(toDataType(type.getElementType()));
    buffers.push_back(llvm::makeIntrusiveRefCnt<HeapBuffer>(bytes));
    descriptors.emplace_back(buffers.back()->data(), type.getShape());
  }
  SmallVector<void *> arguments;
  for (MemrefDescriptor &descriptor : descriptors)
    arguments.push_back(descriptor.get());
  if (llvm::Error error = compiled.call("_mlir_ciface_" + code.name, arguments))
    return error;
  for (auto [result, type, buffer] :
       llvm::zip_equal(code.results, types, buffers))
    code.fold->values[result] = fromCompiledBytes(
        toDataType(type.getElementType()), type.getShape(), buffer);
  return llvm::Error::success();
}

/// Why the open results of these functions could not be computed; empty if they
/// are now.
static std::string tryTogether(MutableArrayRef<PendingFold *> folds) {
  MLIRContext *context = folds.front()->function.getContext();
  OwningOpRef<ModuleOp> module(ModuleOp::create(UnknownLoc::get(context)));
  std::vector<Code> codes;
  for (PendingFold *fold : folds)
    codes.push_back(addCopy(*module, *fold, codes.size()));
  std::string reason;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (reason.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
      reason = diagnostic.str();
    return success();
  });
  PassManager manager(context);
  addLowerConstantTensorsToLLVM(manager);
  if (failed(manager.run(*module)))
    return reason.empty() ? "it cannot be lowered" : reason;
  auto compiled = CompiledModule::compile(*module);
  if (!compiled)
    return llvm::toString(compiled.takeError());
  for (const Code &code : codes)
    if (llvm::Error error = runCode(*compiled, code))
      return llvm::toString(std::move(error));
  return "";
}

void onnxfold::compileAndRun(MutableArrayRef<PendingFold> folds) {
  SmallVector<PendingFold *> open;
  for (PendingFold &fold : folds)
    if (llvm::any_of(llvm::seq<unsigned>(0, fold.values.size()),
                     [&](unsigned result) { return fold.isOpen(result); }))
      open.push_back(&fold);
  if (open.empty() || tryTogether(open).empty())
    return;
  // One of them cannot be compiled; it must not stop the others.
  for (PendingFold *fold : open) {
    std::string reason = tryTogether(fold);
    for (unsigned result = 0; result != fold->values.size(); ++result)
      if (fold->isOpen(result))
        fold->reasons[result] = reason;
  }
}

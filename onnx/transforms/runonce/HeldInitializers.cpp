//===- HeldInitializers.cpp - Initializers whose values may change --------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/runonce/HeldInitializers.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/ModelError.h"
#include "onnxfold/onnx/ir/NearNames.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/transforms/functions/CallGraph.h"
#include "onnxfold/onnx/transforms/functions/PureCalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/GlobPattern.h"

using namespace onnxfold;
using namespace mlir;

llvm::Expected<llvm::StringSet<>>
onnxfold::matchingNames(StringRef flag, StringRef expected,
                        ArrayRef<StringRef> names,
                        ArrayRef<std::string> globs) {
  llvm::StringSet<> result;
  for (const std::string &text : globs) {
    llvm::Expected<llvm::GlobPattern> glob = llvm::GlobPattern::create(text);
    if (!glob)
      return badPattern(flag, text, glob.takeError());
    bool matches = false;
    for (StringRef name : names)
      if (!name.empty() && glob->match(name)) {
        result.insert(name);
        matches = true;
      }
    if (!matches)
      return badOption(flag, text,
                       "the name of " + expected +
                           ", or a pattern that matches one" +
                           nearNames(names, text));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// HeldInitializers
//===----------------------------------------------------------------------===//

llvm::Expected<HeldInitializers>
HeldInitializers::create(ModuleOp module, StringRef flag,
                         ArrayRef<std::string> globs) {
  HeldInitializers result(module);
  SmallVector<OnnxConstantOp> candidates;
  SmallVector<StringRef> names;
  for (auto constant : mainBlock(module).getOps<OnnxConstantOp>())
    if (!constant.getNode()) {
      candidates.push_back(constant);
      names.push_back(valueName(constant));
    }
  llvm::Expected<llvm::StringSet<>> wanted =
      matchingNames(flag, "an initializer", names, globs);
  if (!wanted)
    return wanted.takeError();
  for (auto [constant, name] : llvm::zip_equal(candidates, names))
    if (wanted->contains(name))
      result.hold(constant);
  updateType(mainGraph(module));
  return result;
}

/// Nothing is known of the value of an argument.
void HeldInitializers::hold(Operation *initializer) {
  Value value = initializer->getResult(0);
  BlockArgument argument =
      addArgument(mainGraph(module), valueName(value), value.getType());
  value.replaceAllUsesWith(argument);
  initializer->remove();
  initializers.push_back(initializer);
  held.push_back(argument);
}

void HeldInitializers::restore() {
  FunctionOpInterface function = mainGraph(module);
  Block &block = mainBlock(module);
  Block::iterator begin = block.begin();
  for (auto [initializer, value] : llvm::zip_equal(initializers, held)) {
    Operation *constant = initializer.release();
    block.getOperations().insert(begin, constant);
    auto argument = cast<BlockArgument>(value);
    argument.replaceAllUsesWith(constant->getResult(0));
    eraseArgument(function, argument.getArgNumber());
    value = constant->getResult(0);
  }
  initializers.clear();
  updateType(function);
}

//===----------------------------------------------------------------------===//
// Dependence
//===----------------------------------------------------------------------===//

/// The same values in every run, whatever the bodies do.
static bool isPure(Operation &op, PureCalls &calls) {
  return !op.walk([&](Operation *inner) {
              bool isOperator = bool(Operator::from(inner));
              return !isOperator || isPureOperator(inner) ||
                             calls.contains(inner)
                         ? WalkResult::advance()
                         : WalkResult::interrupt();
            }).wasInterrupted();
}

Dependence onnxfold::dependenceOn(ModuleOp module,
                                  const llvm::DenseSet<Value> &roots,
                                  const llvm::DenseSet<Operation *> &chosen) {
  Dependence result;
  CallGraph graph(module, [](Operation *) { return false; });
  PureCalls calls(graph, {[](Operation *) { return false; },
                          [](Operation *) { return true; }});
  for (Operation &op : mainBlock(module).without_terminator()) {
    if (op.getNumResults() == 1 && roots.contains(op.getResult(0))) {
      result.onRoots.insert(&op);
      continue;
    }
    if (isa<OnnxConstantOp, OnnxAbsentOp>(op)) {
      result.onConstants.insert(&op);
      continue;
    }
    if (!Operator::from(&op) || !isPure(op, calls))
      continue;
    bool needsRoot = chosen.contains(&op), needsNothingElse = true;
    for (Value value : valuesReadBy(op)) {
      Operation *producer = value.getDefiningOp();
      bool readsRoot =
          producer ? result.onRoots.contains(producer) : roots.contains(value);
      needsRoot |= readsRoot;
      needsNothingElse &=
          readsRoot || (producer && result.onConstants.contains(producer));
    }
    if (needsNothingElse)
      (needsRoot ? result.onRoots : result.onConstants).insert(&op);
  }
  return result;
}

size_t onnxfold::numWaitingFor(ModuleOp module, ArrayRef<Value> initializers) {
  llvm::DenseSet<Value> roots(initializers.begin(), initializers.end());
  return dependenceOn(module, roots).onRoots.size() - roots.size();
}

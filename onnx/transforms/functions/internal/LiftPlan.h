//===- LiftPlan.h - Which constants functions get from calls ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Decides for all functions of a model at once, from the innermost to the main
// graph, which values of a body its calls will pass, which become constants in
// the body, and which arguments become unused. Changes nothing. See
// InterproceduralConstants.h.
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_LIFTPLAN_H
#define ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_LIFTPLAN_H

#include "onnxfold/elements/ops/EqualValues.h"
#include "onnxfold/onnx/transforms/functions/internal/FunctionInstances.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

namespace onnxfold {

/// Names of inputs that functions did not have in the model.
using GainedInputs = llvm::DenseMap<mlir::Operation *, llvm::StringSet<>>;

class LiftPlan {
public:
  using Instance = FunctionInstances::Instance;
  using IsErased = llvm::function_ref<bool(mlir::Operation *)>;

  /// A value that a body needs: a result of an operation in it, or, for a call
  /// in it, one of the new inputs of the called function.
  struct Item {
    mlir::Value value;
    mlir::Operation *call = nullptr;
    unsigned index = 0; ///< in Function::inputs of the callee
  };
  /// An item that is equal to an earlier one in all instances.
  struct Alias {
    Item item;
    bool isConstant; ///< the earlier one is in `constants`, else in `inputs`
    unsigned index;
  };
  struct Function {
    const CallGraph::Function *function = nullptr;
    llvm::DenseSet<mlir::Operation *> known; ///< they fold in all instances
    llvm::SmallVector<Item> inputs;    ///< new ones; each call passes a value
    llvm::SmallVector<Item> constants; ///< small and the same in all instances
    llvm::SmallVector<Alias> aliases;
    llvm::SmallVector<unsigned> unread; ///< used arguments that become unused
    bool isEmpty() const {
      return inputs.empty() && constants.empty() && unread.empty();
    }
  };
  /// A value that a call in the main graph passes.
  struct Given {
    mlir::Operation *call;
    unsigned index; ///< as Item::index
    Elements value;
  };

  /// `isErased`: the operation, or one around it, is replaced. `dropsIdle`:
  /// unreachable functions will be erased.
  LiftPlan(const CallGraph &graph, const FunctionInstances &instances,
           const Evaluation &evaluation, IsErased isErased,
           const GainedInputs &gained, bool dropsIdle);

  /// Makes the plan. Constants may grow by `budget` bytes; nothing: any number.
  void run(std::optional<int64_t> budget);

  bool isEmpty() const { return plans.empty(); }
  /// The budget left something out.
  bool isLimited() const { return !excluded.empty(); }
  /// The operation folds in all instances, and its users will be rewired.
  bool isLifted(mlir::Operation *op) const;
  /// The plan of a function; null if nothing changes in it and its calls.
  const Function *of(const CallGraph::Function *function) const;
  /// The value of an item in the first instance of a function.
  Elements valueIn(const Function &plan, const Item &item) const;
  /// The result of an operation that an item stands for, in this function or in
  /// one that it calls.
  mlir::Value originOf(const Function &plan, const Item &item) const {
    return leafAt(*instances.of(plan.function).front(), item).second;
  }
  /// The same, with the instance of the innermost function.
  Instance::Source leafAt(const Instance &instance, const Item &item) const;
  llvm::ArrayRef<Given> givenByMain() const { return given; }
  /// The classes of equal values in givenByMain().
  const ops::EqualValues &equal() const { return equalGiven; }
  /// The bytes of the values that become constants.
  int64_t newBytes() const { return bytesOfNew; }
  /// The users of the operation are all erased.
  bool isDead(mlir::Operation *op) const { return dead.contains(op); }
  /// Bytes that a constant takes in a file.
  static int64_t bytesOf(const Elements &value);

private:
  void planAll();
  bool mayChange(const CallGraph::Function *function) const;
  void findKnown(Function &plan);
  bool isKnownInAll(const FunctionInstances::List &list,
                    mlir::Operation *op) const;
  void findDead(mlir::Operation *function);
  bool findItems(Function &plan);
  bool take(Function &plan, const Item &item, bool isReturned);
  bool isSame(const FunctionInstances::List &list, const Item &item) const;
  bool isSmall(const FunctionInstances::List &list, const Item &item) const;
  void findUnread(Function &plan);
  void findEqual(const Function &plan);
  /// The first of the equal sources of an item.
  Instance::Source sourceAt(const Instance &instance, const Item &item) const;
  Elements valueAt(const Instance &instance, const Item &item) const;
  void shareItems(Function &plan, llvm::ArrayRef<Item> calls);
  bool isDropped(mlir::OpOperand &use) const;
  bool isCut(mlir::OpOperand &use) const;
  void collectGiven();
  int64_t countGrowth();
  mlir::Operation *largest() const;

  const CallGraph &graph;
  const FunctionInstances &instances;
  const Evaluation &evaluation;
  IsErased isErased;
  const GainedInputs &gained;
  bool dropsIdle;
  llvm::DenseMap<const CallGraph::Function *, std::unique_ptr<Function>> plans;
  llvm::DenseSet<mlir::Operation *> dead;   ///< only erased operations use them
  llvm::DenseSet<mlir::Operation *> lifted; ///< known, erased with their uses
  llvm::DenseSet<mlir::Operation *> excluded; ///< by the budget
  llvm::DenseSet<mlir::Operation *> returned; ///< cannot be arguments
  /// For values that are passed to functions: the first equal value, and its
  /// elements if they are no longer where they were found.
  llvm::DenseMap<Instance::Source, Instance::Source> firsts;
  llvm::DenseMap<Instance::Source, Elements> moved;
  llvm::SmallVector<Given> given;
  ops::EqualValues equalGiven;
  int64_t bytesOfNew = 0;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_LIFTPLAN_H

//===- FoldingInterface.h - What the engine asks a dialect ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The engine knows no operator. It reads MLIR's own interfaces, and for
// everything else asks the dialect of an operation, through this dialect
// interface:
//
//   struct MyFolding : FoldingInterface {
//     using FoldingInterface::FoldingInterface;
//     const KernelRegistry &kernels() const override { return registry; }
//   };
//   dialect->addInterfaces<MyFolding>();
//
// A dialect that you cannot edit gets one when it is loaded:
//   registry.addExtension(+[](MLIRContext *, arith::ArithDialect *dialect) {
//     dialect->addInterfaces<ArithFolding>();
//   });
//
// Operations of dialects without it fold as MLIR's own interfaces say
// (DefaultFolding.h). A constant is an operation that matches m_Constant with
// an ElementsAttr, IntegerAttr or FloatAttr.
//
// Thread safety: const members may be called from several threads.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_FOLDINGINTERFACE_H
#define ONNXFOLD_CONSTPROP_FOLDINGINTERFACE_H

#include "onnxfold/constprop/FoldContext.h"
#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/constprop/ValueTypes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/SymbolTable.h"

namespace onnxfold {

/// How an operation runs its body again and again.
struct BodyLoop {
  struct Argument {
    /// The state in the first iteration.
    ValueState first;
    /// The operand of the body's terminator that is its value in the next
    /// iteration. Without one, `first` holds in every iteration.
    std::optional<unsigned> next = std::nullopt;
    /// Its declared type, where the IR has a less precise one. If it is null,
    /// the type in the IR is the declared type.
    mlir::Type type = {};
  };
  mlir::Region *body = nullptr;                  // of one block
  llvm::SmallVector<Argument, 4> arguments = {}; // all of the body
  bool runs = false;                             // at least once, for sure
};

class FoldingInterface : public mlir::DialectInterface::Base<FoldingInterface> {
public:
  explicit FoldingInterface(mlir::Dialect *dialect) : Base(dialect) {}

  /// The interface of the operation's dialect, or null.
  static const FoldingInterface *of(mlir::Operation *op) {
    mlir::Dialect *dialect = op->getDialect();
    return dialect ? dialect->getRegisteredInterface<FoldingInterface>()
                   : nullptr;
  }

  /// The interface of the operation's dialect, or DefaultFolding (which reads
  /// MLIR's own interfaces) for a dialect without one.
  static const FoldingInterface &orDefault(mlir::Operation *op);

  virtual const KernelRegistry &kernels() const = 0;

  /// The kernel of this version of an operation, or why there is none. The
  /// default looks it up in kernels(). Operations with regions that have no
  /// kernel there run as RegionBranchOpInterface or LoopLikeOpInterface say.
  virtual ReasonOr<const Kernel *> kernelOf(mlir::Operation *op,
                                            int version) const;

  /// The version of its operator that an operation is an instance of.
  virtual int versionOf(mlir::Operation *) const { return 1; }

  /// Why an operation must be kept whatever its operands are (random, custom,
  /// ...). Asked before its kernel.
  virtual Reason mustBeKept(mlir::Operation *) const { return {}; }

  /// Why an operation is kept although it could be computed: it tells a runtime
  /// what to do (quantisation). Asked after mustBeKept(), by Operation::fold
  /// and by evaluations without a policy of their own (EvaluationOptions).
  virtual Reason keptByPolicy(mlir::Operation *) const { return {}; }

  /// Why the operation does not accept the types of its operands. Asked before
  /// its kernel.
  virtual Reason checkOperands(mlir::Operation *) const { return {}; }

  /// Sets type and shape of the results as far as they follow from what is
  /// known of the operands. The default reads the MLIR types. `types` holds
  /// what is known of MLIR types; types of results that are not tensors are
  /// noted there. The IR is not changed.
  virtual void inferTypes(mlir::Operation *op,
                          llvm::ArrayRef<const ValueState *> operands,
                          llvm::MutableArrayRef<ValueState> results,
                          DimExprs &exprs, ValueTypes &types) const;

  /// Appends the values that the branches of `op` may yield for `result`; none
  /// if `op` does not branch, or if they are not known. The default asks the
  /// RegionBranchOpInterface of operations that do not loop.
  virtual void branchesOf(mlir::Operation *op, unsigned result,
                          llvm::SmallVectorImpl<mlir::Value> &values) const;

  /// How `op` runs its body, if it is a loop. None if `op` is no loop, or if
  /// this is not known; only the types of the bodies' arguments are known then.
  /// The default asks the LoopLikeOpInterface of loops with one body.
  virtual std::optional<BodyLoop>
  loopOf(mlir::Operation *op, llvm::ArrayRef<const ValueState *> operands,
         DimExprs &exprs, const ValueTypes &types) const;

  /// What follows for the results of a loop from the values of its last
  /// iteration (`last`, one for each operand of the body's terminator). For
  /// loop-carried values `last` holds without any iteration, too; for the other
  /// operands it holds only if the loop surely runs. `results` holds what is
  /// known of the results already.
  virtual llvm::SmallVector<ValueState, 2>
  resultsOfLoop(mlir::Operation *op, bool runs,
                llvm::ArrayRef<const ValueState *> operands,
                llvm::ArrayRef<ValueState> last,
                llvm::ArrayRef<ValueState> results, DimExprs &exprs) const;

  /// A copy of the function that `op` calls, specialised for this call. The
  /// copy is in no module, and its body computes the results with the operands
  /// as arguments; arguments behind the operands are inputs that were left out.
  /// Null if `op` is no call, or calls no function in `functions`. The default
  /// takes calls that give each argument, and asks CallOpInterface and CallableOpInterface.
  virtual mlir::OwningOpRef<mlir::Operation *>
  copyOfCallee(mlir::Operation *op, const mlir::SymbolTable *functions) const;

  /// Called with a value whose declared type contradicts the inferred one.
  using NoteConflict = llvm::function_ref<void(mlir::Value, mlir::Type)>;

  /// May replace MLIR types of results that are unknown or wrong by the
  /// inferred ones. Called with EvaluationOptions::refinesTypes only: then
  /// evaluations change these types and those of loops' arguments, and nothing
  /// else. Not called with types that hold in one iteration only. `note` may be
  /// null.
  virtual void refineTypes(mlir::Operation *, llvm::ArrayRef<ValueState>,
                           const DimExprs &, const ValueTypes & /*types*/,
                           NoteConflict /*note*/) const {}

  /// May give the argument of a loop's body the type that loopOf has found.
  /// Called with EvaluationOptions::refinesTypes only.
  virtual void refineArgument(mlir::BlockArgument, mlir::Type) const {}

  /// The inferred type as an MLIR type, for a message about a conflict. If it
  /// is null, there is no message.
  virtual mlir::Type typeToTell(const ValueState &, const DimExprs &,
                                mlir::MLIRContext *) const {
    return {};
  }

  /// False if no constant can hold this result (a sequence). The operation is
  /// then kept if the result is used.
  virtual bool hasConstants(mlir::Operation *, unsigned /*result*/) const {
    return true;
  }

  /// Why no constant can hold this result, for the report.
  virtual llvm::StringRef whyNoConstant(mlir::Operation *,
                                        unsigned /*result*/) const {
    return "no constant can hold its result; its users fold";
  }

  /// Creates the constant that replaces result number `result` of `op`, with
  /// `builder`, which inserts before `op`; toAttribute (AttributeConversion.h)
  /// makes the attribute. `value` has the element type of the result, and a
  /// shape that its type allows: if that type is less precise (tensor<?xf32>),
  /// and users need it, add a cast after the constant. REQUIRES of the driver:
  /// the dialects of created operations are loaded.
  virtual mlir::Value materialize(mlir::OpBuilder &builder, mlir::Operation *op,
                                  unsigned result,
                                  const Elements &value) const = 0;

  /// True if an operation without users may be erased. The default asks MLIR's
  /// memory effects: an operation that does not declare them is kept, and one
  /// with regions is kept unless these are known to have none.
  virtual bool isRemovable(mlir::Operation *op,
                           const mlir::SymbolTable *functions) const;
};

/// The type and shape that an MLIR type states, with fresh symbols for `?`.
ValueState stateOfType(mlir::Type type, DimExprs &exprs);

/// The elements of a constant attribute: ElementsAttr, or IntegerAttr and
/// FloatAttr as a tensor of rank 0; null for others.
Elements elementsOf(mlir::Attribute attribute);

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_FOLDINGINTERFACE_H

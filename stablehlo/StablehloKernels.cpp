//===- StablehloKernels.cpp - Kernels for StableHLO and CHLO --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/stablehlo/StablehloKernels.h"
#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/stablehlo/ir/Dialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"

namespace onnxfold::hlo {
#define FAMILY(Name) void register##Name(KernelRegistry &);
#include "onnxfold/stablehlo/Families.def"
void registerChlo(KernelRegistry &);
void registerChloBroadcast(KernelRegistry &);
} // namespace onnxfold::hlo

using namespace onnxfold;
using namespace mlir;

void onnxfold::addStablehloKernels(StringRef dialect,
                                   KernelRegistry &registry) {
  if (dialect == "chlo") {
    hlo::registerChlo(registry);
    return hlo::registerChloBroadcast(registry);
  }
#define FAMILY(Name) hlo::register##Name(registry);
#include "onnxfold/stablehlo/Families.def"
}

namespace {

struct StablehloFolding : FoldingInterface {
  explicit StablehloFolding(Dialect *dialect)
      : FoldingInterface(dialect), registry(dialect->getNamespace()) {
    addStablehloKernels(dialect->getNamespace(), registry);
  }

  const KernelRegistry &kernels() const override { return registry; }
  Reason mustBeKept(Operation *op) const override;
  bool hasConstants(Operation *op, unsigned result) const override;
  Value materialize(OpBuilder &builder, Operation *op, unsigned result,
                    const Elements &value) const override;
  /// A while loop carries all of its values from iteration to iteration.
  std::optional<BodyLoop> loopOf(Operation *op,
                                 ArrayRef<const ValueState *> operands,
                                 DimExprs &exprs,
                                 const ValueTypes &types) const override;
  /// The decomposition of a composite.
  OwningOpRef<Operation *>
  copyOfCallee(Operation *op, const SymbolTable *functions) const override;
  bool isRemovable(Operation *op, const SymbolTable *functions) const override;
  SmallVector<ValueState, 2>
  resultsOfLoop(Operation *op, bool runs, ArrayRef<const ValueState *> operands,
                ArrayRef<ValueState> last, ArrayRef<ValueState> results,
                DimExprs &exprs) const override;

private:
  KernelRegistry registry;
};

} // namespace

/// A tensor of numbers that the library has, without bounds.
static bool isPlain(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getEncoding())
    return false;
  DataType known = toDataType(tensor.getElementType());
  return known != DataType::Undefined && known != DataType::String;
}

static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

Reason StablehloFolding::mustBeKept(Operation *op) const {
  StringRef name = op->getName().stripDialect();
  if (name == "optimization_barrier")
    return notFolded(ReasonCode::Filtered,
                     "keeps what is before it from what is after it");
  if (name == "rng" || name == "rng_bit_generator")
    return notFolded(ReasonCode::NotDeterministic,
                     "each implementation has numbers of its own");
  for (auto types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (!isPlain(type))
        return notFolded(ReasonCode::UnsupportedType,
                         "type " + textOf(type) + " is not supported");
  if (matchPattern(op, m_Constant()))
    return notFolded(ReasonCode::UnsupportedType, "its value cannot be read");
  return {};
}

bool StablehloFolding::hasConstants(Operation *op, unsigned result) const {
  Type type = op->getResult(result).getType();
  return isPlain(type) && cast<RankedTensorType>(type).hasStaticShape();
}

Value StablehloFolding::materialize(OpBuilder &builder, Operation *op,
                                    unsigned result,
                                    const Elements &value) const {
  auto type = cast<RankedTensorType>(op->getResult(result).getType());
  return hlo::ConstantOp::create(builder, op->getLoc(), type,
                                 toAttribute(value, type));
}

std::optional<BodyLoop>
StablehloFolding::loopOf(Operation *op, ArrayRef<const ValueState *> operands,
                         DimExprs &, const ValueTypes &) const {
  if (op->getName().getStringRef() != "stablehlo.while" ||
      op->getNumRegions() != 2)
    return std::nullopt;
  Region &body = op->getRegion(1);
  size_t count = operands.size();
  if (!body.hasOneBlock() || !body.front().mightHaveTerminator() ||
      body.getNumArguments() != count || op->getNumResults() != count ||
      body.front().back().getNumOperands() != count)
    return std::nullopt;
  BodyLoop loop{&body};
  for (auto [i, operand] : llvm::enumerate(operands))
    loop.arguments.push_back({*operand, unsigned(i)});
  return loop;
}

SmallVector<ValueState, 2> StablehloFolding::resultsOfLoop(
    Operation *op, bool, ArrayRef<const ValueState *>,
    ArrayRef<ValueState> last, ArrayRef<ValueState> results, DimExprs &) const {
  if (last.size() != op->getNumResults())
    return SmallVector<ValueState, 2>(results);
  return SmallVector<ValueState, 2>(last);
}

/// Null for one whose operands are not the arguments: a kernel in the body would
/// ask for a value that nobody gave.
static Operation *decompositionOf(Operation *op, const SymbolTable *functions) {
  if (!functions || op->getName().getStringRef() != "stablehlo.composite")
    return nullptr;
  auto symbol = op->getAttrOfType<FlatSymbolRefAttr>("decomposition");
  auto function = dyn_cast_if_present<CallableOpInterface>(
      symbol ? functions->lookup(symbol.getValue()) : nullptr);
  Region *body = function ? function.getCallableRegion() : nullptr;
  bool isCalled = body && body->getNumArguments() == op->getNumOperands() &&
                  function.getResultTypes().size() == op->getNumResults();
  return isCalled ? function.getOperation() : nullptr;
}

OwningOpRef<Operation *>
StablehloFolding::copyOfCallee(Operation *op,
                               const SymbolTable *functions) const {
  Operation *function = decompositionOf(op, functions);
  return function ? function->clone() : nullptr;
}

/// A composite does what its decomposition does, and no more. One that has
/// another inside is kept.
bool StablehloFolding::isRemovable(Operation *op,
                                   const SymbolTable *functions) const {
  Operation *function = decompositionOf(op, functions);
  if (!function)
    return FoldingInterface::isRemovable(op, functions);
  return llvm::all_of(function->getRegion(0).getOps(), [](Operation &inner) {
    return inner.hasTrait<OpTrait::IsTerminator>() ||
           isMemoryEffectFree(&inner);
  });
}

template <class D> static void add(DialectRegistry &registry) {
  registry.insert<D>();
  registry.addExtension(+[](MLIRContext *, D *dialect) {
    dialect->template addInterfaces<StablehloFolding>();
  });
}

void onnxfold::registerStablehlo(DialectRegistry &registry) {
  add<hlo::StablehloDialect>(registry);
  add<hlo::ChloDialect>(registry);
}

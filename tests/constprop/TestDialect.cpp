//===- TestDialect.cpp - A dialect that the engine's tests fold -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tests/constprop/TestDialect.h"
#include "onnxfold/constprop/FoldHook.h"
#include "onnxfold/constprop/SymbolicFold.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/elements/ops/Arithmetic.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include <numeric>

using namespace onnxfold;
using namespace onnxfold::ops;
using namespace mlir;

int onnxfold::callsOfBig = 0;
int onnxfold::callsOfRefine = 0;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static Elements plus(const Elements &x, const Elements &y) {
  return zip(x, y, [](auto a, auto b) { return ops::add(a, b); });
}
static Elements minus(const Elements &x, const Elements &y) {
  return zip(x, y, [](auto a, auto b) { return subtract(a, b); });
}

static FoldResult foldAdd(FoldContext &cx) {
  return cx.isSymbolic() ? foldSymbols(cx, SymbolOp::Add)
                         : plus(cx.input(0), cx.input(1));
}
static FoldResult foldSub(FoldContext &cx) {
  return cx.isSymbolic() ? foldSymbols(cx, SymbolOp::Subtract)
                         : minus(cx.input(0), cx.input(1));
}
static FoldResult foldMul(FoldContext &cx) {
  if (cx.isSymbolic())
    return foldSymbols(cx, SymbolOp::Multiply);
  return zip(cx.input(0), cx.input(1),
             [](auto a, auto b) { return ops::multiply(a, b); });
}
static FoldResult foldDiv(FoldContext &cx) {
  if (cx.isSymbolic())
    return foldSymbols(cx, SymbolOp::Divide);
  auto [x, y] = broadcast(cx.input(0), cx.input(1));
  auto xs = x.ints(), ys = y.ints();
  for (size_t i = 0; i < ys.size(); ++i)
    if (divisionUndefined(xs[i], ys[i]))
      return undefined("divisor element " + llvm::Twine(i) + " is " +
                       llvm::Twine(ys[i]));
  return zip(x, y, [](auto a, auto b) { return decltype(a)(a / b); });
}
static FoldResult foldNeg(FoldContext &cx) {
  return map(cx.input(0), [](auto a) { return negate(a); });
}
static FoldResult foldShape(FoldContext &cx) {
  auto dims = cx.inputShape(0);
  if (!dims)
    return notFolded(ReasonCode::InputNotConstant, "the rank is not known");
  return Elements::fromValues<DimExpr>({int64_t(dims->size())}, *dims);
}
static FoldResult foldConcat(FoldContext &cx) {
  SmallVector<Elements> parts;
  for (unsigned i = 0; i < cx.numInputs(); ++i)
    parts.push_back(cx.input(i));
  return concat(parts, 0);
}
static FoldResult foldRepeat(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Shape shape(x.shape());
  shape.insert(shape.begin(), cx.integer("n").value_or(1));
  return x.expand(shape);
}
static FoldResult foldFirst(FoldContext &cx) {
  return cx.input(0).slice(0, 0, 1);
}
static FoldResult foldSum(FoldContext &cx) {
  auto values = cx.intsOf(0);
  return Elements::fromValues<int64_t>(
      {}, {std::accumulate(values.begin(), values.end(), int64_t(0))});
}
static FoldResult foldBoth(FoldContext &cx) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  return SmallVector<Elements, 1>{plus(x, y), minus(x, y)};
}
static FoldResult foldHalf(FoldContext &cx) {
  return SmallVector<Elements, 1>{cx.input(0), Elements()};
}
static FoldResult foldBig(FoldContext &cx) {
  ++callsOfBig;
  if (auto n = cx.integer("n"))
    if (Reason reason = cx.checkResult(DataType::Int64, {*n}))
      return reason;
  return cx.input(0);
}
static FoldResult foldWork(FoldContext &cx) {
  if (Reason reason =
          cx.checkWork(cx.integer("n").value_or(1'000'000'000'000), 1))
    return reason;
  return cx.input(0);
}
static FoldResult foldWrongShape(FoldContext &cx) {
  return cx.input(0).reshape({1, cx.input(0).size()});
}
static FoldResult foldWrongType(FoldContext &cx) {
  return cast(cx.input(0), DataType::Float32);
}
static FoldResult foldWrongSecond(FoldContext &cx) {
  return SmallVector<Elements, 1>{cx.input(0),
                                  cast(cx.input(0), DataType::Float32)};
}

static FoldResult foldRun(FoldContext &cx) {
  SmallVector<FoldedValue, 1> carried;
  for (unsigned i = 0; i < cx.numInputs(); ++i)
    carried.push_back(cx.anyInput(i));
  for (int64_t i = 0, n = cx.integer("n").value_or(1); i < n; ++i) {
    FoldResult given = cx.runBody(cx.operation()->getRegion(0), carried);
    if (!given)
      return given;
    carried.assign(given.values().begin(), given.values().end());
  }
  return carried;
}
static FoldResult foldChoose(FoldContext &cx) {
  return cx.runBranch(cx.operation()->getRegion(cx.intsOf(0)[0] == 0));
}
static FoldResult foldList(FoldContext &cx) {
  std::vector<Elements> tensors;
  for (unsigned i = 0; i < cx.numInputs(); ++i)
    tensors.push_back(cx.input(i));
  return makeSequence(tensors);
}
static FoldResult foldAt(FoldContext &cx) {
  Sequence list = cx.anyInput(0).sequence;
  size_t i = cx.integer("n").value_or(0);
  return list && i < list->size() ? FoldResult((*list)[i])
                                  : undefined("there is no such tensor");
}
static FoldResult foldLength(FoldContext &cx) {
  Sequence list = cx.anyInput(0).sequence;
  return list ? FoldResult(Elements::splat<int64_t>({1}, list->size()))
              : undefined("is no list");
}

static void registerTestKernels(KernelRegistry &r) {
  r.add("add", {1}, foldAdd).movesSymbols();
  r.add("add", {2, 5}, foldAdd).movesSymbols();
  r.add("sub", {1}, foldSub).movesSymbols();
  r.add("mul", {1}, foldMul).movesSymbols();
  r.add("div", {1}, foldDiv).movesSymbols();
  r.add("neg", {1}, foldNeg);
  r.add("hooked", {1}, foldBoth);
  r.add("shape", {1}, foldShape).ignoresValue(0);
  r.add("concat", {1}, foldConcat).movesSymbols();
  r.add("repeat", {1}, foldRepeat).movesSymbols(0);
  r.add("first", {1}, foldFirst).movesSymbols(0);
  r.add("sum", {1}, foldSum);
  r.add("both", {1}, foldBoth);
  r.add("half", {1}, foldHalf);
  r.add("big", {1}, foldBig);
  r.add("work", {1}, foldWork);
  r.add("wrong_shape", {1}, foldWrongShape);
  r.add("wrong_type", {1}, foldWrongType);
  r.add("wrong_second", {1}, foldWrongSecond);
  r.add("run", {1}, foldRun).takesSequences();
  r.add("choose", {1}, foldChoose);
  r.add("list", {1}, foldList);
  r.add("at", {1}, foldAt).takesSequences();
  r.add("length", {1}, foldLength).takesSequences();
  r.add("random", {1}, foldNeg);
  r.add("stays", {1}, foldNeg);
}

//===----------------------------------------------------------------------===//
// Dialects
//===----------------------------------------------------------------------===//

namespace {

struct TestFolding : FoldingInterface {
  TestFolding(Dialect *dialect, void (*fill)(KernelRegistry &))
      : FoldingInterface(dialect), registry(dialect->getNamespace()) {
    fill(registry);
  }
  const KernelRegistry &kernels() const override { return registry; }

  int versionOf(Operation *op) const override {
    auto version = op->getAttrOfType<IntegerAttr>("v");
    return version ? version.getInt() : 1;
  }
  Reason mustBeKept(Operation *op) const override {
    if (op->getName().getStringRef() == "t.random")
      return notFolded(ReasonCode::NotDeterministic, "is random");
    if (op->getName().getStringRef() == "t.stays")
      return notFolded(ReasonCode::Quantization, "stays");
    return {};
  }
  void refineTypes(Operation *, ArrayRef<ValueState>, const DimExprs &,
                   const ValueTypes &, NoteConflict) const override {
    ++callsOfRefine;
  }
  std::optional<BodyLoop> loopOf(Operation *op,
                                 ArrayRef<const ValueState *> operands,
                                 DimExprs &,
                                 const ValueTypes &) const override {
    // Without operands it is just an operation with a body.
    if (op->getName().getStringRef() != "t.loop" || operands.empty())
      return std::nullopt;
    BodyLoop loop{&op->getRegion(0)};
    loop.runs = op->hasAttr("runs");
    for (auto [i, state] : llvm::enumerate(operands))
      loop.arguments.push_back({*state, unsigned(i)});
    return loop;
  }
  SmallVector<ValueState, 2> resultsOfLoop(Operation *, bool,
                                           ArrayRef<const ValueState *>,
                                           ArrayRef<ValueState> last,
                                           ArrayRef<ValueState>,
                                           DimExprs &) const override {
    return SmallVector<ValueState, 2>(last);
  }
  bool hasConstants(Operation *op, unsigned result) const override {
    return !isa<OpaqueType>(op->getResult(result).getType());
  }
  Value materialize(OpBuilder &builder, Operation *op, unsigned result,
                    const Elements &value) const override {
    Type type = op->getResult(result).getType();
    TypedAttr attribute;
    if (isa<IntegerType, IndexType>(type))
      attribute = builder.getIntegerAttr(type, value.ints()[0]);
    else
      attribute = toAttribute(value, toTensorType(value, builder.getContext()));
    return arith::ConstantOp::create(builder, op->getLoc(), attribute);
  }
  bool isRemovable(Operation *op, const SymbolTable *) const override {
    return op->getName().getStringRef() != "t.sticky";
  }
  OwningOpRef<Operation *>
  copyOfCallee(Operation *op, const SymbolTable *functions) const override {
    auto callee = op->getAttrOfType<FlatSymbolRefAttr>("callee");
    Operation *function =
        callee ? functions->lookup(callee.getValue()) : nullptr;
    return function ? function->clone() : nullptr;
  }
  KernelRegistry registry;
};

/// t.hooked: the only registered operation, so that Operation::fold finds it.
class HookedOp
    : public Op<HookedOp, OpTrait::VariadicResults, OpTrait::VariadicOperands> {
public:
  using Op::Op;
  static StringRef getOperationName() { return "t.hooked"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  LogicalResult fold(ArrayRef<Attribute> operands,
                     SmallVectorImpl<OpFoldResult> &results) {
    return foldWithKernel(*this, operands, results);
  }
};

class TestDialect : public Dialect {
public:
  explicit TestDialect(MLIRContext *context)
      : Dialect("t", context, TypeID::get<TestDialect>()) {
    addOperations<HookedOp>();
    allowUnknownOperations();
    addInterface(std::make_unique<TestFolding>(this, registerTestKernels));
  }
  static StringRef getDialectNamespace() { return "t"; }
  Operation *materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                 Location loc) override {
    return arith::ConstantOp::materialize(builder, value, type, loc);
  }
};

} // namespace

static void registerArithKernels(KernelRegistry &r) {
  r.add("addi", {1}, foldAdd);
  r.add("muli", {1}, foldMul);
  r.add("divsi", {1}, foldDiv);
}

void onnxfold::loadTestDialects(MLIRContext &context) {
  context.loadDialect<ElementsDialect, arith::ArithDialect, func::FuncDialect,
                      TestDialect>();
  context.allowUnregisteredDialects();
  Dialect *arith = context.getLoadedDialect("arith");
  arith->addInterface(
      std::make_unique<TestFolding>(arith, registerArithKernels));
}

//===----------------------------------------------------------------------===//
// The fixture
//===----------------------------------------------------------------------===//

void ConstpropTest::parse(llvm::StringRef text) {
  evaluation.reset();
  module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
}

static Operation *findIn(Operation *root, llvm::StringRef id) {
  Operation *found = nullptr;
  root->walk([&](Operation *op) {
    auto attribute = op->getAttrOfType<StringAttr>("id");
    if (attribute && attribute.getValue() == id)
      found = op;
  });
  return found;
}

bool ConstpropTest::exists(llvm::StringRef id) { return findIn(*module, id); }

Operation *ConstpropTest::find(llvm::StringRef id) {
  Operation *op = findIn(*module, id);
  EXPECT_TRUE(op) << id.str() << " is gone";
  return op;
}

Evaluation &ConstpropTest::evaluate(EvaluationOptions options) {
  OperationFingerPrint before(*module);
  evaluation.emplace(*module, std::move(options));
  evaluation->run();
  EXPECT_TRUE(before == OperationFingerPrint(*module)) << "the IR was touched";
  return *evaluation;
}

std::string ConstpropTest::outcome(llvm::StringRef id) {
  Operation *op = find(id);
  if (evaluation->isConstant(op))
    return "constant";
  if (evaluation->isFoldable(op))
    return "folded";
  return nameOf(evaluation->reason(op).code).str();
}

std::vector<int64_t> ConstpropTest::ints(llvm::StringRef id, unsigned i) {
  const ValueState &state = evaluation->state(find(id)->getResult(i));
  EXPECT_TRUE(state.isConstant()) << id.str();
  if (!state.isConstant())
    return {};
  auto values = state.value.ints();
  return {values.begin(), values.end()};
}

std::string ConstpropTest::text(Operation *op) {
  std::string text;
  llvm::raw_string_ostream out(text);
  op->print(out);
  return text;
}

int64_t onnxfold::countConstantBytes(Operation *root) {
  int64_t bytes = 0;
  root->walk([&](Operation *op) {
    Attribute value;
    if (op->use_empty() || !matchPattern(op, m_Constant(&value)))
      return;
    if (Elements elements = elementsOf(value))
      bytes += packedBytes(elements.type(), elements.size());
  });
  return bytes;
}

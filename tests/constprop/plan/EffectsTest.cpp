//===- EffectsTest.cpp - Operations with effects are kept -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// An operation whose users all fold was erased, although it did something else
// besides: where a dialect did not say that its operations are kept, they were
// erased. The default asks MLIR's memory effects.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/tests/constprop/TestDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace onnxfold;
using namespace mlir;

namespace {

/// It says nothing but that it has no kernels.
struct QuietFolding : FoldingInterface {
  explicit QuietFolding(Dialect *dialect)
      : FoldingInterface(dialect), registry("q") {}
  const KernelRegistry &kernels() const override { return registry; }
  Value materialize(OpBuilder &, Operation *, unsigned,
                    const Elements &) const override {
    return {};
  }
  KernelRegistry registry;
};

/// q.pure has no effects; of q.effect and q.region nobody knows.
class PureOp : public Op<PureOp, OpTrait::OneResult, OpTrait::VariadicOperands,
                         MemoryEffectOpInterface::Trait> {
public:
  using Op::Op;
  static StringRef getOperationName() { return "q.pure"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  void getEffects(
      SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &) {}
};

class QuietDialect : public Dialect {
public:
  explicit QuietDialect(MLIRContext *context)
      : Dialect("q", context, TypeID::get<QuietDialect>()) {
    addOperations<PureOp>();
    allowUnknownOperations();
    addInterface(std::make_unique<QuietFolding>(this));
  }
  static StringRef getDialectNamespace() { return "q"; }
};

class EffectsTest : public ConstpropTest {
protected:
  EffectsTest() { context.loadDialect<QuietDialect>(); }

  void fold(StringRef body) {
    parse(("func.func @f(%x: tensor<3xi64>) -> tensor<1xi64> {\n" + body +
           "%s = \"t.shape\"(%v) {id = \"s\"} : (tensor<3xi64>) -> "
           "tensor<1xi64>\nreturn %s : tensor<1xi64> }")
              .str());
    evaluate();
    FoldPlan(*evaluation, std::nullopt).apply();
    EXPECT_FALSE(exists("s"));
  }
};

} // namespace

TEST_F(EffectsTest, whatSaysNothingIsKept) {
  fold(R"(%v = "q.effect"(%x) {id = "v"} : (tensor<3xi64>) -> tensor<3xi64>)");
  EXPECT_TRUE(exists("v")) << text();
}

TEST_F(EffectsTest, operationsWithoutEffectsAreErased) {
  fold(R"(%v = "q.pure"(%x) {id = "v"} : (tensor<3xi64>) -> tensor<3xi64>)");
  EXPECT_FALSE(exists("v")) << text();
}

TEST_F(EffectsTest, unknownRegionsAreKept) {
  fold(R"(%v = "q.region"() ({
      %w = "q.pure"(%x) : (tensor<3xi64>) -> tensor<3xi64>
      "q.yield"(%w) : (tensor<3xi64>) -> ()
    }) {id = "v"} : () -> tensor<3xi64>)");
  EXPECT_TRUE(exists("v")) << text();
}

/// What it reads is erased only with it.
TEST_F(EffectsTest, effectsKeepTheirOperands) {
  fold(R"(%p = "q.pure"(%x) {id = "p"} : (tensor<3xi64>) -> tensor<3xi64>
    %v = "q.effect"(%p) {id = "v"} : (tensor<3xi64>) -> tensor<3xi64>)");
  EXPECT_TRUE(exists("p")) << text();
}

//===- TestOps.h - Operations that the tests of gc need ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   g.constant   {value}: a constant of any type of attribute
//   g.next       folds: a new disposable attribute with the operand's elements
//                plus one
//   g.holder     its properties are no plain attributes: a number, and a list
//                of attributes in a std::vector
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TESTS_GC_TESTOPS_H
#define ONNXFOLD_TESTS_GC_TESTOPS_H

#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/gc/DisposablePool.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace onnxfold::testops {

/// An operation of type T where the builder stands.
template <class T, class... Arguments>
T create(mlir::OpBuilder &builder, Arguments &&...arguments) {
  mlir::OperationState state(builder.getUnknownLoc(), T::getOperationName());
  T::build(builder, state, std::forward<Arguments>(arguments)...);
  return mlir::cast<T>(builder.create(state));
}

class ConstantOp
    : public mlir::Op<ConstantOp, mlir::OpTrait::OneResult,
                      mlir::OpTrait::ZeroOperands, mlir::OpTrait::ConstantLike,
                      mlir::MemoryEffectOpInterface::Trait> {
public:
  using Op::Op;
  static llvm::StringRef getOperationName() { return "g.constant"; }
  static llvm::ArrayRef<llvm::StringRef> getAttributeNames() { return {}; }
  static void build(mlir::OpBuilder &, mlir::OperationState &state,
                    mlir::TypedAttr value) {
    state.addAttribute("value", value);
    state.addTypes(value.getType());
  }
  void getEffects(
      llvm::SmallVectorImpl<
          mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>> &) {}
  mlir::OpFoldResult fold(llvm::ArrayRef<mlir::Attribute>) {
    return (*this)->getAttr("value");
  }
};

class NextOp : public mlir::Op<NextOp, mlir::OpTrait::OneResult,
                               mlir::OpTrait::OneOperand,
                               mlir::MemoryEffectOpInterface::Trait> {
public:
  using Op::Op;
  static llvm::StringRef getOperationName() { return "g.next"; }
  static llvm::ArrayRef<llvm::StringRef> getAttributeNames() { return {}; }
  static void build(mlir::OpBuilder &, mlir::OperationState &state,
                    mlir::Value operand) {
    state.addOperands(operand);
    state.addTypes(operand.getType());
  }
  void getEffects(
      llvm::SmallVectorImpl<
          mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>> &) {}
  mlir::OpFoldResult fold(llvm::ArrayRef<mlir::Attribute> operands) {
    auto x = mlir::dyn_cast_if_present<mlir::ElementsAttr>(operands[0]);
    if (!x)
      return {};
    Elements next =
        ops::map(fromAttribute(x), [](auto v) { return decltype(v)(v + 1); });
    return DisposableElementsAttr::get(x.getShapedType(), next.materialize());
  }
};

class HolderOp : public mlir::Op<HolderOp, mlir::OpTrait::ZeroOperands,
                                 mlir::OpTrait::ZeroResults> {
public:
  using Op::Op;
  struct Properties {
    int64_t number = 0;
    std::vector<mlir::Attribute> list;
    bool operator==(const Properties &other) const {
      return number == other.number && list == other.list;
    }
  };
  static llvm::StringRef getOperationName() { return "g.holder"; }
  static llvm::ArrayRef<llvm::StringRef> getAttributeNames() { return {}; }
  static void build(mlir::OpBuilder &, mlir::OperationState &state,
                    llvm::ArrayRef<mlir::Attribute> list) {
    state.getOrAddProperties<Properties>().list = list.vec();
  }

  static mlir::Attribute getPropertiesAsAttr(mlir::MLIRContext *context,
                                             const Properties &properties) {
    mlir::Builder builder(context);
    return builder.getDictionaryAttr(
        {builder.getNamedAttr("number",
                              builder.getI64IntegerAttr(properties.number)),
         builder.getNamedAttr("list", builder.getArrayAttr(properties.list))});
  }
  static mlir::LogicalResult setPropertiesFromAttr(
      Properties &properties, mlir::Attribute attr,
      llvm::function_ref<mlir::InFlightDiagnostic()> emitError) {
    auto dictionary = mlir::dyn_cast<mlir::DictionaryAttr>(attr);
    auto list = dictionary ? dictionary.getAs<mlir::ArrayAttr>("list")
                           : mlir::ArrayAttr();
    if (!list)
      return emitError() << "expected a list";
    properties.list = list.getValue().vec();
    return mlir::success();
  }
  static llvm::hash_code computePropertiesHash(const Properties &properties) {
    return llvm::hash_value(properties.number);
  }
  static std::optional<mlir::Attribute>
  getInherentAttr(mlir::MLIRContext *, const Properties &, llvm::StringRef) {
    return std::nullopt;
  }
  static void setInherentAttr(Properties &, llvm::StringRef, mlir::Attribute) {}
  static void populateInherentAttrs(mlir::MLIRContext *, const Properties &,
                                    mlir::NamedAttrList &) {}
  static mlir::LogicalResult
  verifyInherentAttrs(mlir::OperationName, mlir::NamedAttrList &,
                      llvm::function_ref<mlir::InFlightDiagnostic()>) {
    return mlir::success();
  }
};

class TestDialect : public mlir::Dialect {
public:
  explicit TestDialect(mlir::MLIRContext *context)
      : Dialect("g", context, mlir::TypeID::get<TestDialect>()) {
    addOperations<ConstantOp, NextOp, HolderOp>();
  }
  static llvm::StringRef getDialectNamespace() { return "g"; }
  mlir::Operation *materializeConstant(mlir::OpBuilder &builder,
                                       mlir::Attribute value, mlir::Type,
                                       mlir::Location) override {
    return create<ConstantOp>(builder, mlir::cast<mlir::TypedAttr>(value));
  }
};

} // namespace onnxfold::testops

#endif // ONNXFOLD_TESTS_GC_TESTOPS_H

//===- TotalityTest.cpp - Every kernel with every type of MLIR ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A type that the library does not have once ended the compiler. Here each
// registered operation that has a kernel meets constants of each builtin element
// type in each form. What MLIR's verifier accepts folds, or stays with a reason.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/constprop/plan/ConstantPropagation.h"
#include "onnxfold/dealloc/Passes.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/stablehlo/StablehloKernels.h"
#include "onnxfold/stablehlo/ir/Dialect.h"
#include "onnxfold/tests/upstream/TotalityForms.h"
#include "onnxfold/upstream/UpstreamKernels.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gmock/gmock.h"
#include <complex>
#include <map>
#include <set>

using namespace onnxfold;
using namespace mlir;

namespace {

constexpr StringLiteral elementTypes =
    "i1 i2 i4 i7 i8 i16 i17 i32 i48 i64 i65 i128 index si8 ui8 ui32 si64 "
    "f4E2M1FN f6E2M3FN f6E3M2FN f8E3M4 f8E4M3 f8E4M3FN f8E4M3FNUZ "
    "f8E4M3B11FNUZ f8E5M2 f8E5M2FNUZ f8E8M0FNU bf16 f16 tf32 f32 f64 f80 f128 "
    "complex<f16> complex<f32> complex<f64> complex<f128> complex<i8> "
    "complex<i32> complex<i128> !quant.uniform<i8:f32,0.5:-128> !other.opaque";

enum class Form { Scalar, Vector, Tensor, Splat, Empty, RankZero };
constexpr Form forms[] = {Form::Scalar, Form::Vector, Form::Tensor,
                          Form::Splat,  Form::Empty,  Form::RankZero};

/// The type of a value, or null if MLIR has none such.
Type typeOf(Form form, Type element) {
  if (form == Form::Scalar)
    return element;
  if (form == Form::Vector)
    return VectorType::isValidElementType(element)
               ? VectorType::get({2}, element)
               : Type();
  SmallVector<int64_t> shape;
  if (form != Form::RankZero)
    shape.push_back(form == Form::Empty ? 0 : 2);
  return RankedTensorType::get(shape, element);
}

APFloat floatOf(FloatType type, double value) {
  APFloat result(value);
  bool inexact;
  result.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                 &inexact);
  return result;
}

APInt integerOf(Type type, uint64_t value) {
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return APInt(width, value, /*isSigned=*/false, /*implicitTrunc=*/true);
}

/// Elements 1, 3, ... of any type that MLIR's dense attributes have, or null. A
/// tensor<1x..> is 0, as most zero points must be.
Attribute constantOf(Type type, bool isSplat) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped) {
    if (auto floats = dyn_cast<FloatType>(type))
      return FloatAttr::get(floats, floatOf(floats, 1));
    return type.isSignlessInteger() || type.isIndex()
               ? Attribute(IntegerAttr::get(type, integerOf(type, 1)))
               : Attribute();
  }
  Type element = shaped.getElementType();
  auto all = [&](auto one) -> Attribute {
    SmallVector<decltype(one(1))> values;
    for (int64_t i = 0; i < shaped.getNumElements(); ++i)
      values.push_back(one(isSplat ? 1 : 2 * i + 1));
    if (shaped.getShape() == ArrayRef<int64_t>{1})
      values.front() = one(0);
    return DenseElementsAttr::get(shaped, values);
  };
  if (auto floats = dyn_cast<FloatType>(element))
    return all([&](int64_t v) { return floatOf(floats, v); });
  if (element.isIntOrIndex())
    return all([&](int64_t v) { return integerOf(element, v); });
  auto pairs = dyn_cast<ComplexType>(element);
  if (!pairs)
    return {};
  Type part = pairs.getElementType();
  if (auto floats = dyn_cast<FloatType>(part))
    return all([&](int64_t v) {
      return std::complex(floatOf(floats, v), floatOf(floats, -v));
    });
  return all([&](int64_t v) {
    return std::complex(integerOf(part, v), integerOf(part, 1));
  });
}

std::string describe(Operation *op) {
  std::string text;
  llvm::raw_string_ostream(text) << *op;
  return text;
}

/// Attributes that an operation cannot be without, as text.
const std::map<StringRef, const char *> attributesOf = {
    {"arith.cmpf", "{predicate = 4 : i64}"},
    {"arith.cmpi", "{predicate = 2 : i64}"},
    {"chlo.top_k", "{k = 1 : i64}"},
    {"stablehlo.broadcast", "{broadcast_sizes = array<i64: 2>}"},
    {"stablehlo.broadcast_in_dim", "{broadcast_dimensions = array<i64: 0>}"},
    {"stablehlo.compare",
     "{comparison_direction = #stablehlo<comparison_direction LT>, "
     "compare_type = #stablehlo<comparison_type TOTALORDER>}"},
    {"stablehlo.concatenate", "{dimension = 0 : i64}"},
    {"stablehlo.dot_general", "{dot_dimension_numbers = #stablehlo.dot<>}"},
    {"stablehlo.dynamic_slice", "{slice_sizes = array<i64>}"},
    {"stablehlo.fft", "{fft_type = #stablehlo<fft_type FFT>, "
                      "fft_length = array<i64: 2>}"},
    {"stablehlo.iota", "{iota_dimension = 0 : i64}"},
    {"stablehlo.pad", "{edge_padding_low = array<i64>, edge_padding_high = "
                      "array<i64>, interior_padding = array<i64>}"},
    {"stablehlo.reduce_precision",
     "{exponent_bits = 4 : i32, mantissa_bits = 2 : i32}"},
    {"stablehlo.reverse", "{dimensions = array<i64: 0>}"},
    {"stablehlo.slice", "{start_indices = array<i64: 0>, limit_indices = "
                        "array<i64: 2>, strides = array<i64: 1>}"},
    {"stablehlo.transpose", "{permutation = array<i64: 0>}"},
};

/// What is known of the number of operands, from the traits.
bool mayHaveOperands(RegisteredOperationName name, unsigned count) {
  if (name.hasTrait<OpTrait::OneOperand>())
    return count == 1;
  if (name.hasTrait<OpTrait::NOperands<2>::Impl>())
    return count == 2;
  return !name.hasTrait<OpTrait::NOperands<3>::Impl>() || count == 3;
}

class Totality : public testing::Test {
protected:
  Totality() {
    DialectRegistry registry;
    registerUpstreamKernels(registry);
    registerStablehlo(registry);
    registerDeallocationDialects(registry);
    context.appendDialectRegistry(registry);
    context.allowUnregisteredDialects();
    context.printOpOnDiagnostic(false);
    context.loadDialect<ElementsDialect, arith::ArithDialect, func::FuncDialect,
                        hlo::ChloDialect, hlo::StablehloDialect,
                        linalg::LinalgDialect, math::MathDialect,
                        ml_program::MLProgramDialect, quant::QuantDialect,
                        tensor::TensorDialect, tosa::TosaDialect>();
    SplitString(elementTypes, elementNames);
    for (StringRef name : elementNames)
      elements.push_back(parseType(name, &context));
    unverified.emplace(&context, [](Diagnostic &) { return success(); });
  }

  std::vector<RegisteredOperationName> operationsWithKernels(
      ArrayRef<StringRef> dialects = {"arith", "linalg", "math", "ml_program",
                                      "tensor", "tosa"},
      function_ref<void(StringRef, KernelRegistry &)> addKernels =
          addUpstreamKernels) {
    std::vector<RegisteredOperationName> all;
    for (StringRef dialect : dialects) {
      KernelRegistry registry(dialect);
      addKernels(dialect, registry);
      for (RegisteredOperationName op : context.getRegisteredOperations())
        if (op.getDialectNamespace() == dialect &&
            registry.lookup(op.getStringRef(), 1))
          all.push_back(op);
    }
    return all;
  }

  Location unknown() { return UnknownLoc::get(&context); }
  /// Adds what the verifier takes of an operation on one constant.
  void addAll(OpBuilder &builder, RegisteredOperationName name, Form form,
              Type element, Value input);
  void addOne(OpBuilder &builder, RegisteredOperationName name,
              ArrayRef<Value> operands, ArrayRef<Type> results);
  /// Adds a function whose body computes with constants of these types, or with
  /// arguments where no constant has the type.
  void addFunction(ModuleOp module, ArrayRef<Type> types, bool isSplat,
                   function_ref<void(OpBuilder &, ValueRange)> addBody);
  /// Adds a function of this text, if MLIR takes it.
  void parseForm(ModuleOp module, const std::string &text);
  void foldOperandsOfOneType();
  void foldTextForms();
  void foldNamedForms();
  bool isLowered(Operation *op);
  /// Folds a module, and looks for operations that stay without a reason.
  void fold(ModuleOp module);

  MLIRContext context;
  SmallVector<StringRef> elementNames;
  SmallVector<Type> elements;
  std::optional<ScopedDiagnosticHandler> unverified;
  size_t functions = 0;
  std::set<std::string> met; // operations that the verifier took
};

} // namespace

void Totality::addOne(OpBuilder &builder, RegisteredOperationName name,
                      ArrayRef<Value> operands, ArrayRef<Type> results) {
  OperationState state(builder.getUnknownLoc(), name);
  state.addOperands(operands);
  state.addTypes(results);
  if (auto text = attributesOf.find(name.getStringRef());
      text != attributesOf.end())
    state.addAttributes(
        cast<DictionaryAttr>(parseAttribute(text->second, &context))
            .getValue());
  Operation *op = builder.create(state);
  if (failed(verify(op))) {
    op->erase();
    return;
  }
  OperationState use(builder.getUnknownLoc(), "other.use");
  use.addOperands(op->getResults());
  builder.create(use);
}

void Totality::addAll(OpBuilder &builder, RegisteredOperationName name,
                      Form form, Type element, Value input) {
  Type own = typeOf(form, element);
  Type truth = typeOf(form, IntegerType::get(&context, 1));
  for (unsigned count = 1; count <= 3; ++count) {
    if (!mayHaveOperands(name, count))
      continue;
    SmallVector<Value> operands(count, input);
    if (name.hasTrait<OpTrait::SameOperandsAndResultType>()) {
      addOne(builder, name, operands, own);
      continue;
    }
    addOne(builder, name, operands, SmallVector<Type>{own, own});
    addOne(builder, name, operands, SmallVector<Type>{own, truth});
    if (count > 1) {
      addOne(builder, name, operands, own);
      addOne(builder, name, operands, truth);
      continue;
    }
    for (Type other : elements)
      if (Type result = typeOf(form, other))
        addOne(builder, name, operands, result);
  }
}

void Totality::addFunction(
    ModuleOp module, ArrayRef<Type> types, bool isSplat,
    function_ref<void(OpBuilder &, ValueRange)> addBody) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location location = builder.getUnknownLoc();
  auto function =
      func::FuncOp::create(builder, location, "f" + std::to_string(functions++),
                           builder.getFunctionType(types, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  SmallVector<Value> inputs(function.getArguments());
  for (Value &input : inputs)
    if (auto value =
            cast_or_null<TypedAttr>(constantOf(input.getType(), isSplat)))
      input = arith::ConstantOp::create(builder, location, value);
  addBody(builder, inputs);
  func::ReturnOp::create(builder, location);
}

void Totality::fold(ModuleOp module) {
  {
    Evaluation evaluation(module, {});
    evaluation.run();
    module.walk([&](Operation *op) {
      if (!op->getDialect() || isa<func::FuncOp, func::ReturnOp>(op) ||
          isa<ModuleOp>(op) || op->hasTrait<OpTrait::ConstantLike>())
        return;
      met.insert(op->getName().getStringRef().str());
      bool hasReason = evaluation.reason(op).code != ReasonCode::None;
      EXPECT_EQ(hasReason, !evaluation.isFoldable(op)) << describe(op);
      EXPECT_EQ(hasReason, !evaluation.reason(op).text.empty()) << describe(op);
    });
  }
  propagateConstants(module, {});
  std::string messages;
  ScopedDiagnosticHandler listener(&context, [&](Diagnostic &diagnostic) {
    messages += diagnostic.str() + "\n";
    return success();
  });
  EXPECT_TRUE(succeeded(verify(module))) << messages;
}

/// The arguments become constants, and every result is used.
void Totality::parseForm(ModuleOp module, const std::string &text) {
  OwningOpRef<ModuleOp> parsed = parseSourceString<ModuleOp>(text, &context);
  if (!parsed)
    return;
  auto function = *parsed->getOps<func::FuncOp>().begin();
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  for (BlockArgument argument : function.getArguments())
    if (auto value =
            cast_or_null<TypedAttr>(constantOf(argument.getType(), false)))
      argument.replaceAllUsesWith(
          arith::ConstantOp::create(builder, builder.getUnknownLoc(), value));
  Operation *last = function.front().back().getPrevNode();
  builder.setInsertionPointAfter(last);
  OperationState use(builder.getUnknownLoc(), "other.use");
  use.addOperands(last->getResults());
  builder.create(use);
  if (failed(verify(function)))
    return;
  function.setName("f" + std::to_string(functions++));
  function->moveBefore(module.getBody(), module.getBody()->end());
}

/// The text of a function with this body, where !e and !acc are these types.
static std::string functionText(StringRef element, StringRef other,
                                StringRef arguments, StringRef body) {
  return llvm::formatv("!e = {0}\n!acc = {1}\nfunc.func @f({2}) {{\n  {3}\n"
                       "  return\n}\n",
                       element, other, arguments, body)
      .str();
}

/// The arguments and the body of a function that calls a named operation.
static std::pair<std::string, std::string> textOf(const NamedForm &form) {
  std::string arguments, names, types;
  auto typeOf = [](StringRef shape, StringRef element) -> std::string {
    if (shape.starts_with("i"))
      return shape.str();
    return llvm::formatv("tensor<{0}{1}{2}>", shape, shape.empty() ? "" : "x",
                         element);
  };
  for (const char *input : form.inputs) {
    std::string separator = names.empty() ? "" : ", ";
    std::string name = "%a" + std::to_string(names.size());
    names += separator + name;
    types += separator + typeOf(input, "!e");
    arguments += name + ": " + typeOf(input, "!e") + ", ";
  }
  std::string output = typeOf(form.output, "!acc");
  return {arguments + "%o: " + output,
          llvm::formatv("%r = linalg.{0} ins({1} : {2}) outs(%o : {3}) -> {3}",
                        form.name, names, types, output)};
}

void Totality::foldOperandsOfOneType() {
  for (RegisteredOperationName name : operationsWithKernels()) {
    OwningOpRef<ModuleOp> module = ModuleOp::create(unknown());
    for (Form form : forms)
      for (Type element : elements)
        if (Type type = typeOf(form, element))
          addFunction(*module, {type}, form == Form::Splat,
                      [&](OpBuilder &builder, ValueRange inputs) {
                        addAll(builder, name, form, element, inputs.front());
                      });
    fold(*module);
  }
}

void Totality::foldTextForms() {
  OwningOpRef<ModuleOp> module = ModuleOp::create(unknown());
  for (auto [type, element] : llvm::zip_equal(elements, elementNames))
    for (StringRef other :
         {element, StringRef("i32"), StringRef("i48"), StringRef("f16"),
          StringRef("f32"), StringRef("f8E8M0FNU")})
      for (const TextForm &form : textForms)
        if (!form.needsFloats || isa<FloatType>(type))
          parseForm(*module,
                    functionText(element, other, form.arguments, form.body));
  fold(*module);
}

void Totality::foldNamedForms() {
  // MLIR's own parser dies of other types in these.
  OwningOpRef<ModuleOp> module = ModuleOp::create(unknown());
  for (auto [type, element] : llvm::zip_equal(elements, elementNames))
    if (isa<IntegerType, FloatType>(type))
      for (StringRef other : {element, StringRef("i32"), StringRef("f32")})
        for (const NamedForm &form : namedForms) {
          auto [arguments, body] = textOf(form);
          parseForm(*module, functionText(element, other, arguments, body));
        }
  fold(*module);
}

/// A module of one function that computes `op` of its arguments.
static OwningOpRef<ModuleOp> moduleOf(Operation *op) {
  Location location = op->getLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(location);
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  auto function = func::FuncOp::create(
      builder, location, "f",
      builder.getFunctionType(op->getOperandTypes(), op->getResultTypes()));
  builder.setInsertionPointToStart(function.addEntryBlock());
  IRMapping mapping;
  mapping.map(op->getOperands(), function.getArguments());
  Operation *clone = builder.clone(*op, mapping);
  clone->setOperands(function.getArguments());
  func::ReturnOp::create(builder, location, clone->getResults());
  return module;
}

/// Lowers a module that computes `op` alone. A pass that fails says why.
bool Totality::isLowered(Operation *op) {
  std::string text = describe(op);
  OwningOpRef<ModuleOp> module = moduleOf(op);
  std::string messages;
  ScopedDiagnosticHandler listener(&context, [&](Diagnostic &diagnostic) {
    messages += diagnostic.str();
    return success();
  });
  PassManager manager(&context);
  addLowerDeallocationToLLVM(manager);
  if (failed(manager.run(*module))) {
    EXPECT_NE(messages, "") << text;
    return false;
  }
  return !module
              ->walk([](Operation *left) {
                StringRef dialect = left->getName().getDialectNamespace();
                return dialect == "llvm" || isa<ModuleOp>(left)
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

TEST_F(Totality, EachKernelFoldsOrSaysWhy) {
  foldOperandsOfOneType();
  foldTextForms();
  foldNamedForms();
  std::vector<std::string> missing;
  for (RegisteredOperationName name : operationsWithKernels())
    if (!met.count(name.getStringRef().str()))
      missing.push_back(name.getStringRef().str());
  // They compute nothing, and need a symbol.
  EXPECT_THAT(missing,
              testing::UnorderedElementsAre("ml_program.global_load",
                                            "ml_program.global_load_const"));
}

TEST_F(Totality, EachOfStablehloFoldsOrSaysWhy) {
  // These have no verifier: any number of operands of any types.
  std::vector<RegisteredOperationName> names =
      operationsWithKernels({"stablehlo", "chlo"}, addStablehloKernels);
  EXPECT_GT(names.size(), 90U);
  for (RegisteredOperationName name : names) {
    OwningOpRef<ModuleOp> module = ModuleOp::create(unknown());
    for (Form form : {Form::Tensor, Form::Splat, Form::Empty, Form::RankZero})
      for (Type element : elements) {
        Type own = typeOf(form, element);
        Type truth = typeOf(form, IntegerType::get(&context, 1));
        addFunction(*module, {own}, form == Form::Splat,
                    [&](OpBuilder &builder, ValueRange inputs) {
                      for (unsigned count = 0; count <= 3; ++count)
                        for (const SmallVector<Type> &results :
                             {SmallVector<Type>{own}, {truth}, {own, truth}})
                          addOne(builder, name,
                                 SmallVector<Value>(count, inputs.front()),
                                 results);
                    });
      }
    fold(*module);
  }
}

TEST_F(Totality, EachOfNumbersIsLowered) {
  context.disableMultithreading();
  std::vector<std::string> never;
  for (RegisteredOperationName name : operationsWithKernels()) {
    StringRef dialect = name.getDialectNamespace();
    if (dialect != "arith" && dialect != "math")
      continue;
    OwningOpRef<ModuleOp> module = ModuleOp::create(unknown());
    for (Type element : elements)
      addFunction(*module, {element}, /*isSplat=*/false,
                  [&](OpBuilder &builder, ValueRange inputs) {
                    addAll(builder, name, Form::Scalar, element,
                           inputs.front());
                  });
    size_t lowered = 0;
    module->walk([&](Operation *op) {
      lowered += op->getName() == name && isLowered(op);
    });
    if (lowered == 0)
      never.push_back(name.getStringRef().str());
  }
  // MLIR 22 has no conversion of the first two, and fpowi has operands of two
  // types (tests/tensorfolding/test_fold_run.py).
  EXPECT_THAT(never, testing::UnorderedElementsAre("arith.scaling_extf",
                                                   "arith.scaling_truncf",
                                                   "math.fpowi"));
}

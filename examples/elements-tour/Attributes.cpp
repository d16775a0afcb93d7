//===- Attributes.cpp - Values in the IR, and their collection ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Tour.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ir/ElementsBytecode.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/gc/Collector.h"
#include "onnxfold/gc/DisposablePool.h"
#include "onnxfold/gc/Merge.h"
#include "onnxfold/gc/Scrub.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace onnxfold;

/// 0, 1, 2 ... as an attribute of 4 KB.
static ElementsAttr makeWeights(MLIRContext &context, float first = 0) {
  Elements value =
      Elements::build<float>({1024}, [&](MutableArrayRef<float> out) {
        for (auto [i, element] : llvm::enumerate(out))
          element = first + i;
      });
  return toAttribute(value, toTensorType(value, &context));
}

static std::string numbers(MLIRContext &context) {
  DisposableStatistics now = DisposablePool::get(&context).statistics();
  return (llvm::Twine(now.created) + " created, " + llvm::Twine(now.disposed) +
          " freed, " + llvm::Twine(now.live()) + " live")
      .str();
}

void showAttributes() {
  MLIRContext context;
  context.loadDialect<ElementsDialect>();

  // Into the IR and out of it: no bytes are copied. The attribute is an
  // ElementsAttr like any other; values of up to 256 bytes and splats become
  // ordinary DenseElementsAttr, which MLIR merges.
  ElementsAttr weights = makeWeights(context);
  Elements same = fromAttribute(weights);
  show("held by the library", isa<DisposableElementsAttr>(weights));
  show("read by the interface", int(weights.getValues<float>()[1023]));

  // Any ElementsAttr can be read: a DenseElementsAttr too, where it lies.
  auto type = RankedTensorType::get({4}, Float32Type::get(&context));
  auto dense = DenseElementsAttr::get(type, ArrayRef<float>{1, 2, 3, 4});
  show("dense", fromAttribute(dense));

  // An operation on attributes, as a builder's functions are: null if an
  // operand cannot be read, or if the result has not the type.
  ElementsAttr sum = applyTo(
      type,
      [](Elements a, Elements b) {
        return ops::zip(a, b, [](auto u, auto v) { return ops::add(u, v); });
      },
      dense, dense);
  show("sum of attributes", fromAttribute(sum));
}

void showCollection() {
  MLIRContext context;
  context.loadDialect<ElementsDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  // From now on what is not in this module (or in another root, or pinned) is
  // garbage. The root is gone before the module: it is declared after it.
  ModuleRoot root(*module);

  // In use: in a list, in an attribute of the module.
  Builder builder(&context);
  (*module)->setAttr("tour.tables",
                     builder.getArrayAttr({makeWeights(context)}));
  // In use: pinned by C++ code.
  AttributePin pin(makeWeights(context, 1));
  // Not in use.
  ElementsAttr garbage = makeWeights(context, 2);

  DisposablePool::get(&context).collect();
  show("collected", numbers(context));
  show("garbage", cast<DisposableElementsAttr>(garbage).isDisposed()
                      ? "reading it would end the program"
                      : "is still there");

  // For those who know nothing of the library: ordinary attributes. A resource
  // is a name and bytes, as `dense_resource` in a file.
  pin = AttributePin();
  ScrubResult scrubbed = scrub(*module, {.form = ScrubForm::Resource});
  show("scrubbed bytes", scrubbed.bytes);
  DisposablePool::get(&context).collect();
  show("at the end", numbers(context));
}

namespace {

/// A pass that makes garbage: ten thousand values, one after the other.
struct Countdown : PassWrapper<Countdown, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Countdown)

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<ElementsDialect>();
  }
  void runOnOperation() override {
    DisposablePool &pool = DisposablePool::get(&getContext());
    for (int i = 10000; i > 0; --i) {
      getOperation()->setAttr("tour.value", makeWeights(getContext(), i));
      // Here only the module refers to attributes that are still needed.
      pool.safePoint();
    }
  }
};

} // namespace

void showSafePoints() {
  MLIRContext context;
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  ModuleRoot root(*module);
  PassManager passes(&context);
  // Collects after each pass; within one, where it says a safe point and has
  // made that many bytes.
  addCollector(passes, {.pressureBytes = 1 << 20});
  passes.addPass(std::make_unique<Countdown>());
  if (failed(passes.run(*module)))
    return;
  DisposableStatistics now = DisposablePool::get(&context).statistics();
  show("after ten thousand", numbers(context));
  show("at most 2 MB at once", now.peakBytes <= 2 << 20);
}

void showMerging() {
  MLIRContext context;
  context.loadDialect<ElementsDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  ModuleRoot root(*module);

  // Two attributes of equal value are two attributes, until they are merged.
  ElementsAttr a = makeWeights(context), b = makeWeights(context);
  (*module)->setAttr("tour.a", a);
  (*module)->setAttr("tour.b", b);
  show("equal before", a == b);
  mergeEqual(*module);
  show("equal after",
       (*module)->getAttr("tour.a") == (*module)->getAttr("tour.b"));
}

void showText() {
  MLIRContext context;
  context.loadDialect<ElementsDialect>();
  // Like dense<...> with the prefix of the dialect; hex beyond 100 elements.
  ElementsAttr weights = makeWeights(context);
  std::string text;
  llvm::raw_string_ostream(text) << weights;
  show("text", text.substr(0, 37) + "...");
  // Parsed without making a DenseElementsAttr, which would live for ever.
  Attribute parsed = parseAttribute(text, &context);
  bool same = fromAttribute(cast<ElementsAttr>(parsed))
                  .identicalTo(fromAttribute(weights));
  show("read back", same);
}

void showBytecode() {
  MLIRContext context;
  context.loadDialect<ElementsDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  ElementsAttr weights = makeWeights(context);
  (*module)->setAttr("tour.weights", weights);

  std::string file;
  llvm::raw_string_ostream out(file);
  {
    // Without the scope it works too, but copies every value.
    ElementsBytecodeScope scope;
    if (failed(writeBytecodeToFile(*module, out)))
      return;
  }
  auto again = parseSourceString<ModuleOp>(file, &context);
  auto read = (*again)->getAttrOfType<ElementsAttr>("tour.weights");
  bool same = fromAttribute(read).identicalTo(fromAttribute(weights));
  show("from bytecode", same);
}

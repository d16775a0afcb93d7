//===- Scrub.cpp - Disposable to ordinary attributes ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/gc/Scrub.h"
#include "onnxfold/elements/Spill.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ir/RawData.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/gc/DisposablePool.h"
#include "onnxfold/gc/Passes.h"
#include "onnxfold/gc/internal/AttributeWalk.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Operation.h"

namespace onnxfold {
#define GEN_PASS_DEF_SCRUBPASS
#include "onnxfold/gc/Passes.h.inc"
} // namespace onnxfold

using namespace onnxfold;

namespace onnxfold {

class Scrubber {
public:
  Scrubber(mlir::Operation *module, ScrubOptions options)
      : module(module), options(options),
        pool(DisposablePool::get(module->getContext())) {}

  ScrubResult run() {
    mayDispose = stopWorld();
    if (mayDispose) {
      number = pool.store.beginCollection();
      // Marked now is what somebody else still needs.
      pool.mark({}, /*except=*/module);
    }
    find();
    convert();
    replace();
    if (mayDispose)
      pool.world.resume();
    return result;
  }

private:
  /// An attribute and what becomes of it.
  struct Replacement {
    DisposableElementsAttr from;
    mlir::Attribute to;
    mlir::AsmResourceBlob blob; // of a resource, until it is named
    bool isResource = false;
  };

  bool stopWorld();
  void find();
  void convert();
  void convert(Replacement &replacement);
  void replace();

  mlir::Operation *module;
  ScrubOptions options;
  DisposablePool &pool;
  bool mayDispose = false; // the world is stopped
  uint32_t number = 0;     // of the collection, if so
  std::vector<Replacement> replacements;
  ScrubResult result;
};

} // namespace onnxfold

/// In a pass that is on a root, and the only one at work on any, too. In
/// others other roots may be changing and cannot be looked at.
bool Scrubber::stopWorld() {
  if (!pool.isInPass()) {
    pool.world.stop();
    return true;
  }
  DisposablePool::Activity *pass = pool.activity();
  return pass && pass->place == DisposablePool::Place::OnRoot &&
         pool.world.tryStopInside();
}

namespace {

/// Loops on the threads of a context, if it has any.
class ParallelContext {
public:
  explicit ParallelContext(mlir::MLIRContext *context) {
    if (context->isMultithreadingEnabled())
      scope.emplace(context->getThreadPool());
  }

private:
  std::optional<ParallelScope> scope;
};

} // namespace

/// A copy: a resource must not keep a file mapped that a value lies in, but for
/// that of spilled values.
static mlir::AsmResourceBlob makeBlob(const Elements &elements, bool inFile) {
  if (inFile && !isSubByte(elements.type()))
    return toResourceBlob(spill(elements));
  auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(elements.bytes());
  elements.read(buffer->data());
  return toResourceBlob(
      Elements::fromBuffer(elements.type(), elements.shape(), buffer));
}

void Scrubber::find() {
  walkDisposables(module, [&](DisposableElementsAttr attr, mlir::Location) {
    if (attr.isElided())
      return;
    replacements.push_back({attr, {}, {}});
    ++result.replaced;
    result.bytes += attr.getElements().bytes();
  });
}

void Scrubber::convert(Replacement &replacement) {
  // Threads that are left without a value of their own help with large ones.
  ParallelContext parallel(module->getContext());
  DisposableElementsAttr from = replacement.from;
  Elements elements = from.getElements();
  bool dense = options.form == ScrubForm::Dense || elements.isSplat() ||
               elements.bytes() <= denseAttributeLimit ||
               elements.type() == DataType::String;
  if (dense) {
    // Into recycled memory or huge pages, and by all threads. (What is packed
    // for the attribute has a pass of its own anyway.)
    if (hasRawForm(elements.type()) && !elements.isSplat() &&
        elements.type() != DataType::String)
      elements = elements.materialize();
    replacement.to = toDenseAttribute(elements, from.getType());
  } else {
    replacement.blob =
        makeBlob(elements, options.form == ScrubForm::ResourceInFile);
    replacement.isResource = true;
  }
  elements = Elements();
  if (mayDispose && !pool.store.isMarked(from))
    pool.store.sweep(number, from);
}

void Scrubber::convert() {
  // Not by MLIR's parallelForEach: threads of the pool may wait for the world
  // to continue, and this must not wait for them.
  ParallelContext parallel(module->getContext());
  parallelFor(replacements.size(), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      convert(replacements[i]);
  });
  // One by one, in the order of the module: names depend on it.
  for (Replacement &each : replacements)
    if (each.isResource)
      each.to = mlir::DenseResourceElementsAttr::get(
          each.from.getType(), "elements", std::move(each.blob));
}

void Scrubber::replace() {
  llvm::DenseMap<mlir::Attribute, mlir::Attribute> table;
  for (Replacement &each : replacements)
    table[each.from] = each.to;
  replaceAttributes(module, table);
}

ScrubResult onnxfold::scrub(mlir::Operation *module, ScrubOptions options) {
  return Scrubber(module, options).run();
}

namespace {

struct ScrubPass : onnxfold::impl::ScrubPassBase<ScrubPass> {
  using Base::Base;

  void runOnOperation() override {
    ScrubForm form = inFile      ? ScrubForm::ResourceInFile
                     : resources ? ScrubForm::Resource
                                 : ScrubForm::Dense;
    ScrubResult result = scrub(getOperation(), {.form = form});
    replaced += result.replaced;
    bytes += result.bytes;
  }
};

} // namespace

//===- ViewBench.cpp - What touches no bytes ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Views and reads in place, in nanoseconds at two sizes: the limit is one
// microsecond whatever the size. Reads fail if they give a copy.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/bench/elements/Rows.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ir/DisposableElementsAttr.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/MLIRContext.h"
#include <stdexcept>

using namespace onnxfold;
using namespace onnxfold::ops;
using namespace onnxfold::bench;

namespace viewBench {

void addViews() {
  auto view = [](const char *name,
                 std::function<Elements(const Elements &)> f) {
    addInstant(std::string("view/") + name, [f](const Elements &e) {
      Elements result = f(e);
      benchmark::DoNotOptimize(result);
    });
  };
  view("transpose", [](auto &e) { return e.transpose({1, 0}); });
  view("reshape", [](auto &e) {
    return e.reshape({e.dim(0) / 4, 4, e.dim(1)});
  });
  view("expand", [](auto &e) { return e.expand({8, e.dim(0), e.dim(1)}); });
  view("slice", [](auto &e) {
    return e.slice({1, 1}, {e.dim(0) / 2, e.dim(1) / 2}, {1, 2});
  });
  view("slice_negative_steps", [](auto &e) {
    return e.slice({e.dim(0) - 1, e.dim(1) - 1}, {e.dim(0), e.dim(1)},
                   {-1, -1});
  });
  view("unsqueeze", [](auto &e) { return e.unsqueeze({0}); });
  addInstant("view/squeeze", [](const Elements &e) {
    static const Elements one = e.unsqueeze({0});
    benchmark::DoNotOptimize(one.squeeze({0}));
  });
  addInstant("view/split_2", [](const Elements &e) {
    benchmark::DoNotOptimize(e.split(1, {e.dim(1) / 2, e.dim(1) / 2}));
  });
  // Of a program of four steps.
  addInstant("view/transpose_of_chain_4", [](const Elements &e) {
    static const Elements chain = [&] {
      Elements r = e;
      for (int i = 0; i < 4; ++i)
        r = map(r, [](auto v) { return v + v; });
      return r;
    }();
    benchmark::DoNotOptimize(chain.transpose({1, 0}));
  });
}

/// Throws if the elements are not read where they lie.
void readInPlace(mlir::ElementsAttr attr, const char *bytes) {
  Elements e = fromAttribute(attr);
  if (ElementsBytes(e).data() != bytes)
    throw std::runtime_error("the bytes were copied");
}

/// `make`: the attribute over the tensor, and where its bytes are.
using MakeAttribute = std::function<std::pair<mlir::ElementsAttr, const char *>(
    const Elements &)>;

void addRead(const char *name, MakeAttribute make) {
  addInstant(std::string("read/") + name, [make](const Elements &e) {
    // Of the process that measures.
    static const std::pair<mlir::ElementsAttr, const char *> attr = make(e);
    readInPlace(attr.first, attr.second);
  });
}

mlir::MLIRContext *context() {
  static mlir::MLIRContext &all = []() -> mlir::MLIRContext & {
    auto *made = new mlir::MLIRContext(mlir::MLIRContext::Threading::DISABLED);
    made->loadDialect<ElementsDialect>();
    return *made;
  }();
  return &all;
}

void addReads() {
  addRead("disposable", [](const Elements &e) {
    mlir::ElementsAttr attr =
        DisposableElementsAttr::get(toTensorType(e, context()), e);
    return std::pair(attr, Elements::Reader(e).contiguousBytes());
  });
  addRead("dense", [](const Elements &e) {
    mlir::DenseElementsAttr attr =
        toDenseAttribute(e, toTensorType(e, context()));
    return std::pair(mlir::ElementsAttr(attr), attr.getRawData().data());
  });
  addRead("dense_resource", [](const Elements &e) {
    std::vector<char> bytes = toRawBuffer(e);
    auto attr = mlir::DenseResourceElementsAttr::get(
        toTensorType(e, context()), "weights",
        mlir::HeapAsmResourceBlob::allocateAndCopyWithAlign(
            llvm::ArrayRef<char>(bytes), 64));
    return std::pair(mlir::ElementsAttr(attr),
                     attr.getRawHandle().getBlob()->getData().data());
  });
}

const bool registered = [] {
  addViews();
  addReads();
  return true;
}();

} // namespace viewBench

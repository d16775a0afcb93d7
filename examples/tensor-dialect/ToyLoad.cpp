//===- ToyLoad.cpp - Constants over a mapped file -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// How values come into the library: bytes that somebody else owns, here a file
// that is mapped, become an `Elements` without being copied, and the handle
// becomes an attribute. A model of 30 GB takes no memory until somebody reads.
//
//===----------------------------------------------------------------------===//

#include "ToyDialect.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace {

struct LoadPass : PassWrapper<LoadPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LoadPass)

  LoadPass() = default;
  LoadPass(const LoadPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "toy-load"; }
  StringRef getDescription() const override {
    return "turn toy.load into constants over mapped files";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<toy::ToyDialect>();
  }

  void runOnOperation() override {
    WalkResult result = getOperation()->walk([&](toy::LoadOp op) {
      ElementsAttr value = load(op);
      if (!value)
        return WalkResult::interrupt();
      OpBuilder builder(op);
      op.replaceAllUsesWith(
          toy::ConstantOp::create(builder, op.getLoc(), value).getResult());
      op.erase();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

  /// Null, with an error on the operation, if the file does not have the bytes.
  ElementsAttr load(toy::LoadOp op);

  Option<std::string> directory{*this, "directory",
                                llvm::cl::desc("where the files are"),
                                llvm::cl::init(".")};
};

} // namespace

ElementsAttr LoadPass::load(toy::LoadOp op) {
  llvm::SmallString<128> path(directory.getValue());
  llvm::sys::path::append(path, op.getFile());
  auto read = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!read) {
    op.emitOpError("cannot read ") << path << ": " << read.getError().message();
    return {};
  }
  std::shared_ptr<llvm::MemoryBuffer> file = std::move(*read);

  auto type = cast<RankedTensorType>(op.getType());
  onnxfold::DataType element = onnxfold::toDataType(type.getElementType());
  std::optional<int64_t> count = onnxfold::checkedNumElements(type.getShape());
  int64_t bytes = count ? onnxfold::packedBytes(element, *count) : -1;
  int64_t size = file->getBufferSize(), offset = op.getOffset();
  if (bytes < 0 || offset < 0 || offset > size || size - offset < bytes) {
    op.emitOpError("file ") << path << " has " << size << " bytes, expected "
                            << bytes << " at " << offset << " for " << type;
    return {};
  }

  // The function owns the mapping. It is called, and the file unmapped, when
  // the last tensor that shares the bytes is gone.
  onnxfold::BufferRef buffer = onnxfold::foreignBuffer(
      ArrayRef(file->getBufferStart() + offset, size_t(bytes)), [file] {});
  return onnxfold::toAttribute(
      onnxfold::Elements::fromBuffer(element, type.getShape(), buffer), type);
}

std::unique_ptr<Pass> toy::createLoadPass(std::string directory) {
  auto pass = std::make_unique<LoadPass>();
  pass->directory = std::move(directory);
  return pass;
}

void toy::registerLoadPass() {
  registerPass([] { return createLoadPass(); });
}

//===- Bufferization.cpp - Sequences in one-shot bufferization ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/sequence/transforms/internal/Bufferization.h"

#include "onnxfold/sequence/Dialect.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace onnxfold::sequence;

namespace {
/// What is the same for all: tensors are read, and what comes out is nobody
/// else's and must not be written, because sequences may share it.
template <typename Model, typename Op>
struct SequenceModel : BufferizableOpInterface::ExternalModel<Model, Op> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *, OpOperand &,
                                      const AnalysisState &) const {
    return {};
  }
  bool isWritable(Operation *, Value, const AnalysisState &) const {
    return false;
  }
  FailureOr<BufferLikeType> getBufferType(Operation *, Value value,
                                          const BufferizationOptions &,
                                          const BufferizationState &,
                                          SmallVector<Value> &) const {
    return cast<BufferLikeType>(Type(getMemRefTypeWithStaticIdentityLayout(
        cast<TensorType>(value.getType()))));
  }
};

/// The record of a tensor.
static FailureOr<Value> recordOf(RewriterBase &rewriter, Location location,
                                 Value tensor,
                                 const BufferizationOptions &options,
                                 BufferizationState &state) {
  if (!isa<TensorType>(tensor.getType()))
    return tensor;
  FailureOr<Value> buffer = getBuffer(rewriter, tensor, options, state);
  if (failed(buffer))
    return failure();
  return RecordCopyOp::create(rewriter, location, *buffer).getRecord();
}

/// Replaces the operation's tensor by the buffer of a record.
static void replaceByView(RewriterBase &rewriter, Operation *op, Value record,
                          bool checked) {
  Type type = getMemRefTypeWithStaticIdentityLayout(
      cast<TensorType>(op->getResult(0).getType()));
  Value view =
      RecordViewOp::create(rewriter, op->getLoc(), type, record, checked);
  replaceOpWithBufferizedValues(rewriter, op, view);
}

struct RecordCopyModel : SequenceModel<RecordCopyModel, RecordCopyOp> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto record = recordOf(rewriter, op->getLoc(),
                           cast<RecordCopyOp>(op).getSource(), options, state);
    if (failed(record))
      return failure();
    rewriter.replaceOp(op, *record);
    return success();
  }
};

struct ConstructModel : SequenceModel<ConstructModel, ConstructOp> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    SmallVector<Value> records;
    for (Value element : cast<ConstructOp>(op).getElements()) {
      auto record = recordOf(rewriter, op->getLoc(), element, options, state);
      if (failed(record))
        return failure();
      records.push_back(*record);
    }
    rewriter.replaceOpWithNewOp<ConstructOp>(op, op->getResultTypes(), records);
    return success();
  }
};

struct InsertModel : SequenceModel<InsertModel, InsertOp> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto insert = cast<InsertOp>(op);
    auto record =
        recordOf(rewriter, op->getLoc(), insert.getElement(), options, state);
    if (failed(record))
      return failure();
    rewriter.replaceOpWithNewOp<InsertOp>(op, insert.getResult().getType(),
                                          *record, insert.getSequence(),
                                          insert.getPosition());
    return success();
  }
};

struct AtModel : SequenceModel<AtModel, AtOp> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &,
                          BufferizationState &) const {
    auto at = cast<AtOp>(op);
    Value record = RecordAtOp::create(rewriter, op->getLoc(), at.getSequence(),
                                      at.getPosition(), /*borrowed=*/false);
    bool checked = !covers(cast<TensorType>(at.getResult().getType()),
                           at.getSequence().getType().getElementType());
    replaceByView(rewriter, op, record, checked);
    return success();
  }
};

struct SplitModel : SequenceModel<SplitModel, SplitOp> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto split = cast<SplitOp>(op);
    auto bufferOf = [&](Value value) -> FailureOr<Value> {
      if (!value || !isa<TensorType>(value.getType()))
        return value;
      return getBuffer(rewriter, value, options, state);
    };
    FailureOr<Value> input = bufferOf(split.getInput());
    FailureOr<Value> sizes = bufferOf(split.getSizes());
    if (failed(input) || failed(sizes))
      return failure();
    rewriter.replaceOpWithNewOp<SplitOp>(op, split.getResult().getType(),
                                         *input, split.getChunk(), *sizes,
                                         split.getAxis(), split.getSqueeze());
    return success();
  }
};

struct ConcatModel : SequenceModel<ConcatModel, ConcatOp> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &,
                          BufferizationState &) const {
    auto concat = cast<ConcatOp>(op);
    Value record = ConcatOp::create(
        rewriter, op->getLoc(), RecordType::get(op->getContext()),
        concat.getSequence(), concat.getAxis(), concat.getStack());
    // Extents are not known before the elements are: what the type says is
    // looked at.
    replaceByView(rewriter, op, record,
                  cast<TensorType>(concat.getResult().getType()).hasRank());
    return success();
  }
};

/// Results are new buffers, which anybody may write to.
struct KernelModel : SequenceModel<KernelModel, KernelOp> {
  bool bufferizesToAllocation(Operation *, Value) const { return true; }
  bool isWritable(Operation *, Value, const AnalysisState &) const {
    return true;
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto kernel = cast<KernelOp>(op);
    SmallVector<Value> inputs, outputs, buffers;
    for (Value input : kernel.getInputs()) {
      FailureOr<Value> buffer = getBuffer(rewriter, input, options, state);
      if (failed(buffer))
        return failure();
      inputs.push_back(*buffer);
    }
    SmallVector<bool> filled;
    SmallVector<Type> allocated;
    for (Type result : kernel.getResultTypes()) {
      BaseMemRefType type =
          getMemRefTypeWithStaticIdentityLayout(cast<TensorType>(result));
      filled.push_back(type.hasStaticShape());
      if (!filled.back()) {
        allocated.push_back(type);
        continue;
      }
      FailureOr<Value> buffer =
          options.createAlloc(rewriter, op->getLoc(), cast<MemRefType>(type),
                              /*dynShape=*/{});
      if (failed(buffer))
        return failure();
      outputs.push_back(*buffer);
    }
    auto call = KernelOp::create(rewriter, op->getLoc(), allocated, inputs,
                                 outputs, kernel.getText(), filled);
    // The entry allocates as memref.alloc does: also for dealloc/.
    call->setAttr("deallocation.freeable", rewriter.getUnitAttr());
    auto output = outputs.begin();
    auto result = call.getResults().begin();
    for (bool isFilled : filled)
      buffers.push_back(isFilled ? *output++ : Value(*result++));
    replaceOpWithBufferizedValues(rewriter, op, buffers);
    return success();
  }
};
} // namespace

void onnxfold::sequence::registerSequenceBufferization(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, SequenceDialect *) {
    RecordCopyOp::attachInterface<RecordCopyModel>(*context);
    ConstructOp::attachInterface<ConstructModel>(*context);
    InsertOp::attachInterface<InsertModel>(*context);
    AtOp::attachInterface<AtModel>(*context);
    SplitOp::attachInterface<SplitModel>(*context);
    ConcatOp::attachInterface<ConcatModel>(*context);
    KernelOp::attachInterface<KernelModel>(*context);
  });
}

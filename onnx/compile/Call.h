//===- Call.h - Values in and out of a compiled model -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   Call call(machine, signature);
//   if (llvm::Error error = call.setInputs(values)) ...   // copied
//   auto results = call.run();
//
// A call may be run again and again.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_COMPILE_CALL_H
#define ONNXFOLD_ONNX_COMPILE_CALL_H

#include "onnxfold/constprop/FoldResult.h"
#include "onnxfold/onnx/compile/Machine.h"
#include "onnxfold/sequence/runtime/Sequence.h"

namespace onnxfold {

class Call {
public:
  Call(const Machine &machine, const Signature &signature)
      : machine(machine), signature(signature) {}

  /// Copies the inputs, in the model's order. An error names the input whose
  /// type or shape differs from the model's.
  llvm::Error setInputs(llvm::ArrayRef<FoldedValue> values);

  /// Runs the program, and returns copies of its results. Its own memory is
  /// freed.
  std::vector<FoldedValue> run();

  double lastMicroseconds() const { return microseconds; }

private:
  void addTensor(const ValueSignature &value, const Elements &elements);
  void addSequence(const ValueSignature &value,
                   llvm::ArrayRef<Elements> elements);
  FoldedValue takeTensor(const ValueSignature &value, int64_t *&words);
  FoldedValue takeSequence(const ValueSignature &value, int64_t *&words);
  FoldedValue take(const ValueSignature &value, int64_t *&words);

  const Machine &machine;
  const Signature &signature;
  std::vector<llvm::IntrusiveRefCntPtr<HeapBuffer>> buffers;
  std::vector<std::unique_ptr<std::vector<int64_t>>> descriptors;
  std::vector<std::unique_ptr<sequence::Sequence>> sequences;
  struct Argument {
    int64_t word = 0; ///< a pointer to a descriptor, or whether there is one
    sequence::Sequence *list = nullptr;
  };
  std::vector<Argument> arguments;
  double microseconds = 0;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_COMPILE_CALL_H

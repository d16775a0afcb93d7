//===- Implementation.h - A program with its sets ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// FoldedProgram.cpp loads it and changes its sets, Preparation.cpp folds and
// publishes what calls need, EntryCalls.cpp calls the entry.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_IMPLEMENTATION_H
#define ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_IMPLEMENTATION_H

#include "onnxfold/tensorfolding/runtime/internal/Folding.h"
#include <deque>

namespace onnxfold::tensorfolding {

namespace internal {

/// Weights and the values that are folded from them. The store's mutex guards a
/// set; it must not be destroyed while that mutex is held.
struct ConstantSet {
  ~ConstantSet() {
    Garbage garbage;
    std::lock_guard lock(Store::get().mutex);
    if (snapshot)
      Store::get().retire(*snapshot, garbage);
  }

  Weights weights; // by argument; null where none was given
  std::vector<std::shared_ptr<PartState>> parts;
  Snapshot *snapshot = nullptr;
};

using SharedSet = std::shared_ptr<ConstantSet>;

} // namespace internal

class FoldedProgram::Implementation {
public:
  Implementation(Metadata metadata, LoadOptions options);
  ~Implementation();

  Error findFunctions(const Resolver &resolve);

  // Sets.
  Error setWeight(uint32_t argument, const Tensor &value,
                  std::function<void()> release, bool isUpdate);
  Error foldInactive();
  Error swap();
  void freeInactive();

  // Calls.
  Error fold();
  Error call(std::span<const Tensor> inputs, std::vector<OwnedTensor> *results,
             std::span<const Tensor> outputs);
  Error callUnchecked(void *const *arguments, void *returned);

  const Metadata metadata;
  const LoadOptions options;
  /// By argument: whether a part or the entry takes it as a constant.
  std::vector<bool> isNeeded;
  std::atomic<uint64_t> folds = 0, shared = 0, evictions = 0;

private:
  using Snapshot = internal::Snapshot;
  using FoldedBlock = internal::FoldedBlock;
  using SharedSet = internal::SharedSet;
  using Weights = internal::Weights;
  struct Preparation;
  class Pinned;

  Error wrong(ErrorCode code, uint32_t argument, const std::string &what) const;
  Error bind(uint32_t argument, const Tensor &value,
             std::function<void()> &release,
             std::shared_ptr<const internal::Weight> &bound) const;
  SharedSet copyOf(const internal::ConstantSet &set) const;
  std::shared_ptr<internal::PartState> makePart(uint32_t number,
                                                const Weights &weights) const;
  Error putFirst(uint32_t argument,
                 std::shared_ptr<const internal::Weight> &weight);
  Error putUpdate(uint32_t argument,
                  std::shared_ptr<const internal::Weight> &weight,
                  SharedSet &fresh);
  /// Null, or the error that names the first argument without a value.
  Error findMissing(const internal::ConstantSet &set) const;

  Error pinReady(Snapshot *&pinned);
  Error prepare(const SharedSet &set, Snapshot *&pinned);
  Error obtain(internal::PartState &part, bool wait, FoldedBlock *&held);
  bool mayShare(const Part &part) const {
    return options.share && part.hash != ContentHash();
  }
  Error foldPart(internal::PartState &part, FoldedBlock *&held);
  FoldedBlock *takeShared(internal::PartState &part, const Weights &inputs,
                          uint64_t sample, std::optional<ContentHash> &hash);
  Snapshot &publish(const SharedSet &set,
                    const std::vector<FoldedBlock *> &blocks,
                    internal::Garbage &garbage);
  void fill(Snapshot &snapshot, const internal::ConstantSet &set,
            const std::vector<FoldedBlock *> &blocks) const;
  void unpin(Snapshot &snapshot);

  Error checkInputs(std::span<const Tensor> inputs) const;
  Error checkOutputs(std::span<const Tensor> outputs) const;
  Error allocateResults(std::vector<OwnedTensor> &results) const;
  Error takeReturned(char *returned, std::vector<OwnedTensor> &results) const;
  void run(const Snapshot &snapshot, void *const *arguments,
           void *returned) const;

  internal::CompiledFunction entry;
  std::vector<internal::CompiledFunction> foldFunctions; // by part

  /// An argument of the new entry that each call gives.
  struct InputSlot {
    uint32_t entryArgument;
    uint32_t input; // its place among the inputs
    bool isScalar;
  };
  std::vector<InputSlot> inputSlots;
  std::vector<uint32_t> inputArguments; // the arguments that are inputs
  size_t inputWords = 0;                // of their descriptors
  std::vector<const TensorType *> outParameters;
  size_t outputWords = 0;

  /// The snapshot that calls use, or null if a part must be folded first.
  std::atomic<Snapshot *> ready = nullptr;

  // Guarded by the store's mutex.
  SharedSet active, inactive;
  std::deque<Snapshot> snapshots;
  std::vector<Snapshot *> unusedSnapshots;
};

} // namespace onnxfold::tensorfolding

#endif // ONNXFOLD_TENSORFOLDING_RUNTIME_INTERNAL_IMPLEMENTATION_H

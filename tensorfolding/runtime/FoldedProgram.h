//===- FoldedProgram.h - Run programs with folded constants -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs a function that the pass constant-tensor-folding has changed: passes the
// weights to the fold functions, keeps their results, and calls the entry with
// them.
//
//   Error error;
//   auto resolve = [&](const std::string &name) { return dlsym(program, ...); };
//   std::unique_ptr<FoldedProgram> mlp =
//       FoldedProgram::load(metadata, unknownSize, resolve, error);
//   error = mlp->setWeight(1, tensor(w1, shape1));    // the numbers of the
//   error = mlp->setWeight(2, tensor(w2, shape2));    // original arguments
//   Tensor inputs[] = {tensor(x, shape)};
//   std::vector<OwnedTensor> results;
//   error = mlp->call(inputs, results);               // folds, then runs
//   error = mlp->call(inputs, results);               // runs
//
//   error = mlp->updateWeight(2, tensor(better, shape2)); // seen by nobody yet
//   error = mlp->foldInactive();                          // while others call
//   error = mlp->swap();                                  // now by new calls
//   mlp->freeInactive();                                  // the old w2
//
// *When folding runs.* The first call folds all parts (Metadata.h), and so does
// the first call after some were evicted. If several threads make it, each part
// is folded by one of them; the others fold other parts or wait. Every later
// call only reads one pointer.
//
// *Two sets.* Calls use the active set of weights and folded values. Updates
// are written to the inactive one, which begins as a copy of it: only parts
// that depend on an updated weight are folded again, all others are shared by
// both sets. swap() exchanges the two. Running calls finish with the set that
// they began with.
//
// *Memory.* Folded values are stored once, aligned; those of static size are in
// one arena for the program (FoldedMemory.h). Programs that fold equal parts of
// equal weights share the values. A budget of the process limits their size
// (FoldedMemory.h): parts of the programs that were called least recently are
// evicted, and folded again when these programs are called.
//
// *Ownership.* Weights are not copied: their memory is read when a part is
// folded, which eviction may cause at any time, and by every call where the
// entry takes the weight itself. It must be valid and unchanged until `release`
// is called, after the last use. Without a `release`, it must be valid until
// the program is destroyed, or until the set that has it is freed and the calls
// that began before have ended. Results belong to the caller.
//
// *Errors.* Error has a code and a text that names the entry, the argument,
// what it has and what was expected. A call that fails has no effect: folded
// values are kept, and the next call tries again. A failed cf.assert in a
// function of the program stops the process.
//
// *Threads.* Any number of threads may use one program and different programs
// at once; only the destructor must not run with anything else. A change of
// weights is atomic by itself: threads that update the same program at once
// must agree on the one that swaps.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_RUNTIME_FOLDEDPROGRAM_H
#define ONNXFOLD_TENSORFOLDING_RUNTIME_FOLDEDPROGRAM_H

#include "onnxfold/tensorfolding/runtime/Error.h"
#include "onnxfold/tensorfolding/runtime/Metadata.h"
#include "onnxfold/tensorfolding/runtime/Tensor.h"
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace onnxfold::tensorfolding {

/// Returns the address of `_mlir_ciface_<symbol>` in a program, or null: dlsym,
/// a lookup of the ExecutionEngine, a table. Only load calls it.
using Resolver = std::function<void *(const std::string &symbol)>;

struct LoadOptions {
  /// Whether equal folded values of other programs are searched for. The search
  /// takes less than a microsecond for a part, unless an equal one is likely:
  /// then its weights are hashed.
  bool share = true;
};

/// Counts since the program was loaded.
struct ProgramStatistics {
  uint64_t folds = 0;     // runs of fold functions
  uint64_t shared = 0;    // parts that were taken from another program instead
  uint64_t evictions = 0; // parts
};

class FoldedProgram {
public:
  /// Loads a program by the bytes of its metadata (see readMetadata), or null
  /// and an error. The functions must be loaded as long as the program lives.
  static std::unique_ptr<FoldedProgram> load(const void *metadata, size_t size,
                                             const Resolver &resolve,
                                             Error &error,
                                             LoadOptions options = {});
  ~FoldedProgram();
  FoldedProgram(const FoldedProgram &) = delete;
  FoldedProgram &operator=(const FoldedProgram &) = delete;

  const Metadata &metadata() const;
  /// The number of the argument with that name, if one has it.
  std::optional<uint32_t> argumentNamed(std::string_view name) const;
  /// Whether a value of the argument must be given before the first call.
  /// Inputs, and arguments that were folded at compile time, need none.
  bool needsWeight(uint32_t argument) const;

  /// Gives an argument its first value. `release` is called when the value is
  /// no longer needed, by any thread, and immediately on errors.
  Error setWeight(uint32_t argument, const Tensor &value,
                  std::function<void()> release = {});

  /// Gives an argument another value in the inactive set, which is made from
  /// the active one if there is none.
  Error updateWeight(uint32_t argument, const Tensor &value,
                     std::function<void()> release = {});
  /// Folds now what the first call after swap() would fold.
  Error foldInactive();
  /// Exchanges the active and the inactive set. A second swap restores the old
  /// one.
  Error swap();
  /// Frees the inactive set, if there is one.
  void freeInactive();

  /// Folds now what the first call would fold.
  Error fold();

  /// Calls the entry with `inputs`, which are the input arguments of the
  /// original entry, in order. The program allocates the results.
  Error call(std::span<const Tensor> inputs, std::vector<OwnedTensor> &results);
  /// The same for entries with out-parameters; the results are written to the
  /// row-major buffers of the caller.
  Error call(std::span<const Tensor> inputs, std::span<const Tensor> outputs);
  /// The same, unchecked, for callers that have descriptors. `arguments` are
  /// those of the original entry that are inputs, then its out-parameters: for
  /// tensors the addresses of their descriptors, for scalars of their values.
  /// The entry's C interface writes its results to `returned`: a struct of
  /// descriptors and scalars, or one scalar of 8 bytes; it is null if there are
  /// none.
  Error callUnchecked(void *const *arguments, void *returned);

  ProgramStatistics statistics() const;

  class Implementation;

private:
  explicit FoldedProgram(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation;
};

} // namespace onnxfold::tensorfolding

#endif // ONNXFOLD_TENSORFOLDING_RUNTIME_FOLDEDPROGRAM_H

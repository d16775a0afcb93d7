//===- FoldedProgram.h - Run programs with folded constants -----*- C++ -*-===//
//
// Runs what the pass constant-tensor-folding made of a function: gives the fold
// functions the weights, keeps what they return, and calls the entry with it.
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
// the first call after some were evicted. Of several threads in it, each part
// is folded by one; the others fold other parts or wait. Every later call only
// looks at one pointer.
//
// *Two sets.* Calls use the active set of weights and folded values. Updates
// are written to the inactive one, which begins as a copy of it: only parts
// that depend on an updated weight are folded again, all others are in both.
// swap() exchanges the two. Calls that run finish with the set that they began
// with.
//
// *Memory.* Folded values are kept once, aligned, in one arena for the parts of
// a program whose sizes are known before (FoldedMemory.h). Programs that fold
// equal parts of equal weights share them. A budget of
// the process limits them (FoldedMemory.h): parts of the programs that were
// called least recently are evicted, and folded again when they are called.
//
// *Ownership.* Weights are not copied: their memory is read when a part is
// folded, which eviction may cause at any time, and by every call where the
// entry takes the weight itself. It must be valid and unchanged until `release`
// is called, which is after the last use; or, without one, as long as the
// program is alive or the set that has it was freed and the calls of that time
// have ended. Results belong to the caller.
//
// *Errors.* Every function says what it found: Error has a code and a text that
// names the entry, the argument, what it has and what was expected. A call that
// fails has no effect: what was folded is kept, the next call tries again.
// Functions of a program that stop the process (a failed cf.assert) stop it.
//
// *Threads.* Any number of threads may use one program and different programs
// at once; only the destructor must not run with anything else. A change of
// weights is atomic by itself: threads that update the same program at once
// must agree who swaps.
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

/// Gives the address of `_mlir_ciface_<symbol>` in a program, or null: dlsym, a
/// lookup of the ExecutionEngine, a table. It is called by load only.
using Resolver = std::function<void *(const std::string &symbol)>;

struct LoadOptions {
  /// Look for equal folded values of other programs. It costs less than a
  /// microsecond for a part unless one is likely: then its weights are hashed.
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
  /// Whether a value of the argument must be given before the first call: not
  /// of inputs, and not of what was folded when the program was compiled.
  bool needsWeight(uint32_t argument) const;

  /// Gives an argument its first value. `release` is called when it is not
  /// needed any more, from whichever thread finds that, and at once on errors.
  Error setWeight(uint32_t argument, const Tensor &value,
                  std::function<void()> release = {});

  /// Gives an argument another value in the inactive set, which is made from
  /// the active one if there is none.
  Error updateWeight(uint32_t argument, const Tensor &value,
                     std::function<void()> release = {});
  /// Folds now what the first call after swap() would fold.
  Error foldInactive();
  /// Exchanges active and inactive set. The old one can be swapped back.
  Error swap();
  /// Gives the inactive set up, if there is one.
  void freeInactive();

  /// Folds now what the first call would fold.
  Error fold();

  /// Calls the entry on `inputs`, those arguments of the original entry that
  /// are inputs, in order. Results are as the program allocates them.
  Error call(std::span<const Tensor> inputs, std::vector<OwnedTensor> &results);
  /// The same, into buffers of the caller, which are row-major. For entries
  /// with out-parameters.
  Error call(std::span<const Tensor> inputs, std::span<const Tensor> outputs);
  /// The same, unchecked, for callers that have descriptors. `arguments` are
  /// those of the original entry that are inputs, then its out-parameters: for
  /// tensors the addresses of their descriptors, for scalars of their values.
  /// `returned` is where the entry's C interface puts what it returns: a struct
  /// of descriptors and scalars, or one scalar of 8 bytes; null if nothing.
  Error callUnchecked(void *const *arguments, void *returned);

  ProgramStatistics statistics() const;

  class Implementation;

private:
  explicit FoldedProgram(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation;
};

} // namespace onnxfold::tensorfolding

#endif // ONNXFOLD_TENSORFOLDING_RUNTIME_FOLDEDPROGRAM_H

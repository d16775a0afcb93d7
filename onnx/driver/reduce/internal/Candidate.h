//===- Candidate.h - A smaller model to be tried ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A Candidate is a model without the bytes of its large tensors, which stay
// where the original has them, and the values of its inputs that are known. A
// pass proposes Edits, each of which changes a Draft on its own; several of
// them are applied to one Draft, which then becomes a Candidate if it is a valid
// model.
//
// Thread safety: a Base is read by several threads, a Draft is one thread's.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_CANDIDATE_H
#define ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_CANDIDATE_H

#include "onnxfold/elements/Elements.h"
#include "onnxfold/onnx/driver/reduce/internal/ProtoGraph.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace onnxfold {

struct ReduceOptions;
class Recorder;

/// Values of inputs by name.
using InputValues = std::map<std::string, Elements>;

/// The types that inference gives values of the main graph.
using CandidateTypes = llvm::StringMap<onnx::TypeProto>;

struct Candidate {
  onnx::ModelProto model;
  InputValues inputs;                          ///< of some inputs
  std::shared_ptr<const CandidateTypes> types; ///< null: not known yet
  bool changesTypes = false; ///< of values that the base has, too
  /// What values were called in the base that have another name.
  std::map<std::string, std::string> oldNames = {};
};

/// How valid the original is: no more is asked of candidates.
struct Validity {
  bool passesChecker = true, passesInference = true;
};

/// The types of all values of the main graph, or why the model is not valid.
/// `folder`: of external data.
llvm::Expected<CandidateTypes> checkModel(const onnx::ModelProto &model,
                                          const Validity &wanted,
                                          const std::string &folder);

/// The best candidate so far, which passes start from.
struct Base {
  Candidate candidate; ///< with its types
  Validity validity;
  const ReduceOptions &options;
  std::string folder; ///< of external data
  std::string zeros;  ///< a file there that is a hole, of any tensor's size
  std::shared_ptr<Recorder> recorder;

  const CandidateTypes &types() const { return *candidate.types; }
  /// Type of a value of the main graph with a rank; null: none is known.
  const onnx::TypeProto *typeOf(const std::string &name) const;
  /// Sizes and axes stay the numbers that they are, where nothing computes them.
  bool becomesConstant(const std::string &name) const;
};

/// A candidate that is being made.
class Draft {
public:
  explicit Draft(const Base &base);

  const Base &base;
  onnx::ModelProto model;
  InputValues inputs;
  /// The nodes as walkNodes() numbers them. No edit takes one out of its graph.
  std::vector<onnx::NodeProto *> nodes;
  /// Nodes of the main graph that are left out: what they make becomes inputs.
  std::set<int> separated;
  /// Types of outputs, and what is said of values inside, follow from the rest.
  bool changesTypes = false;
  /// What values were called that got another name.
  std::map<std::string, std::string> oldNames;
  /// Called when all edits are made, in the order of the edits.
  std::vector<std::function<bool(Draft &)>> last;

  bool hasName(llvm::StringRef name) const { return names.contains(name); }
  /// A name that no value has.
  std::string freshName(llvm::StringRef stem);
  /// Makes it an initializer, and an input too where the format wants that.
  void addConstant(const onnx::TensorProto &tensor);
  /// Makes a value of the main graph, which no node makes any more, an input,
  /// or an initializer if it is a small one of integers. False if its type is
  /// not known.
  bool makeInput(const std::string &name);
  bool makeInputs(const std::vector<std::string> &all);
  /// Makes it an output too.
  bool makeOutput(const std::string &name);

private:
  bool needsValue(const std::string &name) const;

  llvm::StringSet<> names;
};

/// Changes a draft; false if it does not fit.
using Edit = std::function<bool(Draft &)>;

/// The base with these edits, if that is another model, and a valid one.
std::optional<Candidate> applyEdits(const Base &base,
                                    llvm::ArrayRef<const Edit *> edits);

/// A tensor of these elements, in the message itself.
onnx::TensorProto toTensor(const Elements &elements, llvm::StringRef name);
/// The elements of a tensor whose bytes are in the message; null for others.
Elements toElements(const onnx::TensorProto &tensor);
/// Bytes of the elements, wherever they are; 0 for texts.
uint64_t dataBytes(const onnx::TensorProto &tensor);
onnx::TypeProto typeOfTensor(const onnx::TensorProto &tensor);
onnx::TypeProto typeOfElements(const Elements &elements);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_CANDIDATE_H

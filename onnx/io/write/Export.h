//===- Export.h - The changed model as a file -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Writes a module that importModel made and passes changed, as edits of the
// original bytes (EditScript): unchanged parts keep their bytes.
//   * The node of an erased operator is erased. The node or the initializer of
//     an erased Constant is erased if nothing else in the file names it.
//   * A new constant becomes an initializer of its graph, under the name of its
//     `output`. With IR < 4, and in functions, it becomes a Constant node in
//     the place of the node that it replaces.
//   * A new operator becomes a node before the next remaining one. The node of
//     an operator that was moved out of a body is moved, with all its bytes
//     (origin). The node of a copy has the fields of the original's node
//     (sourceOf).
//   * A renamed initializer is renamed in the file, and keeps its other fields
//     (nameInFile).
//   * value_info of names that are no longer values is erased; refined types of
//     the others may be written (editType).
//   * Device configurations and quantization annotations follow the values
//     (onnx/ir/Annotations.h). RATIONALE.md lists all fields that refer by name.
//   * An input of the main graph is erased if its function has no such argument
//     any more; a constant of its name replaces it. Before IR version 4 the
//     input of an erased initializer is erased too.
//   * The main graph may get other inputs and outputs, in another order
//     (changesInterface).
//   * Texts may be left out, constants be written in the other form, and nodes
//     be sorted (cleaning).
//
//   auto exporter = ModelExporter::create(model, {});
//   if (exporter->changesAnything()) error = exporter->write("out.onnx", pool);
//
//   * New constants of equal value are written once: users of the others in the
//     same graph read one whose name is needed (that of a graph output), or the
//     first. Initializers that were there are never merged.
//
// DataPlacement says where values are stored. By default external data is kept
// external, and new constants are stored in the model file; if that would
// exceed the 2 GB of protobuf, those of 1024 bytes or more are written to a new
// data file. On request all values are moved to new data files (DataParts.h),
// or into the model file.
//
// Large constants are computed while they are written, by several threads.
// The result depends on the module and the options alone.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_WRITE_EXPORT_H
#define ONNXFOLD_ONNX_IO_WRITE_EXPORT_H

#include "onnxfold/elements/Elements.h"
#include "onnxfold/onnx/io/read/Import.h"
#include "onnxfold/onnx/io/wire/EditScript.h"
#include "onnxfold/onnx/io/write/Cleaning.h"
#include "onnxfold/onnx/io/write/DataParts.h"
#include "onnxfold/onnx/io/write/DataPlacement.h"
#include "onnxfold/onnx/ir/NodeSource.h"
#include "llvm/ADT/StringSet.h"
#include <functional>

namespace onnx {
class ValueInfoProto;
} // namespace onnx

namespace onnxfold {

/// Protobuf's limit on the size of a message in bytes: readers refuse a longer
/// one.
constexpr uint64_t largestMessage = (uint64_t(1) << 31) - 1;

/// The place in the file that states the type of a value. New: the file states
/// none yet. NewInterface: an input or output that the file does not have; its
/// type is stated only if the answer is Write.
enum class TypePlace {
  Input,
  Output,
  BodyInput,
  BodyOutput,
  ValueInfo,
  New,
  NewInterface
};
enum class TypeEdit { Keep, Remove, Write };

/// The ranges of each data file, by location, that a model refers to.
using DataUse = llvm::StringMap<std::vector<ByteRange>>;

/// See ExportOptions::valuesInMemory.
constexpr uint64_t leastInMemory = 1024;

struct ExportOptions {
  /// Entries of the model's metadata_props to add, or to replace.
  std::vector<std::pair<std::string, std::string>> metadata;
  /// True for operations that may have other operands than their node in the
  /// file. Empty: there are none.
  std::function<bool(mlir::Operation *)> isRewired;
  /// Decides what the file states of a value's type; empty: the types in the
  /// file are kept. The call-back may change the message, which is that of the
  /// file (or has the name only); it is written if the answer is Write. Inputs
  /// and outputs are never removed. Inputs are those of the main graph.
  std::function<TypeEdit(mlir::Value, TypePlace, onnx::ValueInfoProto &)>
      editType;
  /// editType is also called for values whose type the file does not state.
  bool writesNewTypes = false;
  /// editType is also called for the inputs of bodies.
  bool editsBodyInputs = false;
  /// True for constants whose value is not that of the initializer of their
  /// name any more, or of its Constant node: the tensor gets it, and keeps its
  /// other fields. Empty: there are none.
  std::function<bool(mlir::Operation *)> hasNewValue;
  /// The path from the graph of an operation to the graph of its node in the
  /// file; empty if both are the same.
  std::function<llvm::ArrayRef<BodyStep>(mlir::Operation *)> origin;
  /// The node that a new operator is a copy of; null, or an empty function: it
  /// is no copy.
  std::function<const NodeSource *(mlir::Operation *)> sourceOf;
  /// The nodes for which an operation stands besides the one that it comes
  /// from: its node has the texts (doc_string, metadata_props) that all of them
  /// have. Empty function: there are none.
  std::function<llvm::ArrayRef<NodePlace>(mlir::Operation *)> partsOf;
  /// The constant whose value a new node computes instead: the node has the texts
  /// that the file has of that constant, which need not be in the module any
  /// more. Null, or an empty function: it computes none.
  std::function<mlir::Operation *(mlir::Operation *)> computedConstant;
  /// Called with a node, and the first of its texts that are not written because
  /// those of partsOf() differ.
  std::function<void(mlir::Operation *, llvm::StringRef field)> noteLostText;
  /// Called with an initializer that is erased although quantization annotations
  /// name it: before IR version 4 one that no node reads must be an input.
  std::function<void(llvm::StringRef name)> noteLostParameter;
  /// The name in the file of a constant that passes have renamed: its
  /// initializer gets the new name and keeps its other fields. Empty: the
  /// constant has kept its name, or is new.
  std::function<llvm::StringRef(mlir::Operation *)> nameInFile;
  /// New constants of equal value are stored once, and the users of the others
  /// read that one.
  bool mergesEqual = true;
  /// True for constants of the file that users of an equal new one may read; a
  /// new one whose name is needed (a graph output) replaces it. Empty: none are.
  std::function<bool(mlir::Operation *)> mayMergeStored;
  /// The main graph may have other arguments and results than the file has
  /// inputs and outputs, matched by name, in another order. Otherwise the only
  /// difference may be that inputs are missing.
  bool changesInterface = false;
  /// Inputs that are the constants of their own initializers now
  /// (ImportedModel::bound, or from an IR version before 4 to a later one):
  /// those initializers stay as they are.
  llvm::StringSet<> bound;
  /// Functions that are not called, and imports of operator sets without nodes,
  /// are erased (UnusedParts.h).
  bool removesUnused = false;
  /// Texts that are left out, the form of constants, the order of nodes.
  Cleaning cleaning;
  DataPlacement placement = DataPlacement::Keep;
  /// The path of the new data file, if one is needed, relative to the folder of
  /// the output, without `..`. Empty: `model.onnx.data`.
  std::string dataFile;
  DataLayout dataLayout; ///< of new data files
  /// With DataPlacement::Keep, for an output in another folder: what the output
  /// refers to in data files of the input is gathered in one new data file if
  /// copies of these would have more than a 50th of bytes besides.
  bool gathersData = false;
  /// The output may be the model's own file. A new data file may then have the
  /// name of a data file that the output no longer needs.
  bool replacesInput = false;
  /// If it is not null, values of at least leastInMemory bytes that would stand
  /// in the model file are appended to it instead; only a reader whose
  /// ExternalData holds them can read the model.
  std::vector<ValueInMemory> *valuesInMemory = nullptr;
  /// All files are synced to the disk at the end; otherwise only those that
  /// replace others.
  bool sync = false;
  /// The folder that the model of a stream is written for. It has the data
  /// files of the input, so the model may refer to them. Empty: a stream cannot
  /// have external data.
  std::string streamFolder;
};

/// Records the sources of the values of an operation, as text, for the metadata
/// of the constants that replace it (which inherit its location).
void setProvenance(mlir::Operation *op, llvm::StringRef text);
/// The text of provenance, or none.
llvm::StringRef provenanceOf(mlir::Operation *op);

/// A function that is called after each piece with the bytes that were written
/// and the bytes of all files together, by the thread that wrote the piece. If
/// it returns false, writing stops with an error.
using WriteProgress = std::function<bool(uint64_t bytes, uint64_t total)>;

class ExportedFiles;
struct OutputSet;

/// A model and its data files, which are written but have no names yet. Without
/// commit() nothing remains of them.
///
///   auto written = exporter->writeUnnamed("out.onnx", pool);
///   auto model = written->read(context); // what a reader will find
///   if (isRight(model)) error = written->commit();
///
/// Thread safety: none.
class WrittenModel {
public:
  WrittenModel(WrittenModel &&) noexcept;
  WrittenModel &operator=(WrittenModel &&) noexcept;
  ~WrittenModel();

  /// Imports the model from the written files. Its constants share the files,
  /// also after commit(). REQUIRES: as importModel.
  llvm::Expected<ImportedModel> read(mlir::MLIRContext &context) const;

  /// Gives all files their names (OutputSet.h), and a stream its bytes.
  /// REQUIRES: not in memory.
  llvm::Error commit();

  /// The same together with other files of a run: addTo(set),
  /// commitTogether(set), and, if that succeeds, finish().
  void addTo(OutputSet &set);
  llvm::Error finish();

  /// The bytes of the model file.
  llvm::Expected<std::string> bytes() const;

  /// Locations of data of the model that is replaced which commit() removes.
  std::vector<std::string> removedData() const;

private:
  friend class ModelExporter;
  explicit WrittenModel(std::unique_ptr<ExportedFiles> files);

  std::unique_ptr<ExportedFiles> files;
};

class ModelExporter {
public:
  /// Compares the module with the file. The model must outlive the exporter.
  static llvm::Expected<ModelExporter> create(const ImportedModel &model,
                                              ExportOptions options);

  /// False if the output, apart from the placement of values, would be
  /// identical to the input, byte for byte.
  bool changesAnything() const { return changed; }

  /// Bytes of the model file that write() makes.
  uint64_t outputBytes() const { return layout.size; }
  /// Bytes of the new data files; 0 if there is none.
  uint64_t dataBytes() const { return data ? data->size() : 0; }
  /// Locations of the new data files.
  std::vector<std::string> dataFiles() const;
  /// Whether the output refers to the data file of the input at this location.
  bool isNeeded(llvm::StringRef location) const {
    return needed.contains(location);
  }
  /// The data files of the input that the output refers to, and the bytes of
  /// each that it refers to.
  std::vector<std::pair<std::string, uint64_t>> dataUse() const;
  /// The record of ExportOptions::cleaning and removesUnused.
  const CleaningRecord &cleaning() const { return cleaned; }

  /// Writes `path` ("-": standard output) and its data files, all of them or
  /// none (OutputSet.h). If the output is in another folder, the data files
  /// that it refers to are copied beside it, unless files with the same content
  /// are there; a file with other content is an error. Refuses names of the
  /// model's own files, and a stream as output of a model with data files.
  llvm::Error write(llvm::StringRef path, llvm::ThreadPoolInterface *pool,
                    WriteProgress progress = {});

  /// The same without the last step. With `holdsStream` the bytes for a stream
  /// are held in a temporary file until then.
  llvm::Expected<WrittenModel> writeUnnamed(llvm::StringRef path,
                                            llvm::ThreadPoolInterface *pool,
                                            WriteProgress progress = {},
                                            bool holdsStream = true);

  /// The same in memory. Refuses a model that could not be written to a stream.
  llvm::Expected<WrittenModel> writeInMemory(llvm::ThreadPoolInterface *pool,
                                             WriteProgress progress = {});

private:
  ModelExporter(const ImportedModel &model, ExportOptions options)
      : model(&model), options(std::move(options)) {}
  llvm::Error build(bool newTensorsOut, bool gathers = false);
  llvm::Error gather();
  llvm::Expected<InputFileRef> dataFileAt(llvm::StringRef location) const;
  llvm::Error diffModule(DataParts *newTensors);
  llvm::Error placeTensors(bool gathers);
  llvm::Error checkStream(llvm::StringRef name) const;
  llvm::Error checkTarget(llvm::StringRef path) const;
  llvm::Error openCopies(ExportedFiles &files) const;
  llvm::Error openData(ExportedFiles &files) const;
  llvm::Error writeFiles(ExportedFiles &files, llvm::ThreadPoolInterface *pool,
                         WriteProgress progress);
  bool hasNewData() const { return data && !data->empty(); }

  const ImportedModel *model;
  ExportOptions options;
  std::unique_ptr<EditScript> script;
  std::unique_ptr<DataParts> data; ///< null: no new data file
  OutputLayout layout;
  llvm::DenseSet<mlir::Operation *> redirected; ///< users of merged constants
  DataUse needed; ///< what the output refers to in data files of the input
  CleaningRecord cleaned;
  /// Nodes whose tensors are initializers now, by where their contents begin.
  llvm::DenseSet<uint64_t> converted;
  /// Tensors whose values are written anew.
  llvm::DenseSet<uint64_t> rewritten;
  bool changed = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_WRITE_EXPORT_H

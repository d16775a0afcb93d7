//===- Export.h - The changed model as a file -------------------*- C++ -*-===//
//
// Writes a module that importModel made and passes changed, as edits of the
// original bytes (EditScript): unchanged parts keep their bytes.
//   * The node of an erased operator is erased; that of an erased Constant, or
//     its initializer, if nothing else in the file names it.
//   * A new constant becomes an initializer under the name of its `output` in
//     its graph; with IR < 4 and in functions a Constant node in the place of
//     the node that it replaces.
//   * A new operator becomes a node before the next remaining one. An operator
//     that was moved out of a body takes its node along, with all bytes
//     (origin), and a copy has the fields of the original's node (sourceOf).
//   * A renamed initializer is renamed in the file, and keeps its other fields
//     (nameInFile).
//   * value_info of names that are no longer values is erased; refined types of
//     the others may be written (editType).
//   * An input of the main graph that its function does not have any more is
//     erased; a constant of its name takes its place.
//   * The main graph may get other inputs and outputs, in another order
//     (changesInterface).
//
//   auto exporter = ModelExporter::create(model, {});
//   if (exporter->changesAnything()) error = exporter->write("out.onnx", pool);
//
//   * New constants of equal value are written once: users of the others in the
//     same graph read one whose name is needed (that of a graph output), or the
//     first. Initializers that were there are never merged.
//
// Places of values (DataPlacement): external data is kept external, and new
// constants are in the model file. If that would exceed the 2 GB of protobuf,
// those of 1024 bytes or more are written to a new data file. Or all values are
// moved to new data files (DataParts.h), or into the model file.
//
// Large constants are computed while they are written, by several threads.
// The result depends on the module and the options alone.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_EXPORT_H
#define ONNXFOLD_ONNX_IO_EXPORT_H

#include "onnxfold/onnx/io/DataParts.h"
#include "onnxfold/onnx/io/EditScript.h"
#include "onnxfold/onnx/io/Import.h"
#include "onnxfold/onnx/ir/NodeSource.h"
#include "llvm/ADT/StringSet.h"
#include <functional>

namespace onnx {
class ValueInfoProto;
} // namespace onnx

namespace onnxfold {

/// Protobuf's own limit on a message, and so on what a reader takes.
constexpr uint64_t largestMessage = (uint64_t(1) << 31) - 1;

enum class DataPlacement {
  Keep,     ///< as it was
  External, ///< all but small tensors in new data files
  Inline    ///< all in the model file
};

/// Where a file speaks of the type of a value, and where it does not yet.
/// NewInterface: of an input or output that the file does not have; only Write
/// gives it one.
enum class TypePlace { Input, Output, ValueInfo, New, NewInterface };
enum class TypeEdit { Keep, Remove, Write };

struct ExportOptions {
  /// Sets (or replaces) entries of the model's metadata_props.
  std::vector<std::pair<std::string, std::string>> metadata;
  /// True for operations that may read other values than their node in the
  /// file says; empty: none does.
  std::function<bool(mlir::Operation *)> isRewired;
  /// What the file is to say of a value's type; empty: what it says. May change
  /// the message, which is the file's (or has the name only) and is written if
  /// the answer is Write. Inputs and outputs are those of the main graph; they
  /// are never removed.
  std::function<TypeEdit(mlir::Value, TypePlace, onnx::ValueInfoProto &)>
      editType;
  /// It is asked about values of which the file says nothing, too.
  bool writesNewTypes = false;
  /// The way from the graph of an operation to the graph of its node in the
  /// file; empty if they are one.
  std::function<llvm::ArrayRef<BodyStep>(mlir::Operation *)> origin;
  /// What a new operator is a copy of; null, or empty: of nothing.
  std::function<const NodeSource *(mlir::Operation *)> sourceOf;
  /// The name that the file has for a constant which passes gave another one:
  /// its initializer gets that, and keeps all else. Empty: it is called as it
  /// was, or new.
  std::function<llvm::StringRef(mlir::Operation *)> nameInFile;
  /// New constants with one value are stored once, and users of the others read
  /// that.
  bool mergesEqual = true;
  /// Arguments and results of the main graph may be others than the inputs and
  /// outputs of the file, by name, in another order. Else only inputs may be
  /// missing. Before IR version 4 the inputs of initializers that are gone are
  /// erased with them.
  bool changesInterface = false;
  /// Uncalled functions are erased, and imports of operator sets without nodes
  /// (UnusedParts.h).
  bool removesUnused = false;
  DataPlacement placement = DataPlacement::Keep;
  /// The new data file, if there will be one: relative to the folder of the
  /// output, without `..`. Empty: `model.onnx.data`.
  std::string dataFile;
  DataLayout dataLayout; ///< of new data files
  /// The output may be the model's own file. A new data file may then have the
  /// name of one that the output does not need any more.
  bool replacesInput = false;
  /// All files are on the disk at the end; else only those that replace others.
  bool sync = false;
  /// The folder that a stream is for, where the data files of the input are; a
  /// model there may refer to them. Empty: it can have none.
  std::string streamFolder;
};

/// The sources of the values of an operation, as text, for the metadata of the
/// constants that replace it (which inherit its location).
void setProvenance(mlir::Operation *op, llvm::StringRef text);
/// That text, or none.
llvm::StringRef provenanceOf(mlir::Operation *op);

/// Called with the bytes of each piece that was written, and those of all files
/// together, by the thread that wrote it. False: no more of it, writing fails.
using WriteProgress = std::function<bool(uint64_t bytes, uint64_t total)>;

class ExportedFiles;

/// A model and its data files, written, before they get their names. Without
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

  /// The model as it is in the files. Its constants hold them, also when they
  /// have their names. REQUIRES: as importModel.
  llvm::Expected<ImportedModel> read(mlir::MLIRContext &context) const;

  /// Gives all files their names (OutputSet.h), and a stream its bytes.
  /// REQUIRES: not in memory.
  llvm::Error commit();

  /// Those of the model file.
  llvm::Expected<std::string> bytes() const;

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

  /// False: but for the placement of values the output would be the input, byte
  /// for byte.
  bool changesAnything() const { return changed; }

  /// Bytes of the model file that write() makes.
  uint64_t outputBytes() const { return layout.size; }
  /// Bytes of the new data files; 0 if there is none.
  uint64_t dataBytes() const { return data ? data->size() : 0; }
  /// Locations of the new data files.
  std::vector<std::string> dataFiles() const;
  /// The output refers to the data file of the input at this location.
  bool isNeeded(llvm::StringRef location) const {
    return needed.contains(location);
  }

  /// Writes `path` ("-": standard output) and its data files, all of them or
  /// none (OutputSet.h). External data files that the output refers to are
  /// copied beside an output in another folder, unless they are there with the
  /// same content; other content is an error. Refuses names of the model's own
  /// files, and a stream as output of a model with data files.
  llvm::Error write(llvm::StringRef path, llvm::ThreadPoolInterface *pool,
                    WriteProgress progress = {});

  /// The same without the last step. What is for a stream is held back in a
  /// temporary file.
  llvm::Expected<WrittenModel> writeUnnamed(llvm::StringRef path,
                                            llvm::ThreadPoolInterface *pool,
                                            WriteProgress progress = {});

  /// The same without a file. Refuses what a stream cannot have.
  llvm::Expected<WrittenModel> writeInMemory(llvm::ThreadPoolInterface *pool,
                                             WriteProgress progress = {});

private:
  ModelExporter(const ImportedModel &model, ExportOptions options)
      : model(&model), options(std::move(options)) {}
  llvm::Error build(bool newTensorsOut);
  llvm::Error diffModule();
  llvm::Error placeTensors();
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
  llvm::DenseSet<mlir::Operation *> redirected; ///< they read merged constants
  llvm::StringSet<> needed; ///< locations that the output still refers to
  bool changed = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_EXPORT_H

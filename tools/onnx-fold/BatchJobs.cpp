//===- BatchJobs.cpp - Which models a command line means ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Batch.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/read/ExternalData.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace onnxfold;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// "a//b/../c" as the one name of what it means, links followed as far as it is
/// there.
static std::string oneName(StringRef file) {
  llvm::SmallString<256> name(file);
  llvm::cantFail(llvm::errorCodeToError(fs::make_absolute(name)));
  path::remove_dots(name);
  llvm::SmallString<256> whole;
  if (!fs::real_path(name, whole))
    return whole.str().str();
  for (StringRef there = path::parent_path(name); !there.empty();
       there = path::parent_path(there)) {
    llvm::SmallString<256> real;
    if (fs::real_path(there, real))
      continue;
    path::append(real,
                 path::relative_path(StringRef(name).substr(there.size())));
    return real.str().str();
  }
  return name.str().str();
}

namespace {

class JobList {
public:
  JobList(const Options &options, llvm::function_ref<void(const Twine &)> note)
      : options(options), note(note) {}

  llvm::Error add(StringRef given);
  llvm::Error check();
  std::vector<BatchJob> take() { return std::move(jobs); }

private:
  llvm::Error addFolder(StringRef folder);
  void addFile(StringRef file, StringRef relative);
  llvm::Error claim(llvm::StringMap<std::string> &claimed, StringRef file,
                    const BatchJob &job, StringRef what);

  const Options &options;
  llvm::function_ref<void(const Twine &)> note;
  std::vector<BatchJob> jobs;
};

} // namespace

static StringRef suffixOf(ReportFormat format) {
  switch (format) {
  case ReportFormat::Json:
  case ReportFormat::ModelExplorer:
    return ".json";
  case ReportFormat::Html:
    return ".html";
  default:
    return ".txt";
  }
}

/// `relative`: its name in the folder of outputs.
void JobList::addFile(StringRef file, StringRef relative) {
  BatchJob job;
  job.input = file.str();
  if (options.fold.inPlace) {
    job.output = job.input;
  } else if (options.outputDir.empty()) {
    job.output = defaultOutput(file);
  } else {
    llvm::SmallString<256> output(options.outputDir);
    path::append(output, relative);
    job.output = output.str().str();
  }
  if (!options.fold.reportFile.empty()) {
    llvm::SmallString<256> report(options.fold.reportFile);
    path::append(report, relative + suffixOf(options.fold.report));
    job.report = report.str().str();
  }
  uint64_t bytes;
  if (!fs::file_size(file, bytes))
    job.bytes = bytes;
  jobs.push_back(std::move(job));
}

/// Hidden files and folders are left out, as are outputs. Links to folders are
/// not followed.
llvm::Error JobList::addFolder(StringRef folder) {
  std::string outputs =
      options.outputDir.empty() ? "" : oneName(options.outputDir);
  std::vector<std::string> found;
  size_t before = 0;
  std::error_code code;
  for (fs::recursive_directory_iterator entry(folder, code,
                                              /*follow_symlinks=*/false),
       end;
       entry != end && !code; entry.increment(code)) {
    StringRef file = entry->path(), name = path::filename(file);
    bool isFolder = entry->type() == fs::file_type::directory_file;
    if (name.starts_with(".") ||
        (isFolder && !outputs.empty() && oneName(file) == outputs)) {
      if (isFolder)
        entry.no_push();
      continue;
    }
    if (isFolder || !name.ends_with(".onnx") || !fs::is_regular_file(file))
      continue;
    bool isOutput =
        name.ends_with(".folded.onnx") || name.ends_with(".once.onnx");
    if (isOutput && options.outputDir.empty())
      ++before;
    else
      found.push_back(file.str());
  }
  if (code)
    return makeSystemError(folder, "cannot be searched", code.value());
  if (before != 0)
    note(folder + ": " + Twine(before) +
         (before == 1 ? " output of an earlier run is"
                      : " outputs of earlier runs are") +
         " left out (*.folded.onnx, *.once.onnx)");
  if (found.empty())
    return ModelFault()
        .file(folder)
        .has("no model")
        .expected("files called *.onnx");
  llvm::sort(found);
  for (StringRef file : found)
    addFile(file, path::relative_path(file.drop_front(folder.size())));
  return llvm::Error::success();
}

llvm::Error JobList::add(StringRef given) {
  if (fs::is_directory(given))
    return addFolder(given);
  if (!fs::exists(given))
    return ModelFault()
        .file(given)
        .says("there is no such file")
        .expected("a model or a folder with models (-o names an output)");
  addFile(given, path::filename(given));
  return llvm::Error::success();
}

llvm::Error JobList::claim(llvm::StringMap<std::string> &claimed,
                           StringRef file, const BatchJob &job,
                           StringRef what) {
  auto [other, isNew] = claimed.try_emplace(oneName(file), job.input);
  if (isNew)
    return llvm::Error::success();
  return ModelFault()
      .file(file)
      .says("would be the " + what + " of " + other->second + " and of " +
            job.input)
      .expected("one");
}

llvm::Error JobList::check() {
  // The same file in two ways.
  llvm::StringMap<std::string> inputs;
  llvm::erase_if(jobs, [&](const BatchJob &job) {
    return !inputs.try_emplace(oneName(job.input), job.input).second;
  });
  llvm::StringMap<std::string> outputs, reports, data;
  for (const BatchJob &job : jobs) {
    if (llvm::Error error = claim(outputs, job.output, job, "output"))
      return error;
    auto input = inputs.find(oneName(job.output));
    if (input != inputs.end() && !options.fold.inPlace)
      return ModelFault()
          .file(job.output)
          .is("the output of " + job.input + ", and an input too")
          .expected(Twine("another folder") +
                    (input->second == job.input ? ", or --in-place" : ""));
    if (!job.report.empty())
      if (llvm::Error error = claim(reports, job.report, job, "report"))
        return error;
    if (!options.fold.dataFile.empty())
      if (llvm::Error error = claim(
              data, folderOfModel(job.output) + "/" + options.fold.dataFile,
              job, "data file"))
        return error;
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<BatchJob>>
onnxfold::listJobs(const Options &options,
                   llvm::function_ref<void(const Twine &)> note) {
  JobList list(options, note);
  for (const std::string &given : options.models)
    if (llvm::Error error = list.add(given))
      return error;
  if (llvm::Error error = list.check())
    return error;
  return list.take();
}

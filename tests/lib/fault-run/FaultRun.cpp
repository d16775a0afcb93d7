//===- FaultRun.cpp - Runs of the tool in each of which one thing fails ---===//
// SPDX-License-Identifier: Apache-2.0
//
//   fault-run KIND FIRST STEP FOLDER [flags]
//
// folds FOLDER/model.onnx into FOLDER/out.onnx, once as it is and then again
// and again with one fault each (Faults.h): KIND is `error`, `short`, `kill`,
// `cut`, `allocation` or `exhausted`, and event FIRST, FIRST + STEP, ... fails. Before
// each run out.onnx holds `old`; with the flag --in-place the model is the
// output. Each must end so:
//   * exit status 0 with all files of the run without a fault, or 1 with the
//     old ones and a text on standard error (which may be lost if a write to it
//     fails); no signal (but one, see isAbortOfGlibc()), nothing beyond a
//     minute;
//   * exit status 1 with the new output only if its folder cannot be synced
//     (what it replaced may then be aside, as OutputSet.h says);
//   * FOLDER holds the files that it held before, and the input is as it was.
// `cut` cuts model.onnx and all *.bin in half: the output must be old (status 1,
// with a message that names a file) or new.
// Reports (*.json), which say how long a run took, are equal if they are whole.
// `short` must give status 0. After `kill` the output is the old one, perhaps
// aside, or the new one, and what else there is must be gone after one more run, which succeeds.
//
// The last line of standard output is `<events> events, <runs> runs`; before it
// each run that ended otherwise has a line. Exit status 0: none did; 77: this
// machine allows no tracing.
//
//===----------------------------------------------------------------------===//
#include "Faults.h"
#include "Tool.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace onnxfold;
namespace fs = std::filesystem;

static const std::string oldOutput = "old";

static std::string contentOf(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::string content(std::istreambuf_iterator<char>(file), {});
  llvm::StringRef text = content;
  bool isReport = path.extension() == ".json" && text.starts_with("{") &&
                  text.ends_with("\n}\n");
  return isReport ? "a whole report" : content;
}

namespace {

/// All files of a folder.
using Files = std::map<std::string, std::string>;

class Sweep {
public:
  Sweep(FaultKind kind, fs::path folder, std::vector<std::string> flags)
      : kind(kind), folder(std::move(folder)), flags(std::move(flags)) {
    isInPlace = llvm::is_contained(this->flags, "--in-place");
    output = isInPlace ? "model.onnx" : "out.onnx";
    texts = (fs::temp_directory_path() / "onnxfold-fault-XXXXXX").string();
    ::close(::mkstemp(texts.data()));
  }
  ~Sweep() { fs::remove(texts); }

  /// Whether every run ended as it should.
  bool run(int64_t first, int64_t step) {
    if (!isInPlace)
      std::ofstream(folder / output, std::ios::binary) << oldOutput;
    before = files();
    bool isFine = true;
    unsigned variants = kind == FaultKind::Error ? mostVariants : 1;
    for (unsigned variant = 0; variant < variants; ++variant) {
      restore();
      RunEnd whole = runOnce({kind, 0, variant});
      if (whole.status != 0) {
        llvm::outs() << "without a fault: " << messages() << "\n";
        return false;
      }
      after = files();
      events += whole.events;
      for (int64_t event = first; event <= whole.events; event += step)
        isFine &= runFaulty({kind, event, variant, [this] { cutInputs(); }});
    }
    llvm::outs() << events << " events, " << runs << " runs\n";
    return isFine;
  }

private:
  Files files() const {
    Files found;
    for (const auto &entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file())
        found[fs::relative(entry.path(), folder).string()] =
            contentOf(entry.path());
    return found;
  }

  /// Makes the folder what it was.
  void restore() const {
    for (const auto &[name, content] : files())
      if (!before.count(name) || before.at(name) != content)
        fs::remove(folder / name);
    for (const auto &[name, content] : before)
      if (!fs::exists(folder / name))
        std::ofstream(folder / name, std::ios::binary) << content;
  }

  std::string messages() const { return contentOf(texts); }

  int runTheTool() {
    int text = ::open(texts.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
    ::dup2(text, STDERR_FILENO);
    ::dup2(::open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
    return runTool(int(argv.size()) - 1, argv.data());
  }

  RunEnd runOnce(const Fault &fault) {
    std::vector<std::string> words{"onnx-fold", folder / "model.onnx"};
    if (!isInPlace)
      words.insert(words.end(), {"-o", folder / output});
    words.insert(words.end(), flags.begin(), flags.end());
    argv.clear();
    for (std::string &word : words)
      argv.push_back(word.data());
    argv.push_back(nullptr);
    bool isTraced = kind == FaultKind::Error || kind == FaultKind::Short ||
                    kind == FaultKind::Kill || kind == FaultKind::Cut;
    auto body = [&] { return runTheTool(); };
    return isTraced ? runTraced(fault, body) : runAllocating(fault, body);
  }

  bool runFaulty(const Fault &fault) {
    restore();
    RunEnd end = runOnce(fault);
    ++runs;
    std::string wrong = kind == FaultKind::Kill  ? killed(end)
                        : kind == FaultKind::Cut ? endedCut(end)
                                                 : ended(end);
    if (wrong.empty())
      return true;
    llvm::outs() << end.event << ": " << wrong << "; standard error: '"
                 << llvm::StringRef(messages()).trim().take_back(300) << "'\n";
    llvm::outs().flush();
    return false;
  }

  /// There is no other way for glibc to say that it has no memory to note what
  /// is called at the end of a thread (32 bytes, for each of MLIR's tables that
  /// threads have of their own).
  bool isAbortOfGlibc(const RunEnd &end) const {
    return WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGABRT &&
           llvm::StringRef(messages())
               .contains("failed to register TLS destructor");
  }

  /// What is wrong with a run that could end by itself.
  std::string ended(const RunEnd &end) const {
    if (end.isHung)
      return "it hangs";
    if (isAbortOfGlibc(end) && files() == before)
      return "";
    if (WIFSIGNALED(end.status))
      return "signal " + std::to_string(WTERMSIG(end.status));
    int status = WEXITSTATUS(end.status);
    if (status != 0 && (status != 1 || kind == FaultKind::Short))
      return "exit status " + std::to_string(status);
    if (status == 1 && messages().empty() &&
        !llvm::StringRef(end.event).starts_with("write"))
      return "no message";
    Files now = files();
    if (now == (status == 0 ? after : before))
      return "";
    // The output has its name by then, and taking it back would risk more.
    bool isSync = llvm::StringRef(messages()).contains("cannot be synced");
    std::erase_if(now, [](const auto &file) {
      return llvm::StringRef(file.first).ends_with(".old");
    });
    if (status == 1 && isSync && now == after)
      return "";
    now = files();
    // What cannot be removed is left.
    if (status == 0 && llvm::StringRef(end.event).starts_with("unlink") &&
        now.at(output) == after.at(output))
      return "";
    return "exit status " + std::to_string(status) + ", but " + difference(now);
  }

  void cutInputs() const {
    for (const auto &[name, content] : before)
      if (name == "model.onnx" || llvm::StringRef(name).ends_with(".bin"))
        fs::resize_file(folder / name, content.size() / 2);
  }

  std::string endedCut(const RunEnd &end) const {
    if (end.isHung || WIFSIGNALED(end.status))
      return end.isHung ? "it hangs"
                        : "signal " + std::to_string(WTERMSIG(end.status));
    int status = WEXITSTATUS(end.status);
    if (status > 1 ||
        (status == 1 && messages().find(folder.string()) == std::string::npos))
      return "exit status " + std::to_string(status);
    Files now = files();
    return now.at(output) == (status == 0 ? after : before).at(output) &&
                   now.size() == (status == 0 ? after : before).size()
               ? ""
               : "exit status " + std::to_string(status) + ", but " +
                     difference(now);
  }

  /// Where the old output is while it and its companions are replaced.
  fs::path aside() const {
    for (const auto &entry : fs::directory_iterator(folder)) {
      std::string name = entry.path().filename().string();
      if (name.starts_with("." + output + ".onnxfold-") &&
          name.ends_with(".old"))
        return entry.path();
    }
    return {};
  }

  std::string killed(const RunEnd &end) {
    if (end.isHung)
      return "it hangs";
    if (end.isHit && !WIFSIGNALED(end.status))
      return "it was not killed";
    std::string left =
        contentOf(fs::exists(folder / output) ? folder / output : aside());
    if (left != before.at(output) && left != after.at(output))
      return output + " has " + std::to_string(left.size()) + " bytes";
    RunEnd again = runOnce({kind, 0, 0});
    if (again.status != 0 || again.isHung)
      return "the run after it fails";
    Files now = files();
    return now == after ? "" : "after another run " + difference(now);
  }

  std::string difference(const Files &now) const {
    std::string text;
    for (const auto &[name, content] : now)
      if (!before.count(name) && !after.count(name))
        text += " there is " + name;
      else if (name == output)
        text += content == before.at(output)  ? " the output is old"
                : content == after.at(output) ? " the output is new"
                                              : " the output is broken";
      else if (before.count(name) && content != before.at(name))
        text += " " + name + " has changed";
    for (const auto &[name, content] : before)
      if (!now.count(name))
        text += " " + name + " is gone";
    return text;
  }

  FaultKind kind;
  fs::path folder;
  std::vector<std::string> flags;
  std::string texts; ///< the file of standard error
  bool isInPlace;
  std::string output; ///< a name in the folder
  std::vector<char *> argv;
  Files before, after;
  int64_t events = 0, runs = 0;
};

} // namespace

int main(int argc, char **argv) {
  if (argc < 5) {
    llvm::errs() << "usage: fault-run KIND FIRST STEP FOLDER [flags]\n";
    return 2;
  }
  auto kind = llvm::StringSwitch<FaultKind>(argv[1])
                  .Case("short", FaultKind::Short)
                  .Case("kill", FaultKind::Kill)
                  .Case("cut", FaultKind::Cut)
                  .Case("allocation", FaultKind::Allocation)
                  .Case("exhausted", FaultKind::Exhausted)
                  .Default(FaultKind::Error);
  if (kind < FaultKind::Allocation && !canTrace())
    return 77;
  Sweep sweep(kind, fs::path(argv[4]), {argv + 5, argv + argc});
  return sweep.run(std::atoll(argv[2]), std::atoll(argv[3])) ? 0 : 1;
}

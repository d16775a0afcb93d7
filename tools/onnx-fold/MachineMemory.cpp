//===- MachineMemory.cpp - How much memory there is -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "MachineMemory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <vector>

using namespace onnxfold;
using llvm::StringRef;

static std::string textOfFile(const llvm::Twine &path) {
  auto file = llvm::MemoryBuffer::getFileAsStream(path);
  return file ? (*file)->getBuffer().str() : "";
}

/// The kilobytes behind a name in a file of /proc, in bytes.
static uint64_t bytesAfter(StringRef text, StringRef name) {
  size_t at = text.find(name);
  uint64_t kilobytes = 0;
  if (at == StringRef::npos ||
      text.substr(at + name.size()).ltrim().consumeInteger(10, kilobytes))
    return 0;
  return kilobytes * 1024;
}

/// Nothing if there is no such file, or no number in it ("max").
static std::optional<uint64_t> numberIn(const llvm::Twine &path) {
  uint64_t number;
  std::string text = textOfFile(path);
  if (StringRef(text).trim().getAsInteger(10, number))
    return std::nullopt;
  return number;
}

namespace {

/// A control group of Linux: what its processes may have together.
struct MemoryGroup {
  uint64_t most, used;
};

} // namespace

/// Those that have a limit, of a group and all that it is in. Inside of a
/// container the names may be those outside, and only the last folder is there.
static void appendGroups(StringRef root, StringRef group, StringRef most,
                         StringRef used, std::vector<MemoryGroup> &groups) {
  for (;; group = group.rsplit('/').first) {
    std::string folder = (root + group + "/").str();
    if (std::optional<uint64_t> bytes = numberIn(folder + most))
      groups.push_back({*bytes, numberIn(folder + used).value_or(0)});
    if (!group.contains('/'))
      return;
  }
}

/// Reads the groups of this process: lines `number:controllers:group`; the
/// second version of control groups names no controllers.
static std::vector<MemoryGroup> memoryGroups() {
  std::vector<MemoryGroup> groups;
  std::string text = textOfFile("/proc/self/cgroup");
  for (StringRef line : llvm::split(text, '\n')) {
    auto [controllers, group] = line.split(':').second.split(':');
    group.consume_back("/");
    if (controllers.empty())
      appendGroups("/sys/fs/cgroup", group, "memory.max", "memory.current",
                   groups);
    else if (llvm::is_contained(llvm::split(controllers, ','), "memory"))
      appendGroups("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes",
                   "memory.usage_in_bytes", groups);
  }
  return groups;
}

uint64_t onnxfold::memoryOfMachine() {
  uint64_t bytes = ~uint64_t(0);
  struct sysinfo machine;
  if (::sysinfo(&machine) == 0)
    bytes = uint64_t(machine.totalram) * machine.mem_unit;
  rlimit addresses;
  if (::getrlimit(RLIMIT_AS, &addresses) == 0)
    bytes = std::min<uint64_t>(bytes, addresses.rlim_cur);
  for (const MemoryGroup &group : memoryGroups())
    bytes = std::min(bytes, group.most);
  return bytes;
}

uint64_t onnxfold::freeMemory() {
  uint64_t bytes = bytesAfter(textOfFile("/proc/meminfo"), "MemAvailable:");
  if (bytes == 0)
    bytes = uint64_t(1) << 30;
  for (const MemoryGroup &group : memoryGroups())
    bytes = std::min(bytes, group.most - std::min(group.most, group.used));
  return bytes;
}

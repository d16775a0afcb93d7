//===- MachineMemory.cpp - How much memory there is -----------------------===//

#include "MachineMemory.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <sys/sysinfo.h>

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
static std::optional<uint64_t> ofContainer(StringRef name) {
  uint64_t bytes;
  std::string text = textOfFile("/sys/fs/cgroup/" + name);
  if (StringRef(text).trim().getAsInteger(10, bytes))
    return std::nullopt;
  return bytes;
}

uint64_t onnxfold::memoryOfMachine() {
  uint64_t bytes = ~uint64_t(0);
  struct sysinfo machine;
  if (::sysinfo(&machine) == 0)
    bytes = uint64_t(machine.totalram) * machine.mem_unit;
  rlimit addresses;
  if (::getrlimit(RLIMIT_AS, &addresses) == 0)
    bytes = std::min<uint64_t>(bytes, addresses.rlim_cur);
  return std::min(bytes, ofContainer("memory.max").value_or(bytes));
}

uint64_t onnxfold::freeMemory() {
  uint64_t bytes = bytesAfter(textOfFile("/proc/meminfo"), "MemAvailable:");
  if (bytes == 0)
    bytes = uint64_t(1) << 30;
  std::optional<uint64_t> limit = ofContainer("memory.max"),
                          used = ofContainer("memory.current");
  if (limit && used)
    bytes = std::min(bytes, *limit > *used ? *limit - *used : 0);
  return bytes;
}

uint64_t onnxfold::memoryOf(pid_t process) {
  std::string text = textOfFile("/proc/" + llvm::Twine(process) + "/status");
  return bytesAfter(text, "RssAnon:") + bytesAfter(text, "RssShmem:");
}

//===- CacheFolder.cpp - A folder of results of earlier runs --------------===//

#include "onnxfold/onnx/driver/internal/CacheFolder.h"
#include "onnxfold/onnx/driver/internal/CacheEntry.h"
#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/io/SystemCalls.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <chrono>
#include <elf.h>
#include <link.h>
#include <random>
#include <tuple>
#include <vector>

using namespace onnxfold;
using llvm::StringRef;
using Key = ResultCache::Key;

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

/// The note of the linker that is another one for every other content; empty if
/// there is none.
static StringRef buildNote(const dl_phdr_info &object) {
  for (const auto &header :
       llvm::ArrayRef(object.dlpi_phdr, object.dlpi_phnum)) {
    if (header.p_type != PT_NOTE)
      continue;
    auto *at =
        reinterpret_cast<const char *>(object.dlpi_addr + header.p_vaddr);
    const char *end = at + header.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      const auto &note = *reinterpret_cast<const ElfW(Nhdr) *>(at);
      const char *name = at + sizeof(note);
      const char *text = name + llvm::alignTo<4>(note.n_namesz);
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
          StringRef(name, 3) == "GNU")
        return {text, note.n_descsz};
      at = text + llvm::alignTo<4>(note.n_descsz);
    }
  }
  return {};
}

/// What an object without such a note is told by.
static std::string fileState(StringRef path) {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status))
    return path.str();
  auto time = status.getLastModificationTime().time_since_epoch().count();
  return (path + " " + llvm::Twine(status.getSize()) + " " + llvm::Twine(time))
      .str();
}

/// This program or library, and the libraries that compute for it; the others
/// of a process that folds as a library do not matter.
static int addBuild(dl_phdr_info *object, size_t, void *text) {
  auto address = reinterpret_cast<ElfW(Addr)>(&addBuild);
  bool isThis = false;
  for (const auto &header :
       llvm::ArrayRef(object->dlpi_phdr, object->dlpi_phnum)) {
    ElfW(Addr) begin = object->dlpi_addr + header.p_vaddr;
    isThis |= header.p_type == PT_LOAD && address >= begin &&
              address < begin + header.p_memsz;
  }
  StringRef name = llvm::sys::path::filename(object->dlpi_name);
  bool computes =
      llvm::any_of(std::initializer_list<StringRef>{"onnxfold", "LLVM", "MLIR",
                                                    "sleef", "re2", "libonnx"},
                   [&](StringRef part) { return name.contains(part); });
  if (!isThis && !computes)
    return 0;
  StringRef note = buildNote(*object);
  static_cast<std::string *>(text)->append(
      !note.empty() ? note.str()
                    : fileState(isThis ? "/proc/self/exe" : object->dlpi_name));
  return 0;
}

Key onnxfold::programBuild() {
  std::string text;
  ::dl_iterate_phdr(addBuild, &text);
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(
      {reinterpret_cast<const uint8_t *>(text.data()), text.size()});
  return {hash.low64, hash.high64};
}

//===----------------------------------------------------------------------===//
// The files
//===----------------------------------------------------------------------===//

static constexpr StringRef suffix = ".folded", temporarySuffix = ".tmp";

/// 32 hexadecimal digits and the suffix: all that is ever erased.
static bool isValueFile(StringRef name) {
  return name.consume_back(suffix) && name.size() == 32 &&
         llvm::all_of(name, llvm::isHexDigit);
}

/// "<run>-<number>.tmp"
static bool isTemporaryFile(StringRef name) {
  auto [run, number] = name.split('-');
  return number.consume_back(temporarySuffix) && !run.empty() &&
         !number.empty() && llvm::all_of(run, llvm::isHexDigit) &&
         llvm::all_of(number, llvm::isDigit);
}

/// The same process number may be in use in two containers.
static std::string nameOfRun() {
  std::random_device random;
  return llvm::utohexstr(uint64_t(random()) << 32 | random(),
                         /*LowerCase=*/true, /*Width=*/16);
}

std::string CacheFolder::fileOf(const Key &key) const {
  return folder + "/" +
         llvm::utohexstr(key.high, /*LowerCase=*/true, /*Width=*/16) +
         llvm::utohexstr(key.low, /*LowerCase=*/true, /*Width=*/16) +
         suffix.str();
}

std::string CacheFolder::temporary() {
  return folder + "/" + run + "-" + std::to_string(nextTemporary++) +
         temporarySuffix.str();
}

namespace {

struct FoundFile {
  std::string path;
  uint64_t bytes;
  llvm::sys::TimePoint<> used;
};

} // namespace

/// The values that are there; what killed runs left is erased.
static std::vector<FoundFile> listFiles(const std::string &folder) {
  constexpr std::chrono::hours longest(24);
  std::vector<FoundFile> files;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator at(folder, error), end;
       at != end && !error; at.increment(error)) {
    StringRef name = llvm::sys::path::filename(at->path());
    bool isTemporary = isTemporaryFile(name);
    llvm::sys::fs::file_status status;
    if ((!isTemporary && !isValueFile(name)) ||
        llvm::sys::fs::status(at->path(), status, /*follow=*/false) ||
        status.type() != llvm::sys::fs::file_type::regular_file)
      continue;
    auto used = status.getLastModificationTime();
    if (!isTemporary)
      files.push_back({at->path(), status.getSize(), used});
    else if (std::chrono::system_clock::now() - used > longest)
      systemCalls().unlink(at->path().c_str());
  }
  return files;
}

//===----------------------------------------------------------------------===//
// The folder
//===----------------------------------------------------------------------===//

CacheFolder::CacheFolder(std::string folder, uint64_t mostBytes,
                         std::function<bool()> isCancelled)
    : folder(std::move(folder)), mostBytes(mostBytes),
      isCancelled(std::move(isCancelled)), build(programBuild()),
      run(nameOfRun()) {
  for (const FoundFile &file : listFiles(this->folder))
    bytes += file.bytes;
}

CacheFolder::~CacheFolder() {
  std::lock_guard<std::mutex> lock(mutex);
  if (counted.kept != 0) // other runs may have kept values, too
    eraseOldest(mostBytes);
}

llvm::Expected<std::unique_ptr<CacheFolder>>
CacheFolder::open(const std::string &folder, uint64_t mostBytes,
                  std::function<bool()> isCancelled) {
  std::error_code error = llvm::sys::fs::create_directories(
      folder, /*IgnoreExisting=*/true, llvm::sys::fs::owner_all);
  if (!error && !llvm::sys::fs::is_directory(folder))
    error = std::make_error_code(std::errc::not_a_directory);
  if (error)
    return makeError(
        "--cache is '" + printableText(folder) +
        "', which cannot be made: " + StringRef(error.message()).lower());
  return std::unique_ptr<CacheFolder>(
      new CacheFolder(folder, mostBytes, std::move(isCancelled)));
}

Elements CacheFolder::find(const Key &key, DataType type, ShapeRef shape) {
  bool isDamaged = false;
  Elements value =
      readCacheEntry(fileOf(key), {build, key, type, Shape(shape)}, isDamaged);
  std::lock_guard<std::mutex> lock(mutex);
  counted.damaged += isDamaged;
  if (!seen.insert(key).second)
    return value;
  counted.found += bool(value);
  counted.bytesFound += value ? value.bytes() : 0;
  counted.computed += !value;
  return value;
}

Elements CacheFolder::keep(const Key &key, const Elements &value) {
  std::optional<uint64_t> size = bytesOfCacheEntry(value);
  if (!size || (isCancelled && isCancelled()) || !makeRoom(*size))
    return value;
  CacheEntry entry = {build, key, value.type(), Shape(value.shape())};
  llvm::Expected<Elements> kept =
      writeCacheEntry(fileOf(key), temporary(), entry, value);
  std::lock_guard<std::mutex> lock(mutex);
  if (!kept) {
    failure = llvm::toString(kept.takeError());
    return value;
  }
  bytes += *size;
  ++counted.kept;
  counted.bytesKept += value.bytes();
  return *kept;
}

/// False: a value of that many bytes cannot be kept.
bool CacheFolder::makeRoom(uint64_t size) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!failure.empty() || size > mostBytes)
    return false;
  // A tenth more, so that not every value erases one.
  if (bytes + size > mostBytes)
    eraseOldest(mostBytes - std::max(size, mostBytes / 10));
  return true;
}

/// Until the files have `most` bytes. REQUIRES: the mutex is held.
void CacheFolder::eraseOldest(uint64_t most) {
  std::vector<FoundFile> files = listFiles(folder);
  llvm::sort(files, [](const FoundFile &a, const FoundFile &b) {
    return std::tie(a.used, a.path) < std::tie(b.used, b.path);
  });
  bytes = 0;
  for (const FoundFile &file : files)
    bytes += file.bytes;
  for (const FoundFile &file : files) {
    if (bytes <= most)
      return;
    // Another run may have erased it.
    systemCalls().unlink(file.path.c_str());
    bytes -= file.bytes;
    ++counted.erased;
  }
}

FoldReport::CacheCounts CacheFolder::counts() const {
  std::lock_guard<std::mutex> lock(mutex);
  return counted;
}

std::string CacheFolder::problem() const {
  std::lock_guard<std::mutex> lock(mutex);
  return failure;
}

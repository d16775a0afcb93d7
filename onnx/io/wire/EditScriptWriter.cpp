//===- EditScriptWriter.cpp - Writing the result of an edit script --------===//
// SPDX-License-Identifier: Apache-2.0
//
// Large kept ranges are copied in the kernel; small ones, literals and lengths
// are gathered in a buffer, so that a million small edits do not become a
// million system calls; payloads are written by the pool's threads meanwhile.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/onnx/io/files/FileCopy.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/files/OutputFile.h"
#include "onnxfold/onnx/io/wire/EditScript.h"
#include "onnxfold/onnx/io/wire/WireCursor.h"

#include "llvm/Support/ThreadPool.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <new>
#include <protozero/varint.hpp>

using namespace llvm;

namespace onnxfold {

/// The kernel copies kept ranges of this size or more.
static constexpr uint64_t kernelCopySize = 64 * 1024;
static constexpr size_t gatherSize = 256 * 1024;
/// Payloads that are in work at the same time have at most so many bytes
/// together; larger ones are in work alone.
static constexpr uint64_t payloadsAtOnce = 26 << 20;
/// Payloads of so many bytes in all are written without threads: to start one
/// takes 0.1 ms and a heap of its own.
static constexpr uint64_t fewBytes = 256 << 10;
/// Payloads of a stream up to this size are made in memory.
static constexpr uint64_t memoryPayloadSize = 4 << 20;

namespace {

/// Checks what all sinks promise their callers.
class CheckedSink : public PayloadSink {
public:
  CheckedSink(uint64_t size, StringRef name) : size(size), name(name) {}

  Error write(uint64_t offset, StringRef bytes) final {
    if (offset > size || bytes.size() > size - offset)
      return ModelFault().file(name).says("internal error: a payload of " +
                                          Twine(size) +
                                          " bytes wrote beyond its end");
    written += bytes.size();
    return put(offset, bytes);
  }
  Error finish() const {
    if (written == size)
      return Error::success();
    return ModelFault().file(name).says("internal error: a payload of " +
                                        Twine(size) + " bytes wrote " +
                                        Twine(written.load()));
  }

protected:
  virtual Error put(uint64_t offset, StringRef bytes) = 0;

private:
  uint64_t size;
  StringRef name;
  std::atomic<uint64_t> written{0};
};

class OutputSink final : public CheckedSink {
public:
  OutputSink(OutputFile &output, uint64_t base, uint64_t size)
      : CheckedSink(size, output.name()), output(output), base(base) {}

private:
  Error put(uint64_t offset, StringRef bytes) override {
    return output.write(base + offset, bytes);
  }
  OutputFile &output;
  uint64_t base;
};

class MemorySink final : public CheckedSink {
public:
  MemorySink(uint64_t size, StringRef name)
      : CheckedSink(size, name), bytes(size, '\0') {}
  std::string bytes;

private:
  Error put(uint64_t offset, StringRef piece) override {
    std::memcpy(bytes.data() + offset, piece.data(), piece.size());
    return Error::success();
  }
};

class TemporarySink final : public CheckedSink {
public:
  TemporarySink(int fd, uint64_t size, StringRef name)
      : CheckedSink(size, name), fd(fd) {}

private:
  Error put(uint64_t offset, StringRef bytes) override {
    return writeFully(fd, offset, bytes, "temporary file");
  }
  int fd;
};

/// A payload and where it is written.
struct PlacedPayload {
  const Payload *payload;
  uint64_t offset;
};

/// Runs payloads on a pool's threads until all are done or one fails.
class PayloadRunner {
public:
  PayloadRunner(OutputFile &output, std::vector<PlacedPayload> work)
      : output(output), payloads(std::move(work)) {}
  ~PayloadRunner() { consumeError(std::move(failure)); }

  size_t size() const { return payloads.size(); }
  uint64_t bytes() const {
    uint64_t total = 0;
    for (const PlacedPayload &placed : payloads)
      total += placed.payload->size;
    return total;
  }
  void stop() { stopped = true; }
  void run() {
    while (!stopped) {
      size_t index = next++;
      if (index >= payloads.size())
        return;
      uint64_t bytes = payloads[index].payload->size;
      begin(bytes);
      if (!stopped)
        if (Error error = runOne(payloads[index]))
          note(std::move(error));
      end(bytes);
    }
  }
  Error takeError() { return std::move(failure); }

private:
  /// Nobody sees what a task of the pool throws: bytes would be missing.
  Error runOne(const PlacedPayload &placed) {
    try {
      OutputSink sink(output, placed.offset, placed.payload->size);
      if (Error error = placed.payload->write(sink))
        return error;
      return sink.finish();
    } catch (const std::bad_alloc &) {
      return ModelFault().file(output.name()).says("out of memory");
    } catch (const UnreadableFile &unreadable) {
      return ModelFault(unreadable.fault());
    }
  }
  /// Waits until there is room: what a payload reads and computes is in memory
  /// while it is written, and there may be many threads.
  void begin(uint64_t bytes) {
    std::unique_lock<std::mutex> lock(mutex);
    room.wait(lock,
              [&] { return inWork == 0 || inWork + bytes <= payloadsAtOnce; });
    inWork += bytes;
  }
  void end(uint64_t bytes) {
    std::lock_guard<std::mutex> lock(mutex);
    inWork -= bytes;
    room.notify_all();
  }
  void note(Error error) {
    std::lock_guard<std::mutex> lock(mutex);
    stopped = true;
    if (failure)
      consumeError(std::move(error));
    else
      failure = std::move(error);
  }

  OutputFile &output;
  std::vector<PlacedPayload> payloads;
  std::atomic<size_t> next{0};
  std::atomic<bool> stopped{false};
  std::mutex mutex;
  std::condition_variable room;
  uint64_t inWork = 0;
  Error failure = Error::success();
};

} // namespace

/// Writes the pieces that are no payloads, in order.
class LayoutWriter {
public:
  LayoutWriter(const EditScript &script, OutputFile &output)
      : script(script), output(output) {
    if (script.input)
      reader.emplace(script.input);
  }

  /// Asks for space for all that will be written: all but holes.
  void reserve(const OutputLayout &layout);
  /// Writes all pieces to a stream, and all but the payloads to a file.
  Error write(const OutputLayout &layout);
  std::vector<PlacedPayload> payloads(const OutputLayout &layout) const;

private:
  bool mayBeHole(const OutputPiece &piece) const;
  Error add(const OutputPiece &piece);
  Error addContent(const Content &content);
  Error addRange(const InputFile &file, ByteRange range);
  Error addSmallRange(ByteRange range);
  Error addPayload(const Payload &payload);
  Error addGap(uint64_t size);
  Error gather(StringRef bytes);
  Error flush();

  const EditScript &script;
  OutputFile &output;
  /// Small kept ranges, through its window; none for a new file.
  std::optional<WireReader> reader;
  std::string buffer;
  uint64_t position = 0; ///< in the output, of the buffer's first byte
};

std::vector<PlacedPayload>
LayoutWriter::payloads(const OutputLayout &layout) const {
  std::vector<PlacedPayload> found;
  uint64_t offset = 0;
  for (const OutputPiece &piece : layout.pieces) {
    if (piece.kind == OutputPiece::Kind::Insert) {
      const Content &content = script.contents[piece.index];
      if (content.kind == Content::Kind::Payload)
        found.push_back({&content.source, offset});
    }
    offset += piece.size;
  }
  return found;
}

bool LayoutWriter::mayBeHole(const OutputPiece &piece) const {
  if (piece.kind == OutputPiece::Kind::Keep)
    return piece.size >= kernelCopySize && script.input->mayHaveHoles();
  if (piece.kind == OutputPiece::Kind::Prefix)
    return false;
  const Content &content = script.contents[piece.index];
  return content.kind == Content::Kind::Gap ||
         (content.kind == Content::Kind::Copy && content.file->mayHaveHoles());
}

void LayoutWriter::reserve(const OutputLayout &layout) {
  ByteRange range;
  for (const OutputPiece &piece : layout.pieces) {
    if (mayBeHole(piece)) {
      output.reserve(range);
      range.begin = range.end + piece.size;
      range.end = range.begin;
    } else {
      range.end += piece.size;
    }
  }
  output.reserve(range);
}

Error LayoutWriter::flush() {
  if (buffer.empty())
    return Error::success();
  if (Error error = output.write(position, buffer))
    return error;
  position += buffer.size();
  buffer.clear();
  return Error::success();
}

Error LayoutWriter::gather(StringRef bytes) {
  if (buffer.size() + bytes.size() > gatherSize)
    if (Error error = flush())
      return error;
  if (bytes.size() <= gatherSize) {
    buffer.append(bytes.data(), bytes.size());
    return Error::success();
  }
  Error error = output.write(position, bytes);
  position += bytes.size();
  return error;
}

Error LayoutWriter::addSmallRange(ByteRange range) {
  if (buffer.size() + range.size() > gatherSize)
    if (Error error = flush())
      return error;
  size_t old = buffer.size();
  buffer.resize(old + range.size());
  reader->read(range, {buffer.data() + old, size_t(range.size())});
  return reader->takeError();
}

Error LayoutWriter::addRange(const InputFile &file, ByteRange range) {
  if (range.size() < kernelCopySize && &file == script.input.get())
    return addSmallRange(range);
  if (Error error = flush())
    return error;
  if (Error error = output.copy(file, range, position))
    return error;
  position += range.size();
  return Error::success();
}

Error LayoutWriter::addPayload(const Payload &payload) {
  if (Error error = flush())
    return error;
  if (!output.isStream()) {
    position += payload.size;
    return Error::success();
  }
  if (payload.size <= memoryPayloadSize) {
    MemorySink sink(payload.size, output.name());
    if (Error error = payload.write(sink))
      return error;
    if (Error error = sink.finish())
      return error;
    return gather(sink.bytes);
  }
  Expected<int> fd = openUnlinkedTemporary();
  if (!fd)
    return fd.takeError();
  TemporarySink sink(*fd, payload.size, output.name());
  Error error = payload.write(sink);
  if (!error)
    error = sink.finish();
  Expected<InputFileRef> file = InputFile::adopt(*fd, "temporary file");
  if (error || !file)
    return firstError(std::move(error), file.takeError());
  return addRange(**file, {0, payload.size});
}

/// A file reads as zeros where nothing was written.
Error LayoutWriter::addGap(uint64_t size) {
  if (!output.isStream()) {
    if (Error error = flush())
      return error;
    position += size;
    return Error::success();
  }
  for (uint64_t count; size != 0; size -= count) {
    count = std::min<uint64_t>(size, gatherSize);
    if (Error error = gather(std::string(count, '\0')))
      return error;
  }
  return Error::success();
}

Error LayoutWriter::addContent(const Content &content) {
  switch (content.kind) {
  case Content::Kind::Literal:
    return gather(content.bytes);
  case Content::Kind::Copy:
    if (Error error = addRange(*content.file, content.range))
      return error;
    return content.file->checkUnchanged();
  case Content::Kind::Gap:
    return addGap(content.range.size());
  case Content::Kind::Payload:
    return addPayload(content.source);
  case Content::Kind::Moved: // layouts have its pieces instead
    break;
  }
  llvm_unreachable("no content of a layout");
}

Error LayoutWriter::add(const OutputPiece &piece) {
  switch (piece.kind) {
  case OutputPiece::Kind::Keep:
    return addRange(*script.input, {piece.begin, piece.begin + piece.size});
  case OutputPiece::Kind::Insert:
    return addContent(script.contents[piece.index]);
  case OutputPiece::Kind::Prefix:
    break;
  }
  char length[protozero::max_varint_length];
  int size = protozero::add_varint_to_buffer(length, piece.begin);
  return gather({length, size_t(size)});
}

Error LayoutWriter::write(const OutputLayout &layout) {
  for (const OutputPiece &piece : layout.pieces)
    if (Error error = add(piece))
      return error;
  if (Error error = flush())
    return error;
  return script.input ? script.input->checkUnchanged() : Error::success();
}

Error EditScript::write(OutputFile &output, ThreadPoolInterface *pool) const {
  return write(output, layout(), pool);
}

/// The layout, and the payloads that are small beside it, on all threads.
static Error writeTogether(LayoutWriter &writer, const OutputLayout &layout,
                           PayloadRunner &payloads, ThreadPoolInterface &pool) {
  ThreadPoolTaskGroup group(pool);
  size_t workers = std::min<size_t>(pool.getMaxConcurrency(), payloads.size());
  for (size_t i = 0; i < workers; ++i)
    group.async([&payloads] { payloads.run(); });
  Error error = writer.write(layout);
  if (error)
    payloads.stop();
  group.wait();
  return firstError(std::move(error), payloads.takeError());
}

static Error writeInTurn(LayoutWriter &writer, const OutputLayout &layout,
                         PayloadRunner &payloads) {
  if (Error error = writer.write(layout))
    return error;
  payloads.run();
  return payloads.takeError();
}

Error EditScript::write(OutputFile &output, const OutputLayout &layout,
                        ThreadPoolInterface *pool) const {
  if (Error error = output.resize(layout.size))
    return error;
  LayoutWriter writer(*this, output);
  if (output.isStream())
    return writer.write(layout);
  writer.reserve(layout);
  std::vector<PlacedPayload> small, large;
  for (PlacedPayload &placed : writer.payloads(layout))
    (placed.payload->size > payloadsAtOnce / 2 ? large : small)
        .push_back(placed);
  PayloadRunner runner(output, std::move(small));
  PayloadRunner alone(output, std::move(large));
  std::optional<ParallelScope> parallel;
  if (pool && pool->getMaxConcurrency() > 1)
    parallel.emplace(*pool);
  Error error = pool && runner.bytes() > fewBytes
                    ? writeTogether(writer, layout, runner, *pool)
                    : writeInTurn(writer, layout, runner);
  if (error)
    return error;
  // Large ones in turn, each by all threads.
  alone.run();
  return alone.takeError();
}

} // namespace onnxfold

//===- EditScript.h - A new file as edits of an old one -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The core of the writer. A script names ranges of an input file to erase and
// places of insertions, each in a message (MessageSpan); the rest of the file
// is kept byte for byte. Only the length prefixes of messages whose size
// changes are written anew, so unknown fields, odd encodings and payloads
// survive, and an empty script gives an identical file.
//
// An inserted Content is literal bytes, a range of an input file, a gap (zeros
// that are not written where the output can have holes), or a Payload: bytes
// whose number is known in advance and which a function computes while the
// output file is written, in any order, in parallel, so that a large result is
// never in memory as a whole. A script without an input makes a new file.
//
//   * At one place contents appear in the order of the calls. Contents at the
//     end of a message are part of it; contents after it are part of its
//     parent.
//   * Edits inside of an erased range are dropped with it: a node may be
//     patched first and deleted later. Contents inserted at the edges of an
//     erased range are kept (replace() relies on it).
//   * Ranges that are erased in one message may overlap; they must not cut
//     through a field, which is not checked here.
//
// Ownership: the script copies spans (parents included), owns contents and
// shares the input files.
// Thread safety: a script is made by one thread. write() calls payload writers
// from threads of the pool, several at once.
//
// Example: replace the first input of a node and add an initializer.
//   EditScript script(model.file());
//   script.replace(*node.span, node.inputs[0].field,
//                  Content::literal(encodeTextField(1, "folded")));
//   script.append(*graph.parts.back(), Content::literal(std::move(header)));
//   script.append(*graph.parts.back(), Content::payload({size, writeValues}));
//   return script.write(*output, pool);
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_WIRE_EDITSCRIPT_H
#define ONNXFOLD_ONNX_IO_WIRE_EDITSCRIPT_H

#include "onnxfold/onnx/io/files/InputFile.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/FunctionExtras.h"

#include <deque>
#include <string>
#include <vector>

namespace llvm {
class ThreadPoolInterface;
} // namespace llvm

namespace onnxfold {

class OutputFile;

/// The target of a payload's bytes.
class PayloadSink {
public:
  virtual ~PayloadSink() = default;
  /// Bytes at an offset within the payload; each byte is written exactly once,
  /// in any order, by any thread.
  virtual llvm::Error write(uint64_t offset, llvm::StringRef bytes) = 0;
};

/// Bytes that are computed while they are written.
struct Payload {
  uint64_t size = 0;
  /// Writes all `size` bytes. May run on another thread, next to other
  /// payloads.
  llvm::unique_function<llvm::Error(PayloadSink &) const> write;
};

/// Something to insert.
class Content {
public:
  static Content literal(std::string bytes);
  static Content payload(Payload payload);
  static Content copy(InputFileRef file, ByteRange range);
  static Content gap(uint64_t size);

  uint64_t size() const;

private:
  friend class LayoutWriter;
  friend class DataFile;
  friend class EditScript;
  friend class LayoutBuilder;
  enum class Kind : uint8_t { Literal, Payload, Copy, Gap, Moved };
  Kind kind = Kind::Literal;
  std::string bytes;
  Payload source;
  InputFileRef file;
  ByteRange range; ///< of the file; its size is that of a gap
  /// Index in the script, if the content is a moved message; and the literals
  /// around it, from the outside in: tag, fields before, fields after of each
  /// new message, then the tag of the moved one.
  uint32_t message = 0;
  std::vector<uint32_t> around;
};

/// A new message around a moved one.
struct Frame {
  std::string tag;           ///< of the new message
  std::string before, after; ///< its other fields
};

/// A piece of the output, in order.
struct OutputPiece {
  enum class Kind : uint8_t {
    Keep,   ///< a range of the input
    Insert, ///< contents()[index]
    Prefix, ///< a new length, given in `begin`, as a varint of `size` bytes
  };
  Kind kind = Kind::Keep;
  uint32_t index = 0;
  uint64_t begin = 0; ///< Keep: in the input. Prefix: the new length
  uint64_t size = 0;
};

/// The output as a list.
struct OutputLayout {
  std::vector<OutputPiece> pieces;
  uint64_t size = 0;
};

class EditScript {
public:
  explicit EditScript(InputFileRef input);
  /// Describes a new file: it consists of the contents that are appended to
  /// root().
  EditScript();
  ~EditScript();

  /// The whole file.
  const MessageSpan &root() const { return messages[0].span; }

  /// REQUIRES (all): the span and its parents are messages of the input, the
  /// range or place is within its contents.
  void erase(const MessageSpan &message, ByteRange range);
  void insert(const MessageSpan &message, uint64_t place, Content content);
  void replace(const MessageSpan &message, ByteRange range, Content content);

  /// Erase the message itself, tag included, or insert beside it. REQUIRES: it
  /// is not the root.
  void erase(const MessageSpan &message);
  void insertBefore(const MessageSpan &message, Content content);
  void insertAfter(const MessageSpan &message, Content content);
  /// Moves `message`, with the edits inside of it, to another place: before or
  /// after the message `there`, as field `number` of its parent. The message
  /// around its old place may be erased. REQUIRES: `there` is not inside of it.
  enum class Side : uint8_t { Before, After };
  void move(const MessageSpan &message, const MessageSpan &there, Side side,
            uint32_t number);
  /// Moves `message` to a place in another one, as a field with this tag, into
  /// new messages around it, of which the first is the outermost.
  void move(const MessageSpan &message, const MessageSpan &parent,
            uint64_t place, llvm::StringRef tag,
            llvm::ArrayRef<Frame> frames = {});
  /// Inserts at the end of the message's contents.
  void append(const MessageSpan &message, Content content);

  bool empty() const { return edits.empty(); }
  /// True if the message, or one around it, is erased as a whole. (A message
  /// that was moved from there is not erased.)
  bool isErased(const MessageSpan &message) const;

  /// The pieces and the exact size of the output.
  OutputLayout layout() const;

  /// Writes the output, but does not commit it. Kept ranges are copied in the
  /// kernel, payloads are written by threads of `pool` at the same time (one
  /// after the other without a pool, and always on a stream).
  llvm::Error write(OutputFile &output,
                    llvm::ThreadPoolInterface *pool = nullptr) const;
  llvm::Error write(OutputFile &output, const OutputLayout &layout,
                    llvm::ThreadPoolInterface *pool = nullptr) const;

private:
  friend class LayoutBuilder;
  friend class LayoutWriter;

  struct Message {
    MessageSpan span; ///< its parent pointer is not used
    uint32_t parent;  ///< index; of itself for the root
  };
  struct Edit {
    uint32_t message;
    uint32_t content; ///< index, or none
    ByteRange range;  ///< erased; empty for an insertion
  };
  static constexpr uint32_t none = ~0u;

  uint32_t messageIndex(const MessageSpan &span);
  uint32_t addLiteral(llvm::StringRef bytes);

  InputFileRef input;           ///< null for a new file
  std::deque<Message> messages; ///< messages[0] is the root
  llvm::DenseMap<uint64_t, uint32_t> messageByBody;
  llvm::DenseSet<uint64_t> erasedBodies, movedBodies;
  std::vector<Edit> edits; ///< in the order of the calls
  std::deque<Content> contents;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_WIRE_EDITSCRIPT_H

//===- EditScript.cpp - Collecting edits and laying out the result --------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/wire/EditScript.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cassert>
#include <protozero/varint.hpp>

using namespace llvm;

namespace onnxfold {

Content Content::literal(std::string bytes) {
  Content content;
  content.kind = Kind::Literal;
  content.bytes = std::move(bytes);
  return content;
}

Content Content::payload(Payload payload) {
  Content content;
  content.kind = Kind::Payload;
  content.source = std::move(payload);
  return content;
}

Content Content::copy(InputFileRef file, ByteRange range) {
  Content content;
  content.kind = Kind::Copy;
  content.file = std::move(file);
  content.range = range;
  return content;
}

Content Content::gap(uint64_t size) {
  Content content;
  content.kind = Kind::Gap;
  content.range = {0, size};
  return content;
}

uint64_t Content::size() const {
  switch (kind) {
  case Kind::Literal:
    return bytes.size();
  case Kind::Payload:
    return source.size;
  case Kind::Copy:
  case Kind::Gap:
  case Kind::Moved: // known in a layout only
    break;
  }
  return range.size();
}

EditScript::EditScript(InputFileRef file) : input(std::move(file)) {
  MessageSpan root;
  root.end = input->size();
  messages.push_back({root, 0});
  messageByBody[0] = 0;
}

EditScript::EditScript() {
  messages.push_back({MessageSpan(), 0});
  messageByBody[0] = 0;
}

EditScript::~EditScript() = default;

bool EditScript::isErased(const MessageSpan &message) const {
  for (const MessageSpan *span = &message; span->parent; span = span->parent) {
    if (movedBodies.contains(span->body))
      return false;
    if (erasedBodies.contains(span->body))
      return true;
  }
  return false;
}

/// Messages are told apart by where their contents begin: no two messages of a
/// file share that place, since a nested one has a tag and a length before it.
uint32_t EditScript::messageIndex(const MessageSpan &span) {
  auto known = messageByBody.find(span.body);
  if (known != messageByBody.end())
    return known->second;
  assert(span.parent && "only the root has no parent");
  uint32_t parent = messageIndex(*span.parent);
  assert(messages[parent].span.contents().contains(span.field()) &&
         "a message is within its parent");
  uint32_t index = messages.size();
  messages.push_back({span, parent});
  messageByBody[span.body] = index;
  return index;
}

void EditScript::erase(const MessageSpan &message, ByteRange range) {
  assert(message.contents().contains(range) && "an edit is in its message");
  if (!range.empty())
    edits.push_back({messageIndex(message), none, range});
}

void EditScript::insert(const MessageSpan &message, uint64_t place,
                        Content content) {
  replace(message, {place, place}, std::move(content));
}

void EditScript::replace(const MessageSpan &message, ByteRange range,
                         Content content) {
  assert(message.contents().contains(range) && "an edit is in its message");
  edits.push_back({messageIndex(message), uint32_t(contents.size()), range});
  contents.push_back(std::move(content));
}

void EditScript::erase(const MessageSpan &message) {
  erasedBodies.insert(message.body);
  erase(*message.parent, message.field());
}

void EditScript::insertBefore(const MessageSpan &message, Content content) {
  insert(*message.parent, message.begin, std::move(content));
}

void EditScript::insertAfter(const MessageSpan &message, Content content) {
  insert(*message.parent, message.end, std::move(content));
}

void EditScript::move(const MessageSpan &message, const MessageSpan &there,
                      Side side, uint32_t number) {
  constexpr uint32_t lengthDelimited = 2;
  assert(number < 16 && "its tag is one byte");
  char tag = char(number << 3 | lengthDelimited);
  move(message, *there.parent, side == Side::Before ? there.begin : there.end,
       StringRef(&tag, 1));
}

uint32_t EditScript::addLiteral(StringRef bytes) {
  contents.push_back(Content::literal(bytes.str()));
  return contents.size() - 1;
}

void EditScript::move(const MessageSpan &message, const MessageSpan &parent,
                      uint64_t place, StringRef tag, ArrayRef<Frame> frames) {
  erase(*message.parent, message.field());
  movedBodies.insert(message.body);
  Content moved;
  moved.kind = Content::Kind::Moved;
  moved.message = messageIndex(message);
  for (const Frame &frame : frames)
    for (StringRef part : {frame.tag, frame.before, frame.after})
      moved.around.push_back(addLiteral(part));
  moved.around.push_back(addLiteral(tag));
  insert(parent, place, std::move(moved));
}

void EditScript::append(const MessageSpan &message, Content content) {
  insert(message, message.end, std::move(content));
}

/// Walks the touched messages from the root down and lists the pieces; a
/// message's new length is filled in when its contents are known. Recursion is
/// as deep as messages are nested, which ModelIndex limits.
class LayoutBuilder {
public:
  explicit LayoutBuilder(const EditScript &script);
  OutputLayout build();

private:
  uint64_t addEdit(const EditScript::Edit &edit, uint64_t &position,
                   uint64_t &erasedFrom);
  uint64_t addMessage(uint32_t index);
  uint64_t addChild(uint32_t index);
  uint64_t addLengthAndContents(uint32_t index);
  uint64_t addLiteral(uint32_t content);
  uint64_t addMoved(const Content &content, ArrayRef<uint32_t> around);
  uint64_t keep(uint64_t begin, uint64_t end);
  void joinPieces();

  const EditScript &script;
  /// Edits by message and place; for one place in the order of the calls.
  std::vector<uint32_t> edits;
  /// Touched messages by parent and place, without the root.
  std::vector<uint32_t> children;
  OutputLayout layout;
};

/// Most lists are made in the order of the file.
template <class Less>
static void sortUnlessSorted(std::vector<uint32_t> &list, Less less) {
  if (!llvm::is_sorted(list, less))
    llvm::sort(list, less);
}

LayoutBuilder::LayoutBuilder(const EditScript &script) : script(script) {
  edits.resize(script.edits.size());
  for (uint32_t i = 0; i < edits.size(); ++i)
    edits[i] = i;
  sortUnlessSorted(edits, [&](uint32_t a, uint32_t b) {
    const EditScript::Edit &x = script.edits[a], &y = script.edits[b];
    return std::tuple(x.message, x.range.begin, a) <
           std::tuple(y.message, y.range.begin, b);
  });
  for (uint32_t i = 1; i < script.messages.size(); ++i)
    children.push_back(i);
  sortUnlessSorted(children, [&](uint32_t a, uint32_t b) {
    const EditScript::Message &x = script.messages[a], &y = script.messages[b];
    return std::pair(x.parent, x.span.body) < std::pair(y.parent, y.span.body);
  });
}

uint64_t LayoutBuilder::keep(uint64_t begin, uint64_t end) {
  if (begin < end)
    layout.pieces.push_back({OutputPiece::Kind::Keep, 0, begin, end - begin});
  return end - begin;
}

/// Applies one edit. `position` is the end of what is dealt with already, and
/// `erasedFrom` where the erased range begins that ends there.
uint64_t LayoutBuilder::addEdit(const EditScript::Edit &edit,
                                uint64_t &position, uint64_t &erasedFrom) {
  uint64_t size = 0;
  if (edit.range.begin >= position) {
    size += keep(position, edit.range.begin);
    position = erasedFrom = edit.range.begin;
  }
  bool dropped = edit.range.begin > erasedFrom && edit.range.begin < position;
  if (edit.content != EditScript::none && !dropped) {
    const Content &content = script.contents[edit.content];
    if (content.kind == Content::Kind::Moved) {
      position = std::max(position, edit.range.end);
      return size + addMoved(content, content.around);
    }
    uint64_t added = content.size();
    if (added != 0)
      layout.pieces.push_back(
          {OutputPiece::Kind::Insert, edit.content, 0, added});
    size += added;
  }
  position = std::max(position, edit.range.end);
  return size;
}

/// Adds the contents of a message and returns their new size.
uint64_t LayoutBuilder::addMessage(uint32_t index) {
  const MessageSpan &span = script.messages[index].span;
  auto edit = llvm::partition_point(
      edits, [&](uint32_t i) { return script.edits[i].message < index; });
  auto child = llvm::partition_point(
      children, [&](uint32_t i) { return script.messages[i].parent < index; });
  auto isEdit = [&] {
    return edit != edits.end() && script.edits[*edit].message == index;
  };
  auto isChild = [&] {
    return child != children.end() && script.messages[*child].parent == index;
  };
  uint64_t size = 0;
  uint64_t position = span.body;
  uint64_t erasedFrom = span.body;
  while (isEdit() || isChild()) {
    // An edit at the place where a child begins stands before the child.
    if (isEdit() && (!isChild() || script.edits[*edit].range.begin <=
                                       script.messages[*child].span.begin)) {
      size += addEdit(script.edits[*edit++], position, erasedFrom);
      continue;
    }
    uint32_t nested = *child++;
    const MessageSpan &inner = script.messages[nested].span;
    if (inner.begin < position) // erased, and its edits with it
      continue;
    size += keep(position, inner.begin);
    size += addChild(nested);
    position = erasedFrom = inner.end;
  }
  return size + keep(position, span.end);
}

/// Adds a nested message.
uint64_t LayoutBuilder::addChild(uint32_t index) {
  const MessageSpan &span = script.messages[index].span;
  return keep(span.begin, span.begin + span.tagSize) +
         addLengthAndContents(index);
}

/// The length is written anew only if it changes.
uint64_t LayoutBuilder::addLengthAndContents(uint32_t index) {
  const MessageSpan &span = script.messages[index].span;
  uint64_t tagEnd = span.begin + span.tagSize;
  size_t prefix = layout.pieces.size();
  layout.pieces.emplace_back();
  uint64_t size = addMessage(index);
  OutputPiece &piece = layout.pieces[prefix];
  if (size == span.contents().size())
    piece = {OutputPiece::Kind::Keep, 0, tagEnd, span.body - tagEnd};
  else
    piece = {OutputPiece::Kind::Prefix, 0, size,
             uint64_t(protozero::length_of_varint(size))};
  return piece.size + size;
}

uint64_t LayoutBuilder::addLiteral(uint32_t content) {
  uint64_t size = script.contents[content].size();
  if (size != 0)
    layout.pieces.push_back({OutputPiece::Kind::Insert, content, 0, size});
  return size;
}

/// A moved message in the new ones around it.
uint64_t LayoutBuilder::addMoved(const Content &content,
                                 ArrayRef<uint32_t> around) {
  uint64_t tag = addLiteral(around[0]);
  if (around.size() == 1)
    return tag + addLengthAndContents(content.message);
  size_t prefix = layout.pieces.size();
  layout.pieces.emplace_back();
  uint64_t size = addLiteral(around[1]);
  size += addMoved(content, around.drop_front(3));
  size += addLiteral(around[2]);
  layout.pieces[prefix] = {OutputPiece::Kind::Prefix, 0, size,
                           uint64_t(protozero::length_of_varint(size))};
  return tag + layout.pieces[prefix].size + size;
}

/// Joins kept pieces that follow each other in the input.
void LayoutBuilder::joinPieces() {
  std::vector<OutputPiece> &pieces = layout.pieces;
  size_t last = 0;
  for (size_t i = 1; i < pieces.size(); ++i) {
    if (pieces[i].kind == OutputPiece::Kind::Keep &&
        pieces[last].kind == OutputPiece::Kind::Keep &&
        pieces[last].begin + pieces[last].size == pieces[i].begin)
      pieces[last].size += pieces[i].size;
    else
      pieces[++last] = pieces[i];
  }
  if (!pieces.empty())
    pieces.resize(last + 1);
}

OutputLayout LayoutBuilder::build() {
  layout.size = addMessage(0);
  joinPieces();
  return std::move(layout);
}

OutputLayout EditScript::layout() const { return LayoutBuilder(*this).build(); }

} // namespace onnxfold

//===- Descriptors.cpp - No descriptors before main ------------------------===//
//
// libprotobuf describes its own messages (descriptor.proto, any.proto and
// others) to itself before main: a quarter of the instructions of a run on a
// model of two nodes, and half a megabyte of code that is read for it. Only
// reflection needs that, which asks again for what it needs (AssignDescriptors),
// so what the static constructors call is replaced (--wrap) by nothing. The
// same would not do in a program that looks messages up by name in
// DescriptorPool::generated_pool(); we have none in there.
//
//===----------------------------------------------------------------------===//

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier)
/// In the place of AddDescriptorsRunner::AddDescriptorsRunner.
void __wrap__ZN6google8protobuf8internal20AddDescriptorsRunnerC1EPKNS1_15DescriptorTableE(
    void *, const void *) {}
// NOLINTEND(bugprone-reserved-identifier)
}

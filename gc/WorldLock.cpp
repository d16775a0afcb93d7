//===- WorldLock.cpp - Who is at work on registered roots -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/gc/WorldLock.h"
#include <cassert>

using namespace onnxfold;

void WorldLock::enter() {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return !stopped; });
  ++inside;
}

void WorldLock::leave() {
  std::lock_guard<std::mutex> lock(mutex);
  assert(inside != 0 && !stopped);
  if (--inside == 0)
    changed.notify_all();
}

void WorldLock::stop() {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return !stopped && inside == 0; });
  stopped = true;
}

bool WorldLock::tryStopInside() {
  std::lock_guard<std::mutex> lock(mutex);
  if (stopped || inside != 1)
    return false;
  return stopped = true;
}

void WorldLock::resume() {
  std::lock_guard<std::mutex> lock(mutex);
  assert(stopped);
  stopped = false;
  changed.notify_all();
}

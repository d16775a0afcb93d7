// SPDX-License-Identifier: Apache-2.0
// For programs without shared libraries: nobody has a home folder. LLVM's support code asks for those of users ("~name"),
// which these programs never do. The functions of libc would load shared libraries, those of the libc that the program was
// linked with, and the linker warns of that.
#include <pwd.h>
#include <stddef.h>

int getpwnam_r(const char *name, struct passwd *entry, char *buffer, size_t size, struct passwd **result) {
  (void)name, (void)entry, (void)buffer, (void)size;
  *result = NULL;
  return 0;
}

int getpwuid_r(uid_t uid, struct passwd *entry, char *buffer, size_t size, struct passwd **result) {
  (void)uid, (void)entry, (void)buffer, (void)size;
  *result = NULL;
  return 0;
}

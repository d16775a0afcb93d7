// Unstructured control flow: owners end on the edges behind which nothing uses them.
// RUN: fold-opt %s -deallocate -split-input-file -allow-unregistered-dialect | FileCheck %s

// e20: an outer buffer and a new one meet.
// CHECK-LABEL: @merge
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[OA:.*]] = deallocation.own %[[A]]
// CHECK: cf.cond_br %{{.*}}, ^[[NEW:bb.*]], ^[[END:bb.*]](%[[A]], %[[OA]]
// CHECK: ^[[NEW]]:
// CHECK-NEXT: deallocation.retain() of(%[[OA]])
// CHECK: %[[B:.*]] = memref.alloc
// CHECK: %[[OB:.*]] = deallocation.own %[[B]]
// CHECK: cf.br ^[[END]](%[[B]], %[[OB]]
// CHECK: ^[[END]](%[[M:.*]]: memref<2xi32>, %[[OM:.*]]: !deallocation.ownership):
// CHECK-NEXT: "test.use"(%[[M]])
// CHECK-NEXT: deallocation.retain() of(%[[OM]])
func.func @merge(%c: i1) {
  %a = memref.alloc() : memref<2xi32>
  cf.cond_br %c, ^new, ^end(%a : memref<2xi32>)
^new:
  %b = memref.alloc() : memref<2xi32>
  cf.br ^end(%b : memref<2xi32>)
^end(%m: memref<2xi32>):
  "test.use"(%m) : (memref<2xi32>) -> ()
  return
}

// -----

// A loop of blocks: what came in is freed before the end of the iteration, what is used in all of them behind it.
// CHECK-LABEL: @loop
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[OA:.*]] = deallocation.own %[[A]]
// CHECK: %[[K:.*]] = memref.alloc
// CHECK: %[[OK:.*]] = deallocation.own %[[K]]
// CHECK: cf.br ^[[HEAD:bb.*]](%[[A]], %[[OA]]
// CHECK: ^[[HEAD]](%[[M:.*]]: memref<2xi32>, %[[OM:.*]]: !deallocation.ownership):
// CHECK: cf.cond_br %{{.*}}, ^[[BODY:bb.*]], ^[[EXIT:bb.*]]
// CHECK: ^[[BODY]]:
// CHECK: %[[T:.*]] = memref.alloc
// CHECK: %[[OT:.*]] = deallocation.own %[[T]]
// CHECK: "test.use"(%[[M]], %[[T]], %[[K]])
// CHECK-NEXT: deallocation.retain() of(%[[OM]])
// CHECK-NEXT: cf.br ^[[HEAD]](%[[T]], %[[OT]]
// CHECK: ^[[EXIT]]:
// CHECK-NEXT: deallocation.retain() of(%[[OK]])
// CHECK-NEXT: "test.use"(%[[M]])
// CHECK-NEXT: deallocation.retain() of(%[[OM]])
func.func @loop() {
  %a = memref.alloc() : memref<2xi32>
  %k = memref.alloc() : memref<2xi32>
  cf.br ^head(%a : memref<2xi32>)
^head(%m: memref<2xi32>):
  %c = "test.more"() : () -> i1
  cf.cond_br %c, ^body, ^exit
^body:
  %t = memref.alloc() : memref<2xi32>
  "test.use"(%m, %t, %k) : (memref<2xi32>, memref<2xi32>, memref<2xi32>) -> ()
  cf.br ^head(%t : memref<2xi32>)
^exit:
  "test.use"(%m) : (memref<2xi32>) -> ()
  return
}

// -----

// On a critical edge the free has a block of its own.
// CHECK-LABEL: @critical
// CHECK: %[[OA:.*]] = deallocation.own
// CHECK: cf.cond_br %{{.*}}, ^[[USE:bb.*]], ^[[EDGE:bb.*]]
// CHECK: ^[[USE]]:
// CHECK: "test.use"
// CHECK-NEXT: deallocation.retain() of(%[[OA]])
// CHECK: cf.br ^[[END:bb.*]]
// CHECK: ^[[EDGE]]:
// CHECK-NEXT: deallocation.retain() of(%[[OA]])
// CHECK-NEXT: cf.br ^[[END]]
func.func @critical(%c: i1) {
  %a = memref.alloc() : memref<2xi32>
  cf.cond_br %c, ^use, ^end
^use:
  "test.use"(%a) : (memref<2xi32>) -> ()
  cf.br ^end
^end:
  return
}

// -----

// CHECK-LABEL: @switch
// CHECK: %[[OA:.*]] = deallocation.own %[[A:.*]] :
// CHECK: %[[OB:.*]] = deallocation.own %[[B:.*]] :
// CHECK: cf.switch
// CHECK-NEXT: default: ^[[D:bb[0-9]+]],
// CHECK-NEXT: 1: ^[[ONE:bb[0-9]+]]
// CHECK: ^[[D]]:
// CHECK-NEXT: deallocation.retain() of(%[[OB]])
// CHECK-NEXT: cf.br ^[[USE:bb[0-9]+]](%[[A]], %[[OA]]
// CHECK: ^[[ONE]]:
// CHECK-NEXT: deallocation.retain() of(%[[OA]])
// CHECK-NEXT: cf.br ^[[USE]](%[[B]], %[[OB]]
func.func @switch(%f: i32) {
  %a = memref.alloc() : memref<2xi32>
  %b = memref.alloc() : memref<2xi32>
  cf.switch %f : i32, [
    default: ^use(%a : memref<2xi32>),
    1: ^use(%b : memref<2xi32>)
  ]
^use(%m: memref<2xi32>):
  "test.use"(%m) : (memref<2xi32>) -> ()
  return
}

// -----

// Ways that do not end in a return, or never end.
// CHECK-LABEL: @unreachable
// CHECK: %[[O:.*]] = deallocation.own
// CHECK: cf.cond_br
// CHECK: "test.use"
// CHECK-NEXT: deallocation.retain() of(%[[O]])
// CHECK-NEXT: llvm.unreachable
// CHECK: deallocation.retain() of(%[[O]])
// CHECK-NEXT: cf.br ^[[END:.*]]
// CHECK: ^[[END]]:
// CHECK-NEXT: "test.other"
// CHECK-NEXT: cf.br ^[[END]]
func.func @unreachable(%c: i1) {
  %a = memref.alloc() : memref<2xi32>
  cf.cond_br %c, ^a, ^b
^a:
  "test.use"(%a) : (memref<2xi32>) -> ()
  llvm.unreachable
^b:
  "test.other"() : () -> ()
  cf.br ^b
}

// -----

// The owner of %x never owns %y, though both start as %a: it ends with the loop, not with the last use of %y.
// CHECK-LABEL: @starts_as_one
// CHECK: cf.br ^[[HEAD:bb.*]](%
// CHECK: ^[[HEAD]](%{{.*}}: memref<2xi32>, %[[Y:.*]]: memref<2xi32>, %[[XO:.*]]: !deallocation.ownership, %[[YO:.*]]: !deallocation.ownership):
// CHECK: cf.cond_br %{{.*}}, ^{{.*}}, ^[[EXIT:bb.*]]
// CHECK: ^[[EXIT]]:
// CHECK-NEXT: deallocation.retain() of(%[[XO]])
// CHECK-NEXT: cf.br ^[[BEHIND:bb.*]](%[[Y]], %[[YO]]
// CHECK: ^[[BEHIND]](%[[Z:.*]]: memref<2xi32>, %[[ZO:.*]]: !deallocation.ownership):
// CHECK: "test.use"(%[[Z]])
// CHECK: deallocation.retain() of(%[[ZO]])
func.func @starts_as_one(%c: i1) {
  %a = memref.alloc() : memref<2xi32>
  cf.br ^head(%a, %a : memref<2xi32>, memref<2xi32>)
^head(%x: memref<2xi32>, %y: memref<2xi32>):
  cf.cond_br %c, ^body, ^exit
^body:
  "test.use"(%x, %y) : (memref<2xi32>, memref<2xi32>) -> ()
  %b = memref.alloc() : memref<2xi32>
  %d = memref.alloc() : memref<2xi32>
  cf.br ^head(%b, %d : memref<2xi32>, memref<2xi32>)
^exit:
  "test.use"(%a) : (memref<2xi32>) -> ()
  "test.use"(%y) : (memref<2xi32>) -> ()
  return
}

// -----

// What leaves the loop is a view of one of two buffers. The other one is freed at the exit, as it is at the end of
// scf.while; both lived until the last use behind the loop.
// CHECK-LABEL: @one_of_two_leaves
// CHECK: %[[M:.*]] = arith.select
// CHECK: cf.cond_br %{{.*}}, ^{{.*}}, ^[[OUT:bb[0-9]+]]
// CHECK: ^[[OUT]]:
// CHECK: %[[O:.*]] = deallocation.retain(%[[M]]) of(
// CHECK-NEXT: cf.br ^[[EXIT:bb[0-9]+]](%[[M]], %[[O]]
// CHECK: ^[[EXIT]](%[[P:.*]]: memref<2xi32>, %[[PO:.*]]: !deallocation.ownership):
// CHECK: "test.use"(%[[P]])
// CHECK-NEXT: deallocation.retain() of(%[[PO]])
func.func @one_of_two_leaves(%c: i1) {
  cf.br ^head
^head:
  %a = memref.alloc() : memref<2xi32>
  %b = memref.alloc() : memref<2xi32>
  %m = arith.select %c, %a, %b : memref<2xi32>
  cf.cond_br %c, ^head, ^exit
^exit:
  "test.use"(%m) : (memref<2xi32>) -> ()
  return
}

// -----

// Both leave the loop with their owners. They started as %a, which is freed elsewhere, so that the owner of one does not
// own the other behind the loop either.
// CHECK-LABEL: @both_leave
// CHECK: ^[[HEAD:bb.*]](%[[X:.*]]: memref<2xi32>, %[[Y:.*]]: memref<2xi32>, %[[XO:.*]]: !deallocation.ownership, %[[YO:.*]]: !deallocation.ownership):
// CHECK: cf.cond_br %{{.*}}, ^{{.*}}, ^[[EXIT:bb[0-9]+]](%[[X]], %[[Y]], %[[XO]], %[[YO]]
// CHECK: ^[[EXIT]](%[[P:.*]]: memref<2xi32>, %[[Q:.*]]: memref<2xi32>, %[[PO:.*]]: !deallocation.ownership, %[[QO:.*]]: !deallocation.ownership):
// CHECK-NEXT: "test.use"(%[[P]])
// CHECK-NEXT: deallocation.retain() of(%[[PO]])
// CHECK-NEXT: "test.use"(%[[Q]])
// CHECK-NEXT: deallocation.retain() of(%[[QO]])
func.func @both_leave(%c: i1) {
  %a = memref.alloc() : memref<2xi32>
  cf.br ^head(%a, %a : memref<2xi32>, memref<2xi32>)
^head(%x: memref<2xi32>, %y: memref<2xi32>):
  cf.cond_br %c, ^body, ^exit
^body:
  %b = memref.alloc() : memref<2xi32>
  %d = memref.alloc() : memref<2xi32>
  cf.br ^head(%b, %d : memref<2xi32>, memref<2xi32>)
^exit:
  "test.use"(%x) : (memref<2xi32>) -> ()
  "test.use"(%y) : (memref<2xi32>) -> ()
  "test.use"(%a) : (memref<2xi32>) -> ()
  return
}

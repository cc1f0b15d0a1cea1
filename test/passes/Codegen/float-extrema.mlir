// RUN: cameo-opt %s --convert-kernels | FileCheck %s
// RUN: cameo-opt %s --convert-kernels=float-extrema | FileCheck %s --check-prefix=HAS

// The first operand may be a running result: where one is NaN, the comparison leaves it, and the NaN of the other is put into its bits.
// CHECK-LABEL: llvm.func internal @larger.k0
//       CHECK:   %[[A:.*]] = llvm.load {{.*}} -> vector<16xf32>
//       CHECK:   %[[B:.*]] = llvm.load {{.*}} -> vector<16xf32>
//       CHECK:   %[[BEYOND:.*]] = llvm.fcmp "ogt" %[[B]], %[[A]]
//       CHECK:   %[[LARGER:.*]] = llvm.select %[[BEYOND]], %[[B]], %[[A]]
//       CHECK:   %[[NAN:.*]] = llvm.fcmp "uno" %[[B]], %[[B]]
//   CHECK-DAG:   %[[BITS:.*]] = llvm.bitcast %[[LARGER]] : vector<16xf32> to vector<16xi32>
//   CHECK-DAG:   %[[ONES:.*]] = llvm.sext %[[NAN]] : vector<16xi1> to vector<16xi32>
//       CHECK:   %[[ALL:.*]] = llvm.or %[[BITS]], %[[ONES]]
//       CHECK:   llvm.bitcast %[[ALL]] : vector<16xi32> to vector<16xf32>
// HAS-LABEL: llvm.func internal @larger.k0
//       HAS:   llvm.intr.maximum(%{{.*}}, %{{.*}}) : (vector<16xf32>, vector<16xf32>)
func.func private @larger.k0(%x: memref<32xf32>, %y: memref<16xf32>, %begin: index, %end: index) {
  %zero = arith.constant 0 : index
  %lanes = arith.constant 16 : index
  %a = vector.load %x[%zero] : memref<32xf32>, vector<16xf32>
  %b = vector.load %x[%lanes] : memref<32xf32>, vector<16xf32>
  %m = arith.maximumf %a, %b : vector<16xf32>
  vector.store %m, %y[%zero] : memref<16xf32>, vector<16xf32>
  return
}

// Where NaN may be lost, a NaN of the new value is. An instruction passes it on all the same.
// CHECK-LABEL: llvm.func internal @larger_number.k0
//       CHECK:   %[[A:.*]] = llvm.load {{.*}} -> vector<16xf32>
//       CHECK:   %[[B:.*]] = llvm.load {{.*}} -> vector<16xf32>
//       CHECK:   %[[BEYOND:.*]] = llvm.fcmp "ogt" %[[B]], %[[A]] : vector<16xf32>
//       CHECK:   %[[LARGER:.*]] = llvm.select %[[BEYOND]], %[[B]], %[[A]]
//       CHECK:   llvm.store %[[LARGER]]
// HAS-LABEL: llvm.func internal @larger_number.k0
//       HAS:   llvm.intr.maximum(%{{.*}}, %{{.*}}) : (vector<16xf32>, vector<16xf32>)
func.func private @larger_number.k0(%x: memref<32xf32>, %y: memref<16xf32>, %begin: index, %end: index) {
  %zero = arith.constant 0 : index
  %lanes = arith.constant 16 : index
  %a = vector.load %x[%zero] : memref<32xf32>, vector<16xf32>
  %b = vector.load %x[%lanes] : memref<32xf32>, vector<16xf32>
  %m = arith.maximumf %a, %b fastmath<nnan> : vector<16xf32>
  vector.store %m, %y[%zero] : memref<16xf32>, vector<16xf32>
  return
}

// The smallest lane: of halves.
// CHECK-LABEL: llvm.func internal @least.k0
//   CHECK-NOT:   vector.reduce
//       CHECK:   llvm.shufflevector {{.*}} [0, 1]
//       CHECK:   llvm.shufflevector {{.*}} [2, 3]
//       CHECK:   llvm.fcmp "olt" {{.*}} : vector<2xf32>
//       CHECK:   llvm.fcmp "olt" {{.*}} : vector<1xf32>
//       CHECK:   llvm.fcmp "olt" {{.*}} : f32
// HAS-LABEL: llvm.func internal @least.k0
//       HAS:   llvm.intr.vector.reduce.fminimum
func.func private @least.k0(%x: memref<4xf32>, %y: memref<1xf32>, %begin: index, %end: index) {
  %zero = arith.constant 0 : index
  %a = vector.load %x[%zero] : memref<4xf32>, vector<4xf32>
  %start = memref.load %y[%zero] : memref<1xf32>
  %m = vector.reduction <minimumf>, %a, %start : vector<4xf32> into f32
  memref.store %m, %y[%zero] : memref<1xf32>
  return
}

// CHECK-LABEL: llvm.func internal @least_number.k0
//   CHECK-NOT:   llvm.fcmp "uno"
//       CHECK:   llvm.fcmp "olt" {{.*}} : vector<2xf32>
//   CHECK-NOT:   llvm.fcmp "uno"
//       CHECK:   llvm.return
// HAS-LABEL: llvm.func internal @least_number.k0
//       HAS:   llvm.intr.vector.reduce.fminimum(%{{.*}}) : (vector<4xf32>) -> f32
func.func private @least_number.k0(%x: memref<4xf32>, %y: memref<1xf32>, %begin: index, %end: index) {
  %zero = arith.constant 0 : index
  %a = vector.load %x[%zero] : memref<4xf32>, vector<4xf32>
  %start = memref.load %y[%zero] : memref<1xf32>
  %m = vector.reduction <minimumf>, %a, %start fastmath<nnan> : vector<4xf32> into f32
  memref.store %m, %y[%zero] : memref<1xf32>
  return
}

// A function that may need a call asks for a conversion of vectors before the last one, in the whole module. It finds no reduction.
// CHECK-LABEL: llvm.func internal @signed.k0
//       CHECK:   llvm.intr.copysign
func.func private @signed.k0(%x: memref<16xf32>, %y: memref<16xf32>, %begin: index, %end: index) {
  %zero = arith.constant 0 : index
  %a = vector.load %x[%zero] : memref<16xf32>, vector<16xf32>
  %b = vector.load %y[%zero] : memref<16xf32>, vector<16xf32>
  %m = math.copysign %a, %b : vector<16xf32>
  vector.store %m, %y[%zero] : memref<16xf32>, vector<16xf32>
  return
}

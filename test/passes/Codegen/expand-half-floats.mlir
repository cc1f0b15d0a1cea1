// RUN: cameo-opt %s --expand-half-floats | FileCheck %s
// RUN: cameo-opt %s --expand-half-floats="f16-conversions bf16-conversions" | FileCheck %s --check-prefix=F16C

// One addition for numbers below the normal ones, the rest is integers.
// CHECK-LABEL: func.func @rounds(
// CHECK: arith.addf {{.*}} : vector<4xf32>
// CHECK: [[BITS:%.*]] = arith.trunci {{.*}} : vector<4xi32> to vector<4xi16>
// CHECK-NOT: f16
// F16C-LABEL: func.func @rounds(
// F16C-NEXT: arith.truncf %{{.*}} : vector<4xf32> to vector<4xf16>
// F16C-NEXT: arith.bitcast
// F16C-NEXT: return
func.func @rounds(%x: vector<4xf32>) -> vector<4xi16> {
  %y = arith.truncf %x : vector<4xf32> to vector<4xf16>
  %bits = arith.bitcast %y : vector<4xf16> to vector<4xi16>
  return %bits : vector<4xi16>
}

// f64 is cut off to f32 and made odd first, also where there are instructions for f32.
// CHECK-LABEL: func.func @rounds_once(
// CHECK: arith.truncf %{{.*}} : f64 to f32
// CHECK-NOT: arith.truncf
// CHECK: return
// F16C-LABEL: func.func @rounds_once(
// F16C: [[NEAREST:%.*]] = arith.truncf %{{.*}} : f64 to f32
// F16C: arith.extf [[NEAREST]] : f32 to f64
// F16C: arith.cmpf one
// F16C: arith.ori
// F16C: arith.truncf %{{.*}} : f32 to f16
func.func @rounds_once(%x: f64) -> i16 {
  %y = arith.truncf %x : f64 to f16
  %bits = arith.bitcast %y : f16 to i16
  return %bits : i16
}

// What compares or computes does so in f32; what moves numbers moves integers.
// CHECK-LABEL: func.func @computes(
// CHECK: arith.maximumf {{.*}} : f32
// CHECK: arith.cmpf olt, {{.*}} : f32
// CHECK: arith.select {{.*}} : i16
// F16C-LABEL: func.func @computes(
// F16C: arith.maximumf {{.*}} : f16
func.func @computes(%a: i16, %b: i16) -> i16 {
  %x = arith.bitcast %a : i16 to f16
  %y = arith.bitcast %b : i16 to f16
  %larger = arith.maximumf %x, %y : f16
  %isLess = arith.cmpf olt, %x, %y : f16
  %chosen = arith.select %isLess, %larger, %x : f16
  %bits = arith.bitcast %chosen : f16 to i16
  return %bits : i16
}

// bf16 is the upper half of f32; what is not a number stays none.
// CHECK-LABEL: func.func @brain(
// CHECK: arith.extui {{.*}} : vector<8xi16> to vector<8xi32>
// CHECK: arith.shli
// CHECK: arith.maximumf {{.*}} : vector<8xf32>
// CHECK: arith.cmpi sgt
// CHECK: arith.select
// CHECK: arith.trunci {{.*}} : vector<8xi32> to vector<8xi16>
// CHECK-NOT: arith.truncf
// CHECK: return
// F16C-LABEL: func.func @brain(
// F16C: arith.maximumf {{.*}} : vector<8xbf16>
func.func @brain(%a: vector<8xi16>, %b: vector<8xi16>) -> vector<8xi16> {
  %x = arith.bitcast %a : vector<8xi16> to vector<8xbf16>
  %y = arith.bitcast %b : vector<8xi16> to vector<8xbf16>
  %larger = arith.maximumf %x, %y : vector<8xbf16>
  %bits = arith.bitcast %larger : vector<8xbf16> to vector<8xi16>
  return %bits : vector<8xi16>
}

// F16C-LABEL: func.func @brain_of_wide(
// F16C: arith.truncf %{{.*}} : f64 to f32
// F16C: arith.ori
// F16C: arith.truncf %{{.*}} : f32 to bf16
func.func @brain_of_wide(%x: f64) -> i16 {
  %y = arith.truncf %x : f64 to bf16
  %bits = arith.bitcast %y : bf16 to i16
  return %bits : i16
}

// Tables, too.
// CHECK: memref.global "private" constant @table : memref<2xi16> = dense<[15360, 16384]>
// CHECK-LABEL: func.func @reads(
// CHECK: memref.get_global @table : memref<2xi16>
memref.global "private" constant @table : memref<2xf16> = dense<[1.0, 2.0]>
func.func @reads(%i: index) -> i16 {
  %table = memref.get_global @table : memref<2xf16>
  %x = memref.load %table[%i] : memref<2xf16>
  %bits = arith.bitcast %x : f16 to i16
  return %bits : i16
}

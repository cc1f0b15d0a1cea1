; A vector is narrowed, and one lane of it stored.
define void @first_lane(<8 x i64> %x, ptr %to) {
  %narrow = trunc <8 x i64> %x to <8 x i32>
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %narrow, ptr align 4 %to, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  ret void
}

define void @inner_lane(<16 x i32> %x, ptr %to) {
  %narrow = trunc <16 x i32> %x to <16 x i8>
  call void @llvm.masked.store.v16i8.p0(<16 x i8> %narrow, ptr align 1 %to, <16 x i1> <i1 false, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  ret void
}

; Right: two lanes, and a lane whose truncation is a store of its own.
define void @two_lanes(<8 x i64> %x, ptr %to) {
  %narrow = trunc <8 x i64> %x to <8 x i32>
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %narrow, ptr align 4 %to, <8 x i1> <i1 true, i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>)
  ret void
}

define void @own_store(<8 x i64> %x, ptr %to) {
  %narrow = trunc <8 x i64> %x to <8 x i32>
  %lane = extractelement <8 x i32> %narrow, i64 0
  store i32 %lane, ptr %to, align 4
  ret void
}

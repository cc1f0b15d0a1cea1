// Attributes of the loop dialect: memory spaces, layouts of operands, and the loops of a nest.
#ifndef CAMEO_DIALECTS_LOOP_LOOPATTRIBUTES_TD
#define CAMEO_DIALECTS_LOOP_LOOPATTRIBUTES_TD

include "dialects/Loop/LoopBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class Loop_Attr<string name, string attrMnemonic> : AttrDef<Loop_Dialect, name> {
  let mnemonic = attrMnemonic;
  let genVerifyDecl = 1;
}

def Loop_Role : I32EnumAttr<"Role", "what a buffer is to its program", [
  I32EnumAttrCase<"Argument", 0, "argument">, I32EnumAttrCase<"Result", 1, "result">,
  I32EnumAttrCase<"Temporary", 2, "temporary">, I32EnumAttrCase<"Table", 3, "table">
]> {
  let cppNamespace = "::cameo::loop";
}

def Loop_Space : I32EnumAttr<"Space", "where a buffer lies", [
  I32EnumAttrCase<"Global", 0, "global">, I32EnumAttrCase<"Arena", 1, "arena">, I32EnumAttrCase<"Stack", 2, "stack">,
  I32EnumAttrCase<"Shared", 3, "shared">
]> {
  let cppNamespace = "::cameo::loop";
  let genSpecializedAttr = 0;
}
def Loop_SpaceAttr : EnumAttr<Loop_Dialect, Loop_Space, "space"> {
  let summary = "The memory space of a temporary";
  let description = [{
    `arena` is memory that all threads share, with the lifetime of the program. `stack` is memory of the thread that runs a row of the group, with the
    lifetime of the row. `shared` is the shared memory of the GPU block that runs it. Arguments, results and constants are `global`, which is a type
    without a memory space.
    Example: `memref<64xf32, #loop.space<stack>>`
  }];
  let assemblyFormat = "`<` $value `>`";
}

def Loop_RunAttr : Loop_Attr<"Run", "run"> {
  let summary = "Points that read the same element";
  let description = [{
    The count of a point is `offset` + the sum of the nest's dimensions times `strides`. The points of each run of `length` counts read one element: its
    address is that of the load minus the count modulo `length`. Strides are numbers or expressions, one per dimension.
    Example: `#loop.run<length = 4, offset = 0, strides = [4, 1]>`
  }];
  let parameters = (ins "int64_t":$length, "::mlir::Attribute":$offset, "::mlir::ArrayAttr":$strides);
  let assemblyFormat = [{ `<` `length` `=` $length `,` `offset` `=` custom<Size>($offset) `,` `strides` `=` custom<SizeList>($strides) `>` }];
}

def Loop_TransformAttr : Loop_Attr<"Transform", "transform"> {
  let summary = "The index along a dimension selects a row of a matrix";
  let description = [{
    The load returns the product of a row of the matrix and as many neighbouring elements along dimension `dim` as the matrix has columns; the index along
    `dim` selects the row. The entries are rational numbers with a common denominator. Such a load is packed, because only packing computes the product.
    Example: `#loop.transform<dim = 1, columns = 3, denominator = 2, entries = [2, 0, 0, 1, 1, 1, 1, -1, 1, 0, 0, 2]>`
  }];
  let parameters = (ins "unsigned":$dim, "int64_t":$columns, "int64_t":$denominator, ArrayRefParameter<"int64_t">:$entries);
  let assemblyFormat = [{ `<` `dim` `=` $dim `,` `columns` `=` $columns `,` `denominator` `=` $denominator `,` `entries` `=` custom<NumberList>($entries) `>` }];
}

def Loop_PackedAttr : Loop_Attr<"Packed", "packed"> {
  let summary = "The packed layout of the operand of a load";
  let description = [{
    The operand is packed for the nest: the outermost order is blocks of the vector dimension, then the reductions in the order of the loops, then one block of
    whole vectors. The address is `offset` + the sum over the dimensions of the index times (`fixed` + `per_width` times the padded width of the block). The
    index along the vector dimension contributes `block_stride` per element up to the start of the block, and `group` per element from there on.
    With a `width`, blocks have this many elements along the vector dimension and are padded to it; the loops take one or several blocks at once, and
    `block_stride` applies up to the start of a block in memory. With `prefetched`, the next block is prefetched while one is used.
    Example: `#loop.packed<offset = 0, block_stride = 4, group = 1, fixed = [0, 0, 0], per_width = [0, 0, 1]>`
  }];
  let parameters = (ins "int64_t":$offset, "int64_t":$block_stride, "int64_t":$group, "::mlir::ArrayAttr":$fixed, ArrayRefParameter<"int64_t">:$per_width,
                    DefaultValuedParameter<"int64_t", "0">:$width, DefaultValuedParameter<"bool", "false">:$prefetched);
  let assemblyFormat = [{
    `<` `offset` `=` $offset `,` `block_stride` `=` $block_stride `,` `group` `=` $group `,` (`width` `=` $width^ `,`)? `fixed` `=`
    custom<SizeList>($fixed) `,` `per_width` `=` custom<NumberList>($per_width) (`,` `prefetched` `=` $prefetched^)? `>`
  }];
}

def Loop_OrderAttr : Loop_Attr<"Order", "order"> {
  let summary = "The loops of a nest";
  let description = [{
    The result of the steps of a schedule for one nest. `loops` are pairs of a dimension and a size, outermost first: a loop over pieces of at most that many
    points of the dimension. The points that the loops leave of a dimension are unrolled. Every thread runs the first `repeated` loops; the next `parallel`
    loops form the range that threads share. Neighbouring points along dimension `vector` form vectors of `lanes`; bytes are multiplied in groups along `dot`.
    Each iteration of loop `partial`, over a reduction, has a partial result. With `combines_steps` the unrolled steps of an
    iteration are combined before they reach the running result. `packed` and `prefetched` are numbers of buffers. With `turns_rows` every second
    one of the ordered rows runs the loops backwards. `fetch_work` is the weight of this nest in dividing the prefetches for the next row among the nests of
    the group. `piece_units` are the numbers of iterations of the range for a large and for a small piece. The long functions of `functions_in_turns` points
    are interleaved; with `finishes_in_loop` a loop computes them from results of the block on the stack.
    For a GPU, `bound` has pairs of a loop and what executes its iterations (0: blocks, 1: virtual threads, 2: threads, 3: threads of a warp, 4: blocks of a cluster). Loads of the
    buffers `cached` read from shared memory with `stages` stages, which is filled by asynchronous copies if `async` is set. `unroll` is the unroll factor of
    the innermost reduction loop. `tensor` is the instruction of the matrix unit: the number of its kind (0: mma, and so on as in `#schedule.tensor`), rows,
    columns and depth; loops bound to 3 are then those of warps. `online` has the rows and the keys of a block's tile if this is the last nest of an attention
    whose blocks compute all of its nests. With `chained` the blocks of the product that the nest reads compute it. `pool` has four numbers for each dimension if
    blocks pool what they compute: the points of a window, those from one window to the next, those of the first window before the first point, and the number of
    windows.
    Example: `#loop.order<loops = [[0, 6], [2, 16], [3, 1]], parallel = 2, vector = 2, lanes = 16, packed = [1]>`
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$loops, DefaultValuedParameter<"unsigned", "0">:$parallel,
                    DefaultValuedParameter<"unsigned", "0">:$repeated, DefaultValuedParameter<"int64_t", "-1">:$vector,
                    DefaultValuedParameter<"unsigned", "1">:$lanes, DefaultValuedParameter<"int64_t", "-1">:$partial,
                    DefaultValuedParameter<"bool", "false">:$combines_steps, DefaultValuedParameter<"int64_t", "-1">:$dot, OptionalArrayRefParameter<"unsigned">:$packed,
                    OptionalArrayRefParameter<"unsigned">:$prefetched, DefaultValuedParameter<"bool", "false">:$turns_rows,
                     OptionalParameter<"::mlir::FloatAttr">:$fetch_work, OptionalArrayRefParameter<"int64_t">:$piece_units,
                     DefaultValuedParameter<"int64_t", "1">:$functions_in_turns, DefaultValuedParameter<"bool", "false">:$finishes_in_loop,
                     OptionalArrayRefParameter<"int64_t">:$bound, OptionalArrayRefParameter<"unsigned">:$cached,
                     DefaultValuedParameter<"unsigned", "1">:$stages, DefaultValuedParameter<"int64_t", "0">:$unroll,
                     DefaultValuedParameter<"bool", "false">:$async, OptionalArrayRefParameter<"int64_t">:$tensor,
                     OptionalArrayRefParameter<"int64_t">:$online, DefaultValuedParameter<"bool", "false">:$chained,
                     OptionalArrayRefParameter<"int64_t">:$pool);
  let assemblyFormat = [{
    `<` struct(custom<LoopList>($loops), $parallel, $repeated, $vector, $lanes, $partial, $combines_steps, $dot, custom<NumberList>($packed),
               custom<NumberList>($prefetched), $turns_rows, $fetch_work, custom<NumberList>($piece_units), $functions_in_turns, $finishes_in_loop,
               custom<LoopList>($bound), custom<NumberList>($cached), $stages, $unroll, $async, custom<NumberList>($tensor),
               custom<NumberList>($online), $chained, custom<NumberList>($pool)) `>`
  }];
}

#endif

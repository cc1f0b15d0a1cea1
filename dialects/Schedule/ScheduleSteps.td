// A schedule as data: one attribute per decision, in the order in which they are taken.
#ifndef CAMEO_DIALECTS_SCHEDULE_SCHEDULESTEPS_TD
#define CAMEO_DIALECTS_SCHEDULE_SCHEDULESTEPS_TD

include "dialects/Schedule/StepInterface.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/EnumAttr.td"

def Schedule_Dialect : Dialect {
  let name = "schedule";
  let cppNamespace = "::cameo::schedule";
  let summary = "Loop transformations as data.";
  let description = [{
    The schedule of a task is a `#schedule.steps` attribute on its `task.def`. Steps name a loop nest of the task by its
    number and the nest's dimensions by theirs, both as `cameo-opt --print-nests` prints them. Passes apply schedules;
    rules, records and a search write them.
  }];
  let useDefaultAttributePrinterParser = 1;
}

class Schedule_Attr<string name, string attrMnemonic, list<Trait> traits = []> : AttrDef<Schedule_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

/// A step; its effect is in a file of its name in passes/Schedule/Steps.
class Schedule_Step<string name, string stepMnemonic> : Schedule_Attr<name, stepMnemonic, [StepAttrInterface]> {
  let assemblyFormat = "`<` struct(params) `>`";
}

/// A step that replaces nests.
class Schedule_Replacement<string name, string stepMnemonic> : Schedule_Step<name, stepMnemonic> {
  let extraClassDeclaration = "bool replacesNests() const { return true; }";
}

def Schedule_TileAttr : Schedule_Step<"Tile", "tile"> {
  let summary = "A loop over pieces of a dimension";
  let description = [{
    Adds, inside of the loops so far, one over pieces of at most `size` points of dimension `dim`. What the loops leave of
    a dimension is unrolled into the register block. Inside of a loop over a reduction, one over a parallel dimension finds what
    the sums of its points are so far in memory.
    Example: `#schedule.tile<nest = 0, dim = 2, size = 14>`
  }];
  let parameters = (ins "unsigned":$nest, "unsigned":$dim, "int64_t":$size);
  let genVerifyDecl = 1;
}

def Schedule_ParallelAttr : Schedule_Step<"Parallel", "parallel"> {
  let summary = "How many of the outermost loops run in parallel, inside of how many that every thread runs";
  let description = "Examples: `#schedule.parallel<nest = 0, loops = 2>`, `#schedule.parallel<nest = 0, loops = 2, inside = 1>`";
  let parameters = (ins "unsigned":$nest, "unsigned":$loops, DefaultValuedParameter<"unsigned", "0">:$inside);
  let genVerifyDecl = 1;
}

def Schedule_VectorizeAttr : Schedule_Step<"Vectorize", "vectorize"> {
  let summary = "The dimension whose neighbouring points share a vector";
  let description = "Example: `#schedule.vectorize<nest = 0, dim = 3, lanes = 16>`";
  let parameters = (ins "unsigned":$nest, "unsigned":$dim, "unsigned":$lanes);
  let genVerifyDecl = 1;
}

def Schedule_PackAttr : Schedule_Step<"Pack", "pack"> {
  let summary = "Lays an operand of a reduction out anew, in the order the loops read it";
  let description = [{
    Constants are packed at compile time, other operands by a copy before the nest. On a GPU these are constants in
    shared memory: the points of blocks become neighbours, or steps of the depth where the matrix unit multiplies numbers of another size than 16 bits.
    With a `width` so many points along the vector dimension lie side by side, and loops may take several such blocks at once; without, as
    many as they take. So schedules of other loops read one layout.
    Examples: `#schedule.pack<nest = 0, buffer = 1>`, `#schedule.pack<nest = 0, buffer = 1, width = 16>`
  }];
  let parameters = (ins "unsigned":$nest, "unsigned":$buffer, DefaultValuedParameter<"int64_t", "0">:$width);
  let genVerifyDecl = 1;
}

def Schedule_PrefetchAttr : Schedule_Step<"Prefetch", "prefetch"> {
  let summary = "Fetches the next block of a packed operand while one is used";
  let description = [{
    A block is what the loops over the vector dimension take at once. The part of the next block that is asked for grows
    with the part of the other parallel dimensions that is done, so that memory is busy all the time.
    Example: `#schedule.prefetch<nest = 0, buffer = 1>`
  }];
  let parameters = (ins "unsigned":$nest, "unsigned":$buffer);
}

def Schedule_DotAttr : Schedule_Step<"Dot", "dot"> {
  let summary = "Contracts bytes along a reduction in groups of four";
  let description = [{
    Where the processor multiplies four bytes by four others and adds the products to 32 bits at once, it wants the four
    side by side: a packed operand gets them innermost, the other has them so. Loops over the dimension take multiples of
    four; what is left at its end is filled up with zeros. A sum of floats may be of such sums, each scaled, where the scale
    is the same along the dimension; then the bytes of one operand may hold several numbers each.
    Example: `#schedule.dot<nest = 0, dim = 4>`
  }];
  let parameters = (ins "unsigned":$nest, "unsigned":$dim);
}

def Schedule_RfactorAttr : Schedule_Step<"Rfactor", "rfactor"> {
  let summary = "Partial results per iteration of a reduction loop";
  let description = [{
    In each iteration of loop number `loop`, which is over a reduction, the loops inside of it start from the identity;
    what they find is then combined with the result so far. Without this step a sum of floats starts anew after so many terms
    as its accuracy needs, whatever the schedule.
    Example: `#schedule.rfactor<nest = 0, loop = 3>`
  }];
  let parameters = (ins "unsigned":$nest, "unsigned":$loop);
}

def Schedule_WinogradAttr : Schedule_Replacement<"Winograd", "winograd"> {
  let summary = "Computes a 3x3 convolution by Winograd's minimal filtering";
  let description = [{
    Replaces the nest, before all other steps, by nests for tiles of `outputs` x `outputs` outputs: one transforms the input,
    one multiplies, one transforms back (a plane that the tiles do not divide has more). Outputs as far apart as the weights of
    a dilated convolution form a phase, which has tiles of its own. Blocks of at most `rows` x `columns` tiles, of one phase, go
    through all nests before the next one; where that is the whole plane the stages are dispatched one after the other. Numbers of nests in other steps are those after all replacements; those of `winograd` and `fuse` steps are
    those before.
    The filter, which grows fourfold or 1.8-fold, is transformed when the model is compiled; with `channels` and `depth`, which go with the whole
    plane only, as it runs: for so many outputs and inputs at a time, in memory of the thread.
    Examples: `#schedule.winograd<nest = 0, outputs = 4, rows = 1, columns = 14>`,
    `#schedule.winograd<nest = 0, outputs = 4, rows = 4, columns = 4, channels = 16, depth = 64>`
  }];
  let parameters = (ins "unsigned":$nest, "int64_t":$outputs, "int64_t":$rows, "int64_t":$columns,
                    DefaultValuedParameter<"int64_t", "0">:$channels, DefaultValuedParameter<"int64_t", "0">:$depth);
  let genVerifyDecl = 1;
}

def Schedule_FuseAttr : Schedule_Replacement<"Fuse", "fuse"> {
  let summary = "Runs neighbouring nests together, in overlapped tiles of what the last of them computes";
  let description = [{
    Joins the nests from `nest` to `last`, before all other steps, into groups of rows: each row is an overlapped tile of `size` points of the
    first dimension of the last nest, and the others compute what that tile needs, before the next one. What passes between them
    is one tile, in memory of the thread. What two tiles need, such as the rows around a window, is computed for both.
    Tiles at the edges of a plane may form groups of their own. Dimension 0 of the nests is then the tile; numbers of nests are
    as for `winograd` steps. The nests of a group of rows that share a matrix (the heads of attention) are divided along the dimension
    behind the rows, and the tile stands before it. All nests of any other group of rows, which are independent, take `size` rows at a time: these are the
    dimension behind that of the tiles, and what a row keeps lies beside that of the next one.
    Example: `#schedule.fuse<nest = 0, last = 6, size = 4>`
  }];
  let parameters = (ins "unsigned":$nest, "unsigned":$last, "int64_t":$size);
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool replacesNests() const { return true; }
    unsigned getLastNest() const { return getLast(); }
  }];
}

def Schedule_FlattenAttr : Schedule_Replacement<"Flatten", "flatten"> {
  let summary = "Runs through the rows of a plane as one line";
  let description = [{
    Makes the parallel dimensions `dim` and `dim` + 1 of the nest one, before all other steps: its points are those of the first row, then
    of the next. So register blocks go on where a row ends: 49 pixels are blocks of 6 and 5 where rows of 7 are 4 and 3. Accesses
    that are not contiguous from row to row (windows of a padded plane) compute the number of the row once per block. Numbers of nests
    are as for `winograd` steps; dimensions in other steps are those after it.
    Example: `#schedule.flatten<nest = 0, dim = 0>`
  }];
  let parameters = (ins "unsigned":$nest, "unsigned":$dim);
}

def Schedule_InlineAttr : Schedule_Replacement<"Inline", "inline"> {
  let summary = "Computes a nest where its result is read";
  let description = [{
    Removes the nest, before all other steps: each nest that reads its result computes what it reads, as often as it reads it. What the nest stores has to stay in the task, and its readers have to load it
    at points of the nest. A reader that walks several dimensions of the nest as one gets them apart. Numbers of nests are as for `winograd` steps.
    Example: `#schedule.inline<nest = 0>`
  }];
  let parameters = (ins "unsigned":$nest);
}

def Schedule_Binding : I32Enum<"Binding", "what runs the iterations of a loop on a GPU", [
  I32EnumCase<"Block", 0, "block">, I32EnumCase<"VirtualThread", 1, "vthread">, I32EnumCase<"Thread", 2, "thread">, I32EnumCase<"Warp", 3, "warp">
]> {
  let cppNamespace = "::cameo::schedule";
}

def Schedule_BindAttr : Schedule_Step<"Bind", "bind"> {
  let summary = "Has blocks or threads of a GPU run the iterations of a loop";
  let description = [{
    Each iteration of a loop bound to `block` is a block of its own, of one bound to `thread` a thread of the block, and of one bound to `vthread` a part of what each thread does, unrolled.
    Loops over parallel dimensions are bound from the outermost on, first to blocks and, behind the loops over reductions, to virtual threads and threads. What is left of a dimension
    inside of them are the points of a thread; with a `tensor` step loops bound to `warp` take the place of these, and what is left are the points of a warp. A loop over a reduction that is bound to threads has those of a block combine what each has, one that is bound to `warp` those of a warp: each warp has a point. One that is bound to blocks, behind those over parallel dimensions, has each take a share of the reduction, and
    a kernel behind them put the parts of each point together, in their order. Numbers of loops are those of the nest's `tile` steps.
    A nest of which no loop is bound has a thread for each point, or vector of points.
    Examples: `#schedule.bind<nest = 0, loop = 0, to = block>`, `#schedule.bind<nest = 0, loop = 4, to = thread>`
  }];
  let parameters = (ins "unsigned":$nest, "unsigned":$loop, EnumParameter<Schedule_Binding>:$to);
}

def Schedule_Copy : I32Enum<"Copy", "how a block of a GPU fetches what it keeps in shared memory", [
  I32EnumCase<"Vector", 0, "vector">, I32EnumCase<"Async", 1, "async">
]> {
  let cppNamespace = "::cameo::schedule";
}

def Schedule_CopyParameter : EnumParameter<Schedule_Copy> {
  let defaultValue = "::cameo::schedule::Copy::Vector";
}

def Schedule_CacheAttr : Schedule_Step<"Cache", "cache"> {
  let summary = "Has the threads of a block fetch what they read of a buffer into shared memory together";
  let description = [{
    In each iteration of the loops over the reduction, what the block reads of `buffer` is fetched once. With 2 `stages` a block fetches the next part while it computes with this one.
    A `vector` copy goes through registers of the threads. An `async` one does not, and with more `stages` so many parts less one are under way at a time.
    Examples: `#schedule.cache<nest = 0, buffer = 1, stages = 2>`, `#schedule.cache<nest = 0, buffer = 1, stages = 3, copy = async>`
  }];
  let parameters = (ins "unsigned":$nest, "unsigned":$buffer, DefaultValuedParameter<"unsigned", "1">:$stages,
                    Schedule_CopyParameter:$copy);
  let genVerifyDecl = 1;
}

def Schedule_UnrollAttr : Schedule_Step<"Unroll", "unroll"> {
  let summary = "How many steps of a reduction a thread of a GPU takes at once";
  let description = [{
    Of the innermost loop over a reduction. Without this step it is as many as the loops leave.
    Example: `#schedule.unroll<nest = 0, factor = 4>`
  }];
  let parameters = (ins "unsigned":$nest, "int64_t":$factor);
  let genVerifyDecl = 1;
}

def Schedule_TensorKind : I32Enum<"TensorKind", "instructions by which a warp of a GPU multiplies matrices", [
  I32EnumCase<"Mma", 0, "mma">, I32EnumCase<"MmaTf32", 1, "mma_tf32">, I32EnumCase<"Mma3xTf32", 2, "mma_3xtf32">,
  I32EnumCase<"MmaF16", 3, "mma_f16">, I32EnumCase<"MmaBf16", 4, "mma_bf16">
]> {
  let cppNamespace = "::cameo::schedule";
}

def Schedule_TensorAttr : Schedule_Step<"Tensor", "tensor"> {
  let summary = "Has the matrix unit of a GPU multiply what a block has in shared memory";
  let description = [{
    Warps of the block have neighbouring rows and columns of a product (`bind` to `warp`), of which one instruction takes `m` x `k` numbers of one operand and `k` x `n` of the other.
    `mma` is `mma.sync` of the numbers of the operands: 16 x 8 x 16 of f16 or bf16, with sums of f32, or 16 x 8 x 32 of bytes, with sums of i32. Operands of f32 become numbers with fewer bits, as the target allows
    (`gpu_math`): `mma_tf32` is 16 x 8 x 8 of tf32, `mma_3xtf32` three of these, of each number's two parts, `mma_f16` and `mma_bf16` are 16 x 8 x 16 of these types.
    Examples: `#schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>`, `#schedule.tensor<nest = 0, kind = mma_tf32, m = 16, n = 8, k = 8>`
  }];
  let parameters = (ins "unsigned":$nest, EnumParameter<Schedule_TensorKind>:$kind, "int64_t":$m, "int64_t":$n, "int64_t":$k);
  let genVerifyDecl = 1;
}

def Schedule_OnlineAttr : Schedule_Step<"Online", "online"> {
  let summary = "Has blocks of a GPU compute attention without its scores in memory";
  let description = [{
    Nest `nest` weighs values by the softmax of scores that the nests before it compute: a product of queries and keys, and four nests of its rows. Each block has `rows` queries, and computes for them all of these, `keys` keys and
    values at a time, which its threads fetch into shared memory. The greatest score of a row so far and the sum of its exponentials are corrected with each part, and with them what was added up of the values.
    A step `tensor` of the last nest has the matrix unit multiply both products: then rows and keys are powers of two, warps have 16 rows each, and the next part is copied past registers meanwhile. None of these nests has another step.
    Example: `#schedule.online<nest = 5, rows = 32, keys = 32>`
  }];
  let parameters = (ins "unsigned":$nest, "int64_t":$rows, "int64_t":$keys);
  let genVerifyDecl = 1;
}

def Schedule_StepsAttr : Schedule_Attr<"Steps", "steps"> {
  let summary = "A whole schedule";
  let description = "Example: `#schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 4>>`";
  let parameters = (ins ArrayRefParameter<"::mlir::Attribute">:$steps);
  let genVerifyDecl = 1;
  let hasCustomAssemblyFormat = 1; // a generated parser refuses an empty list
}

#endif

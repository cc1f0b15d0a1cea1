// RUN: cameo-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{expected runs of at least 1 point, got 0}}
#run = #loop.run<length = 0, offset = 0, strides = []>

// -----

// expected-error @below {{expected whole rows of 2 columns, got 3 entries}}
#transform_rows = #loop.transform<dim = 0, columns = 2, denominator = 1, entries = [1, 2, 3]>

// -----

// expected-error @below {{expected a denominator of at least 1, got 0}}
#transform_denominator = #loop.transform<dim = 0, columns = 1, denominator = 0, entries = [1]>

// -----

// expected-error @below {{expected a block stride of at least 0 and groups of at least 1, got 1 and 0}}
#packed_group = #loop.packed<offset = 0, block_stride = 1, group = 0, fixed = [0], per_width = [1]>

// -----

// expected-error @below {{expected a width of at least 0, got -8}}
#packed_width = #loop.packed<offset = 0, block_stride = 1, group = 1, width = -8, fixed = [0], per_width = [1]>

// -----

// expected-error @below {{expected as many fixed strides as strides per width, got 1 and 2}}
#packed_strides = #loop.packed<offset = 0, block_stride = 1, group = 1, fixed = [0], per_width = [1, 1]>

// -----

// expected-error @below {{expected loops over a dimension in pieces of at least 1, got [0, 0]}}
#order_size = #loop.order<loops = [[0, 0]]>

// -----

// expected-error @below {{expected numbers of 0 or more}}
#order_vector = #loop.order<loops = [], vector = -2>

// -----

// expected-error @below {{expected at least 1 lane}}
#order_lanes = #loop.order<loops = [], lanes = 0>

// -----

// expected-error @below {{expected pool to be four numbers of 0 or more for each dimension}}
#order_pool = #loop.order<loops = [], pool = [3, 2, 1]>

// -----

// expected-error @below {{expected two piece_units, the first of them larger}}
#order_units = #loop.order<loops = [], piece_units = [1, 2]>

// -----

// expected-error @below {{expected functions_in_turns of at least 1}}
#order_functions = #loop.order<loops = [], functions_in_turns = 0>

// -----

// program_c1: buffers and groups, in this order
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    // expected-error @below {{expected buffers and groups in a loop.program}}
    %z = arith.constant 0.0 : f32
    loop.group {
      loop.nest "nest0" (%i: 8) {
        %v = loop.load %a[%i] : memref<8xf32>
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// program_c1
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        %v = loop.load %a[%i] : memref<8xf32>
        loop.store %v, %a[%i] : memref<8xf32>
      }
    }
    // expected-error @below {{expected buffers before the first group}}
    %c = loop.buffer result 0 : memref<8xf32>
  }
  task.return %y : tensor<8xf32>
}

// -----

// program_c2
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    // expected-error @below {{expected one of 1 inputs, got number 1}}
    %b = loop.buffer argument 1 : memref<8xf32>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        %v = loop.load %a[%i] : memref<8xf32>
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// program_c2
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    // expected-error @below {{expected one buffer for output 0}}
    %b = loop.buffer result 0 : memref<8xf32>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        %v = loop.load %a[%i] : memref<8xf32>
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// program_c2
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{expected a buffer for output 0}}
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
  }
  task.return %y : tensor<8xf32>
}

// -----

// buffer_c1
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    // expected-error @below {{expected a number of 0 or more if and only if the buffer is an argument or a result}}
    %b = loop.buffer temporary 0 : memref<8xf32, #loop.space<arena>>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        %v = loop.load %a[%i] : memref<8xf32>
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// buffer_c1
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    // expected-error @below {{expected a number of 0 or more if and only if the buffer is an argument or a result}}
    %b = loop.buffer argument : memref<8xf32>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        %v = loop.load %a[%i] : memref<8xf32>
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// buffer_c2
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    // expected-error @below {{expected the arena, the stack or shared memory if and only if the buffer is a temporary}}
    %b = loop.buffer temporary : memref<8xf32>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        %v = loop.load %a[%i] : memref<8xf32>
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// buffer_c2
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    // expected-error @below {{expected the arena, the stack or shared memory if and only if the buffer is a temporary}}
    %b = loop.buffer argument 1 : memref<8xf32, #loop.space<stack>>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        %v = loop.load %a[%i] : memref<8xf32>
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// buffer_c2
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    // expected-error @below {{expected the arena, the stack or shared memory if and only if the buffer is a temporary}}
    %b = loop.buffer temporary : memref<8xf32, #loop.space<global>>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        %v = loop.load %a[%i] : memref<8xf32>
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// buffer_c5
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    // expected-error @below {{expected per_row for a temporary on the stack or in shared memory}}
    %b = loop.buffer temporary : memref<8xf32, #loop.space<stack>>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        %v = loop.load %a[%i] : memref<8xf32>
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// buffer_c5
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    // expected-error @below {{expected per_row for a temporary on the stack or in shared memory, and for temporaries only}}
    %c = loop.buffer result 0 per_row : memref<8xf32>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        %v = loop.load %a[%i] : memref<8xf32>
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// buffer_c3
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    // expected-error @below {{expected constants if and only if the buffer is a table}}
    %b = loop.buffer table : memref<8xf32>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        %v = loop.load %a[%i] : memref<8xf32>
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// buffer_c3
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    // expected-error @below {{expected a buffer of the table's elements}}
    %b = loop.buffer table holds dense<1.0> : tensor<4xf32> : memref<8xf32>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        %v = loop.load %a[%i] : memref<8xf32>
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// buffer_c4
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    // expected-error @below {{expected elements if and only if the buffer has unknown size}}
    %b = loop.buffer temporary elements "n" : memref<8xf32, #loop.space<arena>>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        %v = loop.load %a[%i] : memref<8xf32>
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// buffer_c4
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    // expected-error @below {{expected elements if and only if the buffer has unknown size}}
    %b = loop.buffer temporary : memref<?xf32, #loop.space<arena>>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        %v = loop.load %a[%i] : memref<8xf32>
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// group_c1
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    // expected-error @below {{expected at least one nest, and nothing else}}
    loop.group {
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// group_c2: all nests have the rows
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    loop.group rows 1 {
      loop.nest "a" (%i: 8) {
        %v = loop.load %a[%i] : memref<8xf32>
        loop.store %v, %c[%i] : memref<8xf32>
      }
      // expected-error @below {{expected at least the 1 dimensions of the group's rows, got 0}}
      loop.nest "b" () {
        %v = loop.load %a[0] : memref<8xf32>
        loop.store %v, %c[0] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// group_c2
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    loop.group rows 1 {
      loop.nest "a" (%i: 8) {
        %v = loop.load %a[%i] : memref<8xf32>
        loop.store %v, %c[%i] : memref<8xf32>
      }
      // expected-error @below {{expected dimension 0 to be that of the group's rows, with 8}}
      loop.nest "b" (%i: 4) {
        %v = loop.load %a[%i] : memref<8xf32>
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// group_c3
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    // expected-error @below {{expected at most 1 ordered dimensions, got 2}}
    loop.group rows 1 ordered 2 {
      loop.nest "a" (%i: 8) {
        %v = loop.load %a[%i] : memref<8xf32>
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

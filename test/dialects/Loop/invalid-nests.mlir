// RUN: cameo-opt %s -verify-diagnostics -split-input-file

// nest_c1
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    loop.group {
      // expected-error @below {{expected at most 64 dimensions, got 65}}
      loop.nest "a" (%d0: 1, %d1: 1, %d2: 1, %d3: 1, %d4: 1, %d5: 1, %d6: 1, %d7: 1, %d8: 1, %d9: 1, %d10: 1, %d11: 1, %d12: 1, %d13: 1, %d14: 1, %d15: 1, %d16: 1, %d17: 1, %d18: 1, %d19: 1, %d20: 1, %d21: 1, %d22: 1, %d23: 1, %d24: 1, %d25: 1, %d26: 1, %d27: 1, %d28: 1, %d29: 1, %d30: 1, %d31: 1, %d32: 1, %d33: 1, %d34: 1, %d35: 1, %d36: 1, %d37: 1, %d38: 1, %d39: 1, %d40: 1, %d41: 1, %d42: 1, %d43: 1, %d44: 1, %d45: 1, %d46: 1, %d47: 1, %d48: 1, %d49: 1, %d50: 1, %d51: 1, %d52: 1, %d53: 1, %d54: 1, %d55: 1, %d56: 1, %d57: 1, %d58: 1, %d59: 1, %d60: 1, %d61: 1, %d62: 1, %d63: 1, %d64: 1) {
        %v = loop.load %a[0] : memref<8xf32>
        loop.store %v, %c[0] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// nest_c2
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    loop.group {
      // expected-error @below {{expected extents of 0 or more, or expressions, got -8}}
      loop.nest "nest0" (%i: -8) {
        %v = loop.load %a[0] : memref<8xf32>
        loop.store %v, %c[0] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// nest_c3
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    loop.group {
      // expected-error @below {{expected one loop.reduce at most}}
      loop.nest "nest0" (%i: 8) {
        %z = arith.constant 0.0 : f32
        %v = loop.reduce(%acc = %z : f32) {
          loop.yield %acc : f32
        }
        %u = arith.constant 0.0 : f32
        %w = loop.reduce(%acc = %u : f32) {
          loop.yield %acc : f32
        }
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// nest_c4
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    loop.group {
      loop.nest "nest0" (%i: reduce 8) {
        // expected-error @below {{expected no dimension of the reduction outside of a loop.reduce, got dimension 0}}
        %v = loop.load %a[%i] : memref<8xf32>
        loop.store %v, %c[0] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// nest_c5
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    loop.group {
      // expected-error @below {{expected a loop.store}}
      loop.nest "nest0" (%i: 8) {
        %v = loop.load %a[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// nest_c6
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        %v = loop.load %a[%i] : memref<8xf32>
        // expected-error @below {{expected a scalar operation without side effects in a loop nest}}
        %m = memref.alloc() : memref<8xf32>
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// nest_c6: stores come behind the reduction
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        %z = arith.constant 0.0 : f32
        %v = loop.reduce(%acc = %z : f32) {
          // expected-error @below {{expected stores after the loop.reduce}}
          loop.store %acc, %c[%i] : memref<8xf32>
          loop.yield %acc : f32
        }
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// nest_c7
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        // expected-error @below {{expected addresses within 8 elements, got 8}}
        %v = loop.load %a[%i + 1] : memref<8xf32>
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// nest_c7
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        %v = loop.load %a[%i] : memref<8xf32>
        // expected-error @below {{expected addresses within 8 elements, got -1}}
        loop.store %v, %c[%i + -1] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// nest_c7
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        // expected-error @below {{expected addresses of 64 bits}}
        %v = loop.load %a[%i * 9223372036854775807] : memref<8xf32>
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// nest_c8
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    loop.group {
      // expected-error @below {{expected loops over one of 1 dimensions, got 1}}
      loop.nest "nest0" (%i: 8) order <loops = [[1, 8]]> {
        %v = loop.load %a[%i] : memref<8xf32>
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// nest_c8
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    loop.group {
      // expected-error @below {{expected an order of existing dimensions and loops}}
      loop.nest "nest0" (%i: 8) order <loops = [], vector = 1, lanes = 8> {
        %v = loop.load %a[%i] : memref<8xf32>
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// load_c1
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        // expected-error @below {{expected runs with a stride for each of 1 dimensions}}
        %v = loop.load %a[%i] {run = #loop.run<length = 4, offset = 0, strides = []>} : memref<8xf32>
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// load_c1
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        // expected-error @below {{expected a packed layout with a stride for each of 1 dimensions}}
        %v = loop.load %a[%i] {packed = #loop.packed<offset = 0, block_stride = 1, group = 1, fixed = [], per_width = []>} : memref<8xf32>
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// load_c1
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        // expected-error @below {{expected a transform along one of 1 dimensions, got 3}}
        %v = loop.load %a[%i] {transforms = [#loop.transform<dim = 3, columns = 1, denominator = 1, entries = [1]>]} : memref<8xf32>
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// reduce_c1
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        %z = arith.constant 0 : i32
        // expected-error @below {{expected initial, running and next values of the types of the results}}
        %v = loop.reduce(%acc = %z : i32) {
          %w = arith.constant 0.0 : f32
          loop.yield %w : f32
        }
        %u = loop.load %a[%i] : memref<8xf32>
        loop.store %u, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// address_c1
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        // expected-error @below {{expected a stride for each of 1 indices, got 0}}
        %v = "loop.load"(%a, %i) {offset = 0 : i64, strides = []} : (memref<8xf32>, index) -> f32
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// nest_c9
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        %v = loop.load %a[%i] : memref<8xf32>
        // expected-error @below {{expected a loop.index of dimension 0, which is used only in addresses}}
        %n = arith.addi %i, %i : index
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// store_c1
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        %v = loop.load %a[%i] : memref<8xf32>
        %n = loop.index [%i]
        // expected-error @below {{expected one computed index at most, with a number as its stride}}
        loop.store %v, %c[%n + %n] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// store_c1
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        %v = loop.load %a[%i] : memref<8xf32>
        %n = loop.index [%i]
        // expected-error @below {{expected one computed index at most, with a number as its stride}}
        loop.store %v, %c[%n * "k"] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// index_c1
task.def @t(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %a = loop.buffer argument 0 : memref<8xf32>
    %c = loop.buffer result 0 : memref<8xf32>
    loop.group {
      loop.nest "nest0" (%i: 8) {
        %v = loop.load %a[%i] : memref<8xf32>
        %n = loop.index [%i]
        // expected-error @below {{expected dimensions of the nest}}
        %m = loop.index [%n * 2]
        loop.store %v, %c[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

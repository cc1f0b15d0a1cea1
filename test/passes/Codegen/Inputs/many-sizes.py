"""A hundred inputs, each of a length of its own, all of which have to be equal, with an output of twice that length for each."""
names = [f"x{i}" for i in range(100)]
print('<ir_version: 8, opset_import: ["" : 18]>')
print(f"many ({', '.join(f'float[n{i}, 1] {name}' for i, name in enumerate(names))}) =>")
print(f"  (float[n, 100] y, {', '.join(f'float[m{i}, 1] {name}x2' for i, name in enumerate(names))}) {{")
print(f"  y = Concat <axis = 1> ({', '.join(names)})")
for name in names:
    print(f"  {name}x2 = Concat <axis = 0> ({name}, {name})")
print("}")

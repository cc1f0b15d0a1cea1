"""Prints a network with weights of all kinds: a table that is read as it is, matrices that are packed, and vectors."""


def values(count):
    return ", ".join(str((index * 37 % 101) / 256 - 0.2) for index in range(count))


print(f"""<ir_version: 8, opset_import: ["" : 17]>
net (int64[16] ids) => (float[16, 48] y)
  <float[50, 32] table = {{{values(1600)}}}, float[32, 96] v = {{{values(3072)}}}, float[96] b = {{{values(96)}}},
   float[96, 48] w = {{{values(4608)}}}, float[48] c = {{{values(48)}}}> {{
  x = Gather (table, ids)
  p = MatMul (x, v)
  q = Add (p, b)
  r = Tanh (q)
  s = MatMul (r, w)
  y = Add (s, c)
}}""")

-- expect: note: line 2: a block has no colon; it is written for i = 1, 3 do ... end
for i in range(3):
  print(i)

-- An error in a file is told at the file; the script's line is a note.
-- expect: data/cyclic.json: error: 2 tasks wait for one another: 'fetch' -> 'merge' -> 'fetch'
local g = graph.wfformat("data/cyclic.json", { time = 1 })

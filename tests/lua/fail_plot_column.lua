-- expect: fail_plot_column.lua:2: error: plot: y: there is no column 'speedup'; there are cores, time
plot({ { cores = 1, time = 20 }, { cores = 2, time = 12 } }, { x = "cores", y = "speedup" })

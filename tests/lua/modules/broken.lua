local x = = 2

-- expect: outage: from: '14:00' is not a quantity in seconds: in one unit it is '14 h'
outage { host = "a", from = "14:00", to = "1 d 14 h" }

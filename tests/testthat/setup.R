# Two threads everywhere: machines that check packages allow no more.
options(rankmix.threads = 2L)
# Benchmarks would collect the garbage of this large process before each fit.
options(rankmix.collect_garbage = FALSE)

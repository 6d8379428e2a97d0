# Two threads everywhere: machines that check packages allow no more.
options(rankmix.threads = 2L)

# An error of rlang records all calls above it, which takes longer than the check that raises it.
options("rlang:::disable_trace_capture" = TRUE)

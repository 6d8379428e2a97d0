# Two threads everywhere: machines that check packages allow no more.
options(rankmix.threads = 2L)

# An error of rlang records all calls above it, which takes longer than the check that raises it. The second raise of an
# error would record them too.
options("rlang:::disable_trace_capture" = TRUE)
no_calls <- rlang::trace_back()[0L, ]
raise_from_user <- asNamespace("rankmix")$raise_from_user
local_function("raise_from_user", function(e, frame) {
  e$trace <- no_calls
  raise_from_user(e, frame)
}, teardown_env())

# A benchmark collects garbage before each training to measure its memory. This takes longer than a small training.
# Tests of memory use the original function, which is kept here.
collect_vectors <- asNamespace("rankmix")$collect_vectors
local_function("collect_vectors", function(...) NULL, teardown_env())

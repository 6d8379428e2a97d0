# Two threads everywhere: machines that check packages allow no more.
options(rankmix.threads = 2L)

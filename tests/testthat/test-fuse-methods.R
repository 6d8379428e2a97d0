test_that("methods print as they are typed, and are read from their text", {
  methods <- list(fuse_rrf(), fuse_rrf(10), fuse_isr(), fuse_log_isr(), fuse_log_isr(0.01), fuse_rank_biased(), fuse_borda(),
                  fuse_comb_sum(), fuse_comb_mnz(), fuse_comb_anz(), fuse_comb_min(), fuse_comb_max(), fuse_comb_med(),
                  fuse_copeland(), fuse_condorcet(), fuse_map(), fuse_pos(2), fuse_slide(), fuse_prob(10),
                  fuse_seg(), fuse_bayes(), fuse_bayes(c(3, 9)))
  for (method in methods) {
    expect_s3_class(method, "rankmix_fusion")
    expect_identical(rankmix:::read_fusion(format(method)), method)
    expect_output(print(method), paste0("<fusion> ", format(method)), fixed = TRUE)
  }
  names <- unique(vapply(methods, `[[`, "", "name"))
  expect_setequal(names, rankmix:::fusion_names())
})

test_that("names of the literature are known", {
  named <- function(text) rankmix:::read_fusion(text)$name
  expect_identical(named("CombMNZ"), "comb_mnz")
  expect_identical(named("wsum"), "comb_sum")
  expect_identical(named("med"), "comb_med")
  expect_identical(named("RRF"), "rrf")
  expect_identical(named("rbc"), "rank_biased")
  expect_identical(named("logISR"), "log_isr")
  expect_identical(named("probfuse"), "prob")
  expect_identical(named("BordaFuse"), "borda")
  expect_identical(rankmix:::read_fusion("rbc(phi = 0.5)"), fuse_rank_biased(0.5))
})

test_that("unknown methods are refused", {
  runs <- lapply(random_runs(1), run_of)
  refuse <- function(code) expect_snapshot_error(code, class = "rankmix_error_argument")
  refuse(fuse(runs, method = "rff"))
  refuse(fuse(runs, method = "mc4"))
  refuse(fuse(runs, method = fuse_rrf))
  refuse(fuse(runs, method = 60))
  refuse(fuse(runs, method = "fuse_rrf(K = 3)"))
  refuse(fuse(runs, method = "fuse_rrf(60)"))
  refuse(fuse(runs, method = "fuse_rrf(k = Sys.time())"))
  refuse(fuse_rrf(-1))
  refuse(fuse_log_isr(NA))
  refuse(fuse_rank_biased(1))
  refuse(fuse_comb_mnz("a"))
})

test_that("parameters change the fused scores", {
  runs <- lapply(random_runs(6), run_of)
  differ <- function(a, b) {
    expect_false(isTRUE(all.equal(fuse(runs, method = a)$score, fuse(runs, method = b)$score)))
  }
  differ(fuse_rrf(1), fuse_rrf(60))
  differ(fuse_log_isr(1), fuse_log_isr(2))
  differ(fuse_rank_biased(0.5), fuse_rank_biased(0.9))
  differ(fuse_comb_mnz(1), fuse_comb_mnz(2))
})

test_that("methods print as they are typed, and are read from their text", {
  methods <- list(rrf(), rrf(10), isr(), log_isr(), log_isr(0.01), rank_biased(), borda(),
                  comb_sum(), comb_mnz(), comb_anz(), comb_min(), comb_max(), comb_med(),
                  copeland(), condorcet(), map_fuse(), pos_fuse(2), slide_fuse(), prob_fuse(10),
                  seg_fuse(), bayes_fuse(), bayes_fuse(c(3, 9)))
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
  expect_identical(named("probfuse"), "prob_fuse")
  expect_identical(named("BordaFuse"), "borda")
  expect_identical(rankmix:::read_fusion("rbc(phi = 0.5)"), rank_biased(0.5))
})

test_that("methods that there are not are refused", {
  runs <- lapply(random_runs(1), run_of)
  refuse <- function(code) expect_snapshot_error(code, class = "rankmix_error_argument")
  refuse(fuse(runs, method = "rff"))
  refuse(fuse(runs, method = "mc4"))
  refuse(fuse(runs, method = rrf))
  refuse(fuse(runs, method = 60))
  refuse(fuse(runs, method = "rrf(K = 3)"))
  refuse(fuse(runs, method = "rrf(60)"))
  refuse(fuse(runs, method = "rrf(k = Sys.time())"))
  refuse(rrf(-1))
  refuse(log_isr(NA))
  refuse(rank_biased(1))
  refuse(comb_mnz("a"))
})

test_that("parameters change the fused scores", {
  runs <- lapply(random_runs(6), run_of)
  differ <- function(a, b) {
    expect_false(isTRUE(all.equal(fuse(runs, method = a)$score, fuse(runs, method = b)$score)))
  }
  differ(rrf(1), rrf(60))
  differ(log_isr(1), log_isr(2))
  differ(rank_biased(0.5), rank_biased(0.9))
  differ(comb_mnz(1), comb_mnz(2))
})

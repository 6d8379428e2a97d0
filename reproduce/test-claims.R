# Compares verdicts with t.test() and with known cases.

test_verdicts <- function(check) {
  own <- new.env(parent = globalenv())
  sys.source("reproduce/load.R", own)
  set.seed(1)
  x <- stats::rnorm(50, 0.3)
  m <- own$differences(x)
  test <- stats::t.test(x)
  check(isTRUE(all.equal(own$p_value(m, "more", 0), test$p.value)), "p is that of t.test()")
  check(isTRUE(all.equal(own$p_value(m, "less", 0.1), stats::t.test(x, mu = 0.1)$p.value)),
        "and of its limit")
  verdict <- function(x, kind, limit = 0) {
    m <- own$differences(x)
    own$verdict_of(m, kind, limit, own$p_value(m, kind, limit))
  }
  sure <- 1 + x / 10
  check(verdict(sure, "more") == "holds", "what is above 0 holds")
  check(verdict(-sure, "more") == "does not hold", "what is below does not")
  check(verdict(x - mean(x), "more") == "undecided", "what is around 0 undecided")
  check(verdict(sure, "same", 2) == "holds", "within a limit")
  check(verdict(-sure, "same", 0.5) == "does not hold", "beyond it on the other side")
  check(verdict(sure, "less", 2) == "holds", "below a limit")
  check(verdict(rep(0, 9), "same", 1e-9) == "holds", "what is the same everywhere")
  check(verdict(rep(0, 9), "more") == "does not hold", "is not more")
  check(verdict(1, "more") == "undecided", "one number has no test")
  check(own$verdict_of(own$broken(0, 10), "never", 0, NA) == "holds", "nothing was broken")
  check(own$verdict_of(own$broken(1, 10), "never", 0, NA) == "does not hold", "something was")
  check(is.null(own$differences(c(NaN, NA))), "no query counts")
  # Two one-sided tests, the larger p of them, twice.
  two <- c(stats::t.test(x, mu = -1, alternative = "greater")$p.value,
           stats::t.test(x, mu = 1, alternative = "less")$p.value)
  check(isTRUE(all.equal(own$p_value(m, "same", 1), 2 * max(two))), "equivalence is two tests")

  found <- list(list(values = list(ndcg = cbind(a = c(1, NaN, 0.5), b = c(0.5, NaN, 0.25)))))
  check(own$less("a", "b")(found)$n == 2 && own$less("a", "b")(found)$effect == 0.375,
        "differences are query by query")
  check(is.null(own$less("a", "z")(found)), "a ranker that is not there is not compared")

  # Judged with results of two of three parts, and one that failed.
  claim <- own$claim("X", "P", "a beats b", "e", "c", own$less("a", "b"))
  result <- function(x) list(found = list(values = list(ndcg = cbind(a = x, b = 0))), seconds = 2)
  results <- list(k1 = result(sure), k2 = result(sure), k3 = list(error = "broke", seconds = 0))
  row <- own$assess_claims(list(claim), results, function(one) names(results))
  check(row$verdict == "holds" && row$parts == 2L && row$of_parts == 3L && row$seconds == 4,
        "parts that are there are judged")
  row <- own$assess_claims(list(claim), results["k3"], function(one) "k3")
  check(is.na(row$verdict) && grepl("broke", row$status), "a failure is reported")
  check(!anyDuplicated(vapply(own$tasks_of(own$experiments, "full", "."), `[[`, "", "key")),
        "tasks have keys of their own")
  known <- vapply(own$claims, `[[`, "", "experiment") %in% names(own$experiments)
  check(all(known), "each claim has an experiment")
}

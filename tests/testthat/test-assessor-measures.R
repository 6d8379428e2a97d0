# The values agree with published examples. Where all grades occur, they also agree with kappa2(), kappam.fleiss() and
# kripp.alpha() of irr 0.85.
measured <- function(...) tidy(assessor_agreement(..., resamples = 100, seed = 1))

test_that("alpha agrees with Krippendorff's example", {
  known <- c(nominal = .7434211, ordinal = .8153875, interval = .8491071, ratio = .7974028)
  for (level in names(known)) {
    expect_equal(measured(krippendorff_grades, "alpha", level)$estimate, known[[level]], tolerance = 1e-6)
  }
})

test_that("alpha is 1 - observed / expected of coincidences", {
  grades <- cbind(c(1, 1, 2), c(1, 2, 2))
  # Pairs of grades: (1, 1) twice, (1, 2) and (2, 1) once each, (2, 2) twice.
  found <- measured(grades, "alpha")
  expect_equal(found$observed, 2 / 6)
  expect_equal(found$expected, 2 * 3 * 3 / (6 * 5))
  expect_equal(found$estimate, 1 - (1 / 3) / 0.6)
})

test_that("kappa of two assessors agrees with Cohen's kappa", {
  # Of 50 documents, both assessors grade 20 as yes and 15 as no.
  grades <- graded_table(rbind(c(20, 5), c(10, 15)))
  expect_equal(measured(grades)$estimate, 0.4)
  expect_equal(measured(grades)$observed, 0.3)
  expect_equal(measured(grades)$expected, 0.5)
  # The expected values are computed by hand. Linear costs are 0, 1/2 and 1. Quadratic costs are 0, 1/4 and 1.
  table <- rbind(c(5, 2, 1), c(1, 4, 2), c(0, 2, 3))
  weighted <- function(costs) {
    p <- table / sum(table)
    1 - sum(p * costs) / sum(outer(rowSums(p), colSums(p)) * costs)
  }
  cost <- abs(outer(1:3, 1:3, "-")) / 2
  expect_equal(measured(graded_table(table), "weighted", weights = "linear")$estimate, weighted(cost))
  expect_equal(measured(graded_table(table), "weighted")$estimate, weighted(cost^2))
  # Costs depend on the values of the grades, not only on their order.
  far <- c(0, 3, 1)[c(1, 3, 2)]
  expect_equal(measured(graded_table(table, far), "weighted")$estimate,
               weighted((outer(far, far, "-") / 3)^2))
})

test_that("kappa of several assessors agrees with Fleiss' kappa", {
  # Ten subjects, fourteen assessors, five categories.
  counts <- rbind(c(0, 0, 0, 0, 14), c(0, 2, 6, 4, 2), c(0, 0, 3, 5, 6), c(0, 3, 9, 2, 0), c(2, 2, 8, 1, 1),
                  c(7, 7, 0, 0, 0), c(3, 2, 6, 3, 0), c(2, 5, 3, 2, 2), c(6, 5, 2, 1, 0), c(0, 2, 2, 3, 7))
  grades <- t(apply(counts, 1L, function(own) rep(1:5, own)))
  expect_equal(measured(grades)$estimate, 0.2099307, tolerance = 1e-6)
  expect_identical(measured(grades)$measure, "Fleiss' kappa")
})

test_that("weights of units count copies", {
  distance <- rankmix:::grade_distance(1:3, "ordinal")
  counts <- rbind(c(2, 0, 0), c(1, 1, 0), c(0, 1, 2), c(0, 0, 3))
  weight <- c(2, 0, 3, 1)
  expect_equal(rankmix:::krippendorff_alpha(counts, distance)(weight),
               rankmix:::krippendorff_alpha(counts[rep(1:4, weight), ], distance)(rep(1, 6)))
  counts <- counts[-4, ] + rbind(c(0, 0, 1), c(0, 1, 0), 0)
  expect_equal(rankmix:::fleiss_kappa(counts, 1:3),
               rankmix:::fleiss_kappa(counts[rep(1:3, 1:3), ], rep(1, 6)))
})

test_that("equal grades have no agreement by chance", {
  same <- matrix(1, 4, 3)
  for (how in c("kappa", "alpha")) expect_identical(measured(same, how)$estimate, NA_real_)
  expect_identical(measured(same[, 1:2], "weighted")$estimate, NA_real_)
  expect_output(print(assessor_agreement(same, seed = 1)), "undefined")
  # One unit with two equal grades has no expected disagreement, so alpha is undefined.
  expect_identical(measured(cbind(1, 1), "alpha")$estimate, NA_real_)
})

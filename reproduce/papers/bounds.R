# Bounds of the papers as checks: both sides of each inequality on simulated data, whose truth is
# known, and what is printed wrongly in the papers.

bounds_run <- function(task, settings) {
  drawn <- simulate_ranking(settings$queries, seed = task$number)
  data <- drawn$data
  p <- drawn$probability
  model <- fit(linear_ranker(penalty = 0.1), data, threads = 1, verbose = FALSE)
  scores <- predict(model, data)
  # Estimates from nearly right to flat.
  estimates <- lapply(c(1e-4, 0.03, 0.3, 1), function(fraction) (1 - fraction) * p + fraction / ncol(p))
  out <- function(low, high, slack = 1e-12) {
    c(out = sum(low > high + slack, na.rm = TRUE), of = sum(!is.na(low)))
  }
  over <- function(values, make) rowSums(vapply(values, make, c(out = 0, of = 0)))
  widths <- 2^seq(6, -20, -2)
  answers <- fit(cocr(linear_ranker(), "absolute"), data, threads = 1, verbose = FALSE)
  levels <- list(predict(answers, data, "level"), t(apply(p[, 5:2], 1L, cumsum))[, 4:1])
  other <- scores + stats::sd(scores) * sin(seq_along(scores))
  theorem2 <- bound_err(data$relevance, predict(answers, data), data$query, 4)
  # Theorem 1 of SmoothRank: the risk on queries of the same truth that were not seen.
  risk <- bound_smooth_risk(model, data, sigma = 1)
  fresh <- simulate_ranking(settings$queries, truth = drawn$truth, seed = 100 + task$number)$data
  smooth <- bound_smooth_error(model, fresh, sigma = 1)$smooth
  scaled <- vapply(c(0.25, 4, 16), function(factor) {
    both <- bound_smooth_scaling(model, data, sigma = 1, penalty = 0.1, factor = factor)
    abs(both$as_is - both$scaled) / abs(both$as_is)
  }, 0)
  # Two nearly equal documents that are confused with each other. They show whether a bound needs the root.
  close_bounds <- lapply(10^-(2:6), function(d) {
    pair <- rbind(c(0.5 - d, 0.5 + d), c(0.5, 0.5))
    bound_edcg_kl(pair, pair[2:1, ])
  })
  printed <- c(lapply(estimates, function(e) bound_edcg_kl(p, e, data$query)), close_bounds)
  list(
    proposition1 = over(estimates, function(e) {
      sides <- bound_edcg(p, e, data$query)
      out(sides$excess, sides$proposition1)
    }),
    corollary2 = over(estimates, function(e) {
      sides <- bound_edcg(p, e, data$query)
      out(sides$proposition1, sides$corollary2)
    }),
    kl = over(printed, function(sides) out(sides$excess, sides$bound)),
    printed = over(printed, function(sides) out(sides$excess, sides$printed)),
    cocr1 = over(levels, function(h) {
      sides <- bound_cocr(h, p)
      out(sides$excess, sides$bound)
    }),
    cocr2 = out(theorem2$excess, theorem2$bound),
    # As printed, the left side is the other way round.
    vacuous = c(out = sum(-theorem2$excess > 1e-12), of = nrow(theorem2)),
    error = over(widths, function(sigma) {
      sides <- bound_smooth_error(model, data, sigma)
      out(sides$error, sides$bound)
    }),
    flat = over(widths, function(sigma) {
      sides <- bound_smooth_flat(model, data, sigma)
      out(sides$error, sides$bound)
    }),
    slope = over(widths, function(sigma) {
      sides <- bound_smooth_gradient(scores, other, data, sigma)
      out(sides$change, sides$bound)
    }),
    scaling = c(out = sum(scaled > 1e-9), of = length(scaled)),
    risk = out(mean(pmax(0, 1 - smooth), na.rm = TRUE), risk$bound),
    terms = risk
  )
}

bounds_experiments <- list(experiment("bounds", bounds_run, "simulated", by_scale(
  tiny = list(queries = 20), small = list(queries = 200), full = list(queries = 1000)
)))

bounds_claims <- local({
  papers <- c(mix = "Tune and mix (2013)", smooth = "Smoothed retrieval metrics (2010)",
              cocr = "COCR (2014)")
  say <- function(paper, id, says, name, figure) {
    claims_on("simulated", id = id, paper = papers[[paper]], says = says, experiment = "bounds",
              kind = "never", figure = figure, measure = "cases outside the bound",
              of = function(found) {
                broken(vapply(found, function(one) one[[name]][["out"]], 0),
                       vapply(found, function(one) one[[name]][["of"]], 0))
              })
  }
  c(
    say("mix", "P1", "Lost DCG is within proposition 1", "proposition1", "Proposition 1."),
    say("mix", "P2", "The bound of proposition 1 is within corollary 2", "corollary2",
        "Corollary 2."),
    say("mix", "P3", "Lost DCG is within proposition 3 with a root of the divergence", "kl",
        "Proposition 3, corrected."),
    say("mix", "P3", "Lost DCG is within proposition 3 as printed, without the root", "printed",
        "Proposition 3, as printed."),
    say("smooth", "S1", "The error of the smooth NDCG is within exp(-mu / sigma) times a constant",
        "error", "Section 5.1."),
    say("smooth", "S2",
        "The distance of the smooth NDCG to its limit at large widths is within the bound", "flat",
        "Section 5.3."),
    say("smooth", "S3", "The gradient of the smooth NDCG is within 8 B R m^1.5 / sigma", "slope",
        "Section 5.2."),
    say("smooth", "S4", "Lemma 1: weights, penalty and width scale together", "scaling",
        "Lemma 1."),
    say("smooth", "S5",
        "Theorem 1 bounds the risk on new queries, and the bound is far above the risk",
        "risk", "Theorem 1."),
    say("cocr", "O1", "Theorem 1 holds for each document", "cocr1", "Theorem 1."),
    say("cocr", "O2", "Theorem 2 with its sides in the right order holds for each query", "cocr2",
        "Theorem 2, corrected."),
    say("cocr", "O2",
        "The left side of theorem 2 as printed is never above 0, so the theorem bounds nothing",
        "vacuous", "Theorem 2, as printed.")
  )
})

# Makes the simulated ranking data in inst/extdata: three LETOR files of one
# distribution. Run from the root of the repository: Rscript data-raw/simulate.R
#
# Documents have five latent qualities, queries two; features are noisy, skewed
# views of them, of several scales; grades 0 to 3 are cut from a non-linear
# utility, so that no single feature ranks well. Features 17 and 18 are pure
# noise, 19 is constant, 20 has missing values.

set.seed(20260101)

simulate_part <- function(queries, first_id) {
  sizes <- pmax(3, rpois(queries, 18))
  query <- rep(first_id + seq_len(queries) - 1L, sizes)
  n <- length(query)
  z <- matrix(rnorm(n * 5), n)
  shift <- matrix(rnorm(queries * 2), queries)[rep(seq_len(queries), sizes), ]
  utility <- 1.2 * z[, 1] + pmax(z[, 2], 0) * 1.5 - 0.6 * z[, 3]^2 +
    0.9 * (z[, 4] > 0.3 & z[, 5] > -0.2) + 0.5 * shift[, 1] + rnorm(n)
  grade <- findInterval(utility, c(1.1, 2.3, 3.6))
  noise <- function() rnorm(n, sd = 0.7)
  x <- cbind(
    round(exp(z[, 1] + noise()), 3), round(exp(z[, 2] + noise()), 3),
    z[, 1] + z[, 2] + shift[, 1] + noise(), z[, 2] + noise(),
    z[, 3] + noise(), abs(z[, 3]) + noise(), z[, 4] + noise(),
    z[, 5] + noise(), floor(exp(z[, 4] + z[, 5] + noise())),
    pmax(z[, 1] - 0.5, 0) + 0, floor(exp(1 + shift[, 2])),
    shift[, 1], z[, 1] * shift[, 2] + noise(), rank(z[, 2]) / n,
    floor(5 * plogis(z[, 4] + noise())), z[, 1] - z[, 3] + noise(),
    rnorm(n), rexp(n), 1, z[, 5] + noise()
  )
  x <- round(x, 4)
  x[sample(n, n %/% 10), 20] <- NA
  shuffled <- order(query, runif(n))
  list(x = x[shuffled, ], grade = grade[shuffled], query = query[shuffled])
}

letor_lines <- function(part) {
  columns <- lapply(seq_len(ncol(part$x)), function(f) {
    ifelse(is.na(part$x[, f]), "NULL", format_number(part$x[, f]))
  })
  features <- do.call(paste, lapply(seq_along(columns), function(f) {
    paste0(f, ":", columns[[f]])
  }))
  paste0(part$grade, " qid:", part$query, " ", features)
}

format_number <- function(x) {
  vapply(x, function(v) format(v, digits = 6, scientific = FALSE), "")
}

write_part <- function(name, queries, first_id) {
  connection <- gzfile(file.path("inst", "extdata", paste0(name, ".txt.gz")),
                       "wb")
  on.exit(close(connection))
  writeLines(letor_lines(simulate_part(queries, first_id)), connection)
}

write_part("train", 150, 1)
write_part("vali", 50, 201)
write_part("test", 80, 301)

# Seconds per tree, the part `speed` of bench/yetirank.R. The machine should run nothing else.

# Elapsed seconds a tree between a short and a long fit, so that bins and the like do not count.
tree_seconds <- function(spec, data, more, threads, first = 2) {
  elapsed <- function(trees) {
    gc(FALSE)
    system.time(fit(update(spec, trees = trees), data, seed = 1, threads = threads,
                    verbose = FALSE))[["elapsed"]]
  }
  short <- elapsed(first)
  (elapsed(first + more) - short) / more
}

# The timed settings and their numbers of trees. The numbers are large, because the time before
# the first tree varies by some tenths of a second.
options_of_speed <- list(
  mse = list(yetirank(setup = "mse"), 200),
  equal = list(yetirank(setup = "equal"), 100),
  difference = list(yetirank(setup = "difference"), 100),
  lambdarank = list(yetirank(setup = "lambdarank"), 30),
  `lambdarank, 10 rankings` = list(yetirank(setup = "lambdarank", rankings = 10), 80),
  `values` = list(yetirank(solver = "values"), 8),
  `aligned, screen = 16` = list(yetirank(screen = 16), 8),
  `aligned, screen = 16, pair_fraction = .95, 10 rankings` =
    list(yetirank(screen = 16, pair_fraction = 0.95, rankings = 10), 20),
  `aligned, no shortcut` = list(yetirank(), 3)
)

# The shapes of Yahoo's second set and of MSLR's.
speed_shapes <- list(
  wide = function() simulate_ranking(1266, documents = c(15, 40), features = 519, seed = 3)$data,
  long = function() simulate_ranking(2000, documents = c(100, 140), features = 136, seed = 3)$data
)

# The time of lightgbm's lambdarank at its fastest setting.
lightgbm_tree <- function(data, threads) {
  need_package("lightgbm")
  set <- lightgbm_dataset(data)
  set$construct()
  layouts <- list(list(force_row_wise = TRUE), list(force_col_wise = TRUE),
                  list(force_row_wise = TRUE, use_quantized_grad = TRUE),
                  list(force_col_wise = TRUE, use_quantized_grad = TRUE))
  min(vapply(layouts, function(layout) {
    elapsed <- function(rounds) {
      params <- c(layout, list(objective = "lambdarank", num_leaves = 64L, verbose = -1L,
                               num_threads = threads))
      system.time(lightgbm::lgb.train(params, set, rounds, verbose = -1L))[["elapsed"]]
    }
    short <- elapsed(2L)
    (elapsed(62L) - short) / 60
  }, 0))
}

# Each shape on one thread and on two. Each row is a separate piece.
speed_pieces <- function(kept, shape, threads) {
  data <- NULL
  seconds <- lapply(names(options_of_speed), function(name) {
    kept(sprintf("speed-%s-%d-%s", shape, threads, gsub("[^a-z0-9]+", "-", name)), {
      if (is.null(data)) data <<- speed_shapes[[shape]]()
      option <- options_of_speed[[name]]
      tree_seconds(option[[1L]], data, option[[2L]], threads)
    })
  })
  names(seconds) <- names(options_of_speed)
  seconds[["lightgbm's lambdarank, 64 leaves"]] <-
    kept(sprintf("speed-%s-%d-lightgbm", shape, threads), {
      if (is.null(data)) data <<- speed_shapes[[shape]]()
      lightgbm_tree(data, threads)
    })
  vapply(seconds, function(value) if (is.null(value)) NA_real_ else value, 0)
}

test_that("the identity of functions and environments is their code and contents", {
  make <- function(code) eval(parse(text = code, keep.source = TRUE))
  a <- make("function(x) x + 1")
  b <- make("function(x)   x + 1")
  expect_identical(identity_of(list(metric_custom("m", a))), identity_of(list(metric_custom("m", b))))
  expect_false(identical(identity_of(a), identity_of(make("function(x) x + 2"))))
  for (i in 1:5) a(1)
  expect_identical(rlang::hash(identity_of(a)), rlang::hash(identity_of(b)))
  model <- function(value) {
    structure(list2env(list(value = value, own = function() 1)), class = "environment_model")
  }
  expect_identical(identity_of(model(1)), identity_of(model(1)))
  expect_false(identical(identity_of(model(1)), identity_of(model(2))))
  expect_identical(identity_of(gbrt()), identity_of(gbrt()))
  expect_false(identical(identity_of(gbrt()), identity_of(gbrt(learning_rate = 0.2))))
  expect_identical(identity_of(gbrt(40L)), identity_of(gbrt(40)))
})


hash_of <- function(x) rlang::hash(identity_of(x))

test_that("values that a closure has captured count, also those of captured functions", {
  power <- function(k) function(x) x^k
  expect_identical(hash_of(power(2)), hash_of(power(2)))
  expect_false(hash_of(power(2)) == hash_of(power(4)))
  # R stores 1:3 and c(1L, 2L, 3L) in different ways.
  expect_identical(hash_of(power(1:3)), hash_of(power(c(1L, 2L, 3L))))
  outer <- function(k) {
    inner <- power(k)
    function(x) inner(x) + 1
  }
  expect_identical(hash_of(outer(2)), hash_of(outer(2)))
  expect_false(hash_of(outer(2)) == hash_of(outer(4)))
  settings <- function(...) function(x) sum(x, ...)
  expect_false(hash_of(settings(1)) == hash_of(settings(2)))
  shadowed <- function(c, k) function(x) c(x, c, k)
  expect_false(hash_of(shadowed(1, 2)) == hash_of(shadowed(3, 2)))
  sparse <- function(m) function(x) m %*% x
  expect_false(hash_of(sparse(Matrix::Diagonal(x = 1:2))) == hash_of(sparse(Matrix::Diagonal(x = 2:3))))
  held <- function(k) {
    box <- new.env()
    box$power <- function(x) x^k
    function(x) box$power(x)
  }
  expect_identical(hash_of(held(2)), hash_of(held(2)))
  expect_false(hash_of(held(2)) == hash_of(held(4)))
  # Code may have objects instead of names.
  made <- function(k) eval(bquote(function(x) .(power(k))(x) * .(0.1 + k * 1e-17)))
  expect_identical(hash_of(made(2)), hash_of(made(2)))
  expect_false(hash_of(made(2)) == hash_of(made(4)))
})

test_that("values that a function does not use do not count, and neither does its state", {
  scale <- function(k, unused) {
    calls <- 0
    f <- function(x, unused) {
      calls <<- calls + 1
      x$unused * k
    }
    f(list(unused = 1))
    if (unused > 1) f(list(unused = 1))
    f
  }
  expect_identical(hash_of(scale(2, 1)), hash_of(scale(2, 5)))
  expect_false(hash_of(scale(2, 1)) == hash_of(scale(3, 1)))
})

test_that("functions that call each other have an identity, also with many calls", {
  even <- function(k) {
    even <- function(n) if (n < k) n == 0 else odd(n - 1)
    odd <- function(n) if (n < k) n == 1 else even(n - 1)
    even
  }
  expect_identical(hash_of(even(1)), hash_of(even(1)))
  expect_false(hash_of(even(1)) == hash_of(even(2)))
  many <- new.env()
  for (name in letters) {
    body <- paste(sprintf("%s(x)", letters), collapse = " + ")
    assign(name, eval(parse(text = sprintf("function(x) %s", body)), many), many)
  }
  expect_identical(hash_of(many$a), hash_of(many$a))
})

test_that("functions of packages and of the global environment are their code", {
  global <- function(code) eval(parse(text = code), globalenv())
  assign("of_nobody", 1, globalenv())
  withr::defer(rm("of_nobody", envir = globalenv()))
  first <- hash_of(global("function(x) x + of_nobody"))
  assign("of_nobody", 2, globalenv())
  expect_identical(hash_of(global("function(x) x + of_nobody")), first)
  expect_identical(hash_of(stats::sd), hash_of(stats::sd))
  expect_false(hash_of(stats::sd) == hash_of(stats::var))
  expect_false(hash_of(sum) == hash_of(prod))
})

test_that("the identity is the same in another session, with source references and after calls", {
  skip_if_quick()
  skip_if_not_installed("callr")
  code <- function(keep) {
    options(keep.source = keep)
    make <- eval(parse(text = paste("function(k, ...) { h <- function(x) { x^k }; e <- new.env(); e$k <- k",
                                    "calls <- 0; function(x, a) { calls <<- calls + 1; h(x) + e$k + c(...) } }",
                                    sep = "\n"), keep.source = keep), globalenv())
    f <- make(2:4, a = "b", 0.1)
    if (keep) for (i in 1:5) try(f(1), silent = TRUE)
    utils::getFromNamespace("identity_of", "rankmix")(list(f, \(x) { x }, quote(a$b)))
  }
  withr::local_options(keep.source = TRUE)
  there <- callr::r(code, list(keep = FALSE), libpath = .libPaths())
  expect_identical(rlang::hash(code(TRUE)), rlang::hash(there))
  expect_identical(rlang::hash(unserialize(serialize(there, NULL))), rlang::hash(there))
})

# Every call trains again if the value of `k` has changed. The wanted values come from calls without a directory.
gain_of <- function(k) metric_ndcg(10, gain = function(x) x^k)

target_of <- function(k) {
  loss_custom(function(scores, query) {
    list(gradient = scores - k * (query$relevance - 1)^2, hessian = rep(1, length(scores)))
  })
}

test_that("a directory keeps the results of different closures apart", {
  data <- simulate_ranking(40, documents = 8, features = 6, seed = 1)$data
  folds <- query_folds(data, 3, seed = 1)
  folder <- withr::local_tempdir()
  bench <- function(k, directory = NULL) {
    rankers <- list(metric = best_feature(), objective = gbrt(trees = 3, objective = target_of(k)),
                    own = function(data) data$x[, k])
    benchmark_rankers(rankers, folds, gain_of(k), data = data, directory = directory, seed = 1, threads = 1,
                      verbose = FALSE)$results
  }
  expect_identical(bench(1, folder), bench(1))
  expect_identical(bench(4, folder), bench(4))
  curve <- function(k, directory = NULL) {
    learning_curve(list(tree = gbrt(trees = 3)), list(train = data[1:25], test = data[26:40]), fractions = 1,
                   metric = gain_of(k), directory = directory, seed = 1, threads = 1, verbose = FALSE)$results
  }
  folder <- withr::local_tempdir()
  expect_identical(curve(1, folder), curve(1))
  expect_identical(curve(4, folder), curve(4))
  tune <- function(k, directory = NULL) {
    tune_ranker(gbrt(trees = 3), data[1:25], data[26:40], space = list(num_leaves = c(2, 4)), metric = gain_of(k),
                budget = 2, directory = directory, seed = 1, threads = 1, verbose = FALSE)$candidates$value
  }
  folder <- withr::local_tempdir()
  expect_identical(tune(1, folder), tune(1))
  expect_identical(tune(4, folder), tune(4))
  mixed <- function(k, checkpoint = NULL) {
    members <- list(best_feature(), gbrt(trees = 3, objective = target_of(k)))
    mixture <- tune_and_mix(data[1:25], data[26:40], members, metric = gain_of(k), checkpoint = checkpoint,
                            seed = 1, threads = 1, verbose = FALSE)
    predict(mixture, data, threads = 1)
  }
  folder <- withr::local_tempdir()
  expect_identical(mixed(1, folder), mixed(1))
  expect_identical(mixed(4, folder), mixed(4))
})

test_that("a checkpoint and `==` compare closures by the values they use", {
  data <- simulate_ranking(20, documents = 8, features = 6, seed = 1)$data
  file <- withr::local_tempfile()
  train <- function(k, checkpoint) {
    unrelated <- stats::runif(1)
    fit(gbrt(trees = 3, objective = target_of(k)), data, checkpoint = checkpoint, seed = 1, threads = 1,
        verbose = FALSE)
  }
  first <- train(1, file)
  expect_identical(predict(train(1, file), data), predict(first, data))
  expect_error(train(4, file), class = "rankmix_error_checkpoint")
  expect_true(gbrt(objective = target_of(1)) == gbrt(objective = target_of(1L)))
  expect_false(gbrt(objective = target_of(1)) == gbrt(objective = target_of(4)))
})

test_that("provenance shows captured values", {
  settings <- function(k) hash_of_settings(gbrt(objective = target_of(k)))
  expect_identical(settings(1), settings(1))
  expect_false(settings(1) == settings(4))
  # The hash of settings without functions depends on their text alone.
  spec <- gbrt(trees = 3)
  expect_identical(hash_of_settings(spec), hash_of_values(list(fact_text(Filter(Negate(is.null), unclass(spec))))))
})

# Provenance of models, and a test whether the same data give the same model again.

#' Provenance of a model
#'
#' Shows from which data and settings a model was trained. Two models with the same provenance are identical, bit
#' for bit. [verify()] checks a model against its data.
#'
#' @param model A model of [gbrt()], [lambdamart()], [yetirank()], [rankboost()] or [adaboost_mh()].
#' @return A list of class `rankmix_provenance`. `specification` is the text of the specification, and `settings`
#'   a hash of all settings. `seed` and `rounds` are numbers. `data` is the hash of the binned features, the
#'   relevance and the weights of the training documents. `model` is a hash of the trees.
#'
#'   Hashes do not depend on the order of rows, the number of threads or the number of processes. The number of
#'   processes is not part of the provenance, because the model does not depend on it.
#' @section Conditions: `rankmix_error_class`: the model has no rounds that can be checked.
#' @seealso [verify()], [check_bits()]
#' @examples
#' data <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' model <- fit(lambdamart(trees = 10), data, seed = 1, verbose = FALSE)
#' provenance(model)
#' @export
provenance <- function(model) {
  check_all_given()
  check_verifiable(model)
  structure(list(specification = format(model$spec), settings = hash_of_settings(model$spec), seed = model$seed,
                 rounds = rounds_used(model), data = model$digest, model = hash_of_trees(model)),
            class = "rankmix_provenance")
}

#' @export
print.rankmix_provenance <- function(x, ...) {
  say("<provenance>")
  say(paste("Specification:", x$specification))
  say(sprintf("Seed %s, %s", if (is.null(x$seed)) "none" else plain_number(x$seed), counted(x$rounds, "round")))
  say(paste("Settings:", x$settings))
  say(paste("Data:    ", x$data))
  say(paste("Model:   ", x$model))
  invisible(x)
}

#' Verify a model against its training data
#'
#' Trains some rounds of a model again and compares them, bit for bit. Use it to check a model that somebody
#' else trained, perhaps on several machines, or before and after an update of the system.
#'
#' @param model A model of [gbrt()], [lambdamart()], [yetirank()], [rankboost()] or [adaboost_mh()].
#' @param data The training data of the model, in any order of rows.
#' @param rounds The rounds to train again, as numbers from 1 on. The default `NULL` checks the first, the middle and
#'   the last round. To train round r again, the values of the rounds before r are computed again, too.
#' @param threads Number of threads. Results do not depend on it.
#' @param cluster The communicator of several processes, as in [fit()]. `data` then has this process's part of the
#'   queries.
#' @param ... Must be empty.
#' @return A data frame of class `rankmix_verification` with a row for each round: `round`, and `same`, whether
#'   the round has the same tree and the same values. The attribute `verified` is `TRUE` if all rounds are the same.
#'   The attribute `same_data` is `FALSE` if `data` are not the training data. Then no round is the same.
#' @section Conditions: `rankmix_error_class`: the model has no rounds that can be checked.
#'   `rankmix_error_argument`: `rounds` are not rounds of the model.
#' @seealso [provenance()], [check_bits()]
#' @examples
#' data <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' model <- fit(lambdamart(trees = 10), data, seed = 1, verbose = FALSE)
#' verify(model, data)
#' @export
verify <- function(model, data, rounds = NULL, threads = NULL, cluster = NULL, ...) {
  check_no_others(...)
  check_given(missing(model), "model")
  check_given(missing(data), "data", what_to_give$train)
  check_verifiable(model)
  count <- rounds_used(model)
  if (is.null(rounds)) rounds <- unique(c(1L, (count + 1L) %/% 2L, count))
  if (!is_plain_number(rounds) || length(rounds) == 0L || anyNA(rounds) || any(rounds < 1 | rounds > count) ||
        any(rounds != floor(rounds))) {
    stop_input("argument", sprintf("`rounds` must be whole numbers from 1 to %d, not %s.", count, show_value(rounds)))
  }
  rounds <- as.integer(rounds)
  spec <- model$spec
  spec[[entry_of(spec)$rounds]] <- 1
  first <- fit(spec, data, seed = model$seed, threads = threads, verbose = FALSE, cluster = cluster)
  same_data <- identical(first$digest, model$digest)
  same <- vapply(rounds, function(round) {
    same_data && is_same_round(if (round == 1L) first else trained_again(model, data, round, threads, cluster),
                               model, round)
  }, NA)
  structure(data.frame(round = rounds, same = same), class = c("rankmix_verification", "data.frame"),
            verified = all(same), same_data = same_data)
}

# The model of the first rounds. Its last round is trained again, the rounds before it are kept. NULL if the earlier
# rounds have other values
# on these data.
trained_again <- function(model, data, round, threads, cluster) {
  tryCatch(fit(up_to_round(model, round - 1L), data, rounds = round, threads = threads, verbose = FALSE,
               cluster = cluster),
           rankmix_error_newdata = function(e) NULL)
}

is_same_round <- function(again, model, round) {
  !is.null(again) && identical(hash_of_trees(again), hash_of_trees(up_to_round(model, round)))
}

up_to_round <- function(model, round) {
  if (round < rounds_used(model)) first_rounds(model, as.integer(round)) else model
}

#' @export
print.rankmix_verification <- function(x, ...) {
  say(sprintf("<verification> %s %s", if (nrow(x) == 1L) "round" else "rounds", paste(x$round, collapse = ", ")))
  say(if (attr(x, "verified")) {
    "Trained again, all are the same, bit for bit."
  } else if (!attr(x, "same_data")) {
    "The data are not the training data of the model: features, grades or weights differ."
  } else {
    sprintf("Different rounds: %s.", paste(x$round[!x$same], collapse = ", "))
  })
  invisible(x)
}

check_verifiable <- function(model, call = rlang::caller_env()) {
  contained <- remedy_of_result(model)
  if (!is.null(contained)) {
    stop_input("class", sprintf("`model` must be a model, not %s.", show_value(model)), remedy = contained,
               call = call)
  }
  if (inherits(model, "rankmix_ranker") && !is.null(.subset2(model, "renewed"))) {
    stop_input("class", "`model` was renewed on other data, so its rounds cannot be trained again.",
               remedy = "Give the model before `renew()`.", call = call)
  }
  if (!inherits(model, "rankmix_ranker") || is.null(.subset2(model, "digest")) ||
        is.null(.subset2(model, "forest"))) {
    stop_input("class", "`model` has no rounds that can be trained again.",
               remedy = "Give a model of `gbrt()`, `lambdamart()`, `yetirank()`, `rankboost()` or `adaboost_mh()`.",
               call = call)
  }
}

# Settings that are NULL are left out, so that a setting that later versions add does not change the hash. The values
# that a closure has captured are settings, too.
hash_of_settings <- function(spec) {
  hash_of_values(list(fact_text(with_identities(Filter(Negate(is.null), unclass(spec))))))
}

# The trees and their weights.
hash_of_trees <- function(model) {
  forest <- unclass(model)$forest
  hash_of_values(c(forest[order(names(forest))], list(model$start, round_weights(model))))
}

# The XXH128 hash of numbers and texts by their bytes, in the order of bytes of most processors. rlang::hash()
# would depend on R's serialization.
hash_of_values <- function(values) {
  bytes <- lapply(values, function(value) {
    if (is.character(value)) charToRaw(enc2utf8(paste(value, collapse = "\n"))) else {
      if (is.list(value)) value <- unlist(value)
      if (is.null(value)) raw() else writeBin(value, raw(), endian = "little")
    }
  })
  sizes <- writeBin(as.double(lengths(bytes)), raw(), endian = "little")
  file <- withr::local_tempfile()
  # The hash of a file that is cut off would be another one.
  write_temporary(file, function(path) write_bytes(c(sizes, unlist(bytes)), path))
  rlang::hash_file(file)
}

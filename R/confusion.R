# Uncertainty of grades: probabilities of the true grade, given the grade of an assessor.

#' Confusion of grades
#'
#' Three matrices with the probability of each true grade (column), given the grade of an assessor (row).
#' Grades go from 0 (bad) to 4 (perfect). Use them for `yetirank(confusion = )` and for simulations.
#'
#' @format A list of matrices, with rows and columns named by the grades:
#'   * `russian`: from 154,000 documents that were judged at least twice, by 100 assessors;
#'   * `ukrainian`: from 56,000 such documents, by 23 assessors;
#'   * `inferred`: from near-duplicates in track 2 of Yahoo!'s challenge.
#'
#'   Rows are as printed in the paper, with sums from .99 to 1.01. [yetirank()] scales them to sum 1.
#' @source Gulin, Kuralenok and Pavlov (2011), tables 1 and 2.
#' @examples
#' yeti_confusion$russian
#' @export
yeti_confusion <- lapply(
  list(russian = c(.75, .22, .02, 0, 0, .34, .54, .11, .01, 0, .07, .13, .73, .06, .01,
                   .04, .04, .52, .32, .08, .03, .02, .05, .08, .83),
       ukrainian = c(.88, .09, .02, 0, 0, .26, .65, .07, .01, 0, .05, .08, .78, .07, .01,
                     .03, .02, .24, .60, .10, .03, .02, .03, .05, .86),
       inferred = c(.869, .103, .02, .001, .007, .016, .878, .1, .005, .002,
                    .003, .098, .85, .046, .004, 0, .01, .094, .896, 0, 0, 0, .019, .016, .965)),
  function(p) matrix(p, 5L, byrow = TRUE, dimnames = list(judged = 0:4, true = 0:4))
)

# The largest rounding error of the row sums of printed matrices.
confusion_slack <- 0.02

check_confusion <- function(x, name, call) {
  refuse <- function(problem, details = NULL, remedy = NULL) {
    stop_input("confusion", sprintf("`%s` %s.", name, problem), details, remedy, call = call)
  }
  if (!is.matrix(x) || !is_plain_number(x) || nrow(x) != ncol(x) || nrow(x) < 2L) {
    refuse("must be a square matrix of numbers, with a row and a column for each grade",
           sprintf("It is %s.", show_value(x)))
  }
  if (anyNA(x) || any(x < 0)) {
    at <- which(is.na(x) | x < 0, arr.ind = TRUE)[1L, ]
    refuse("must hold probabilities",
           sprintf("In row %d, column %d it has %s.", at[1L], at[2L], format(x[at[1L], at[2L]])))
  }
  off <- abs(rowSums(x) - 1)
  if (all(off <= confusion_slack + 1e-9)) return(invisible())
  worst <- which.max(off)
  sums <- sprintf("Row %d sums to %s.", worst, number_text(sum(x[worst, ]), digits = 3))
  if (all(abs(colSums(x) - 1) <= confusion_slack + 1e-9)) {
    refuse("must have rows that sum to 1, but its columns do", sums,
           "Rows are the grades of assessors, columns the true grades: give `t(confusion)`.")
  }
  refuse("must have rows that sum to 1", sums,
         "Each row has the probabilities of the true grades, given the assessors' grade.")
}

# A plain matrix whose rows sum to 1.
as_confusion <- function(x) {
  p <- matrix(as.double(x), nrow(x), ncol(x))
  p / rowSums(p)
}

#' Infer the confusion of grades from near-duplicates
#'
#' Estimates how often assessors confuse grades, from near-duplicate documents with different grades. Use the
#' result for `yetirank(confusion = )`.
#'
#' @param data The ranking data, made by [ranking_data()] or [read_letor()].
#' @param epsilon The largest distance of two documents of a bucket: the Euclidean distance of the features,
#'   each
#'   divided by its standard deviation. With the default 0 the features must be equal.
#' @param method The method. `"em"` (the default): the maximum likelihood of a model in which each bucket has
#'   one unknown true grade. `"expected"`: the true grade is one of the grades in the bucket, with a
#'   probability
#'   equal to its frequency there. `"draw"`, the rule of the paper: one of the grades in the bucket is drawn at random.
#'   `"expected"` is the mean over these draws.
#' @param within Whether the documents of a bucket must belong to one query; default `TRUE`. `FALSE` needs
#'   `epsilon = 0`.
#' @param zeros Whether documents whose features are all 0 are used; default `FALSE`, because they need not be
#'   duplicates.
#' @param seed The random seed of `"draw"`, a whole number. With `NULL` R's generator draws one.
#' @param iterations Number of steps of `"em"`, at most; default 1000.
#' @param ... Must be empty.
#'
#' @details A bucket is a cluster of at least two documents, any two of which are at most `epsilon` apart
#'   (complete linkage). Let \eqn{n_b(v)}{n_b(v)} be the number of documents of grade v in bucket b, and
#'   \eqn{n_b}{n_b} the number of all its documents. `"expected"` gives
#'   \deqn{p(u | v) = \frac{\sum_b n_b(u) n_b(v) / n_b}{\sum_b n_b(v)}.}{
#'     p(u | v) = sum_b (n_b(u) n_b(v) / n_b) / sum_b n_b(v).}
#'   In small buckets, the diagonal of this matrix is too large, because the assigned grade itself is a candidate for
#'   the true grade. In large buckets, the matrix combines the errors of two assessors. `"em"` (Dawid and Skene 1979)
#'   has neither bias. `"em"` needs buckets of three or more documents, because two different grades do not show which
#'   of them is wrong. The start assumes that assessors are mostly right. A grade that occurs in no bucket counts as
#'   always right, with a warning.
#'
#'   Results are invariant to row order if no two distances are equal, except with `"draw"`.
#' @return A matrix of class `rankmix_confusion`, for `yetirank(confusion = )`. Rows are the grades of
#'   assessors and
#'   columns the true grades, from 0 to the highest grade of the data. The attribute `buckets` is the number
#'   of
#'   buckets, and `judged` has the number of documents of each grade in the buckets.
#' @section Conditions: `rankmix_error_confusion`: there is no bucket. `rankmix_warning_confusion`: a grade
#'   occurs in
#'   no bucket.
#' @references Gulin, Kuralenok and Pavlov (2011). Winning the transfer learning track of Yahoo!'s
#'   learning to rank challenge with YetiRank. JMLR Workshop and Conference Proceedings 14, 63-76.
#'
#'   Dawid and Skene (1979). Maximum likelihood estimation of observer error-rates using the EM
#'   algorithm. \doi{10.2307/2346806}
#' @examples
#' x <- matrix(rep(rnorm(300), each = 4), ncol = 1)
#' data <- ranking_data(x, rbinom(1200, 1, ifelse(x > 0, 0.9, 0.2)), rep(1:30, each = 40))
#' infer_confusion(data)
#' @export
infer_confusion <- function(data, epsilon = 0, method = "em", within = TRUE, zeros = FALSE,
                            seed = NULL, iterations = 1000, ...) {
  check_no_others(...)
  check_all_given()
  check_ranking_data(data)
  check_graded(data, "A confusion of grades")
  check_number(epsilon, "epsilon", 0, Inf)
  check_choice(method, "method", c("em", "expected", "draw"))
  check_flag(within, "within")
  check_flag(zeros, "zeros")
  check_count(iterations, "iterations")
  if (!within && epsilon > 0) {
    stop_input("argument", "`within = FALSE` needs `epsilon = 0`.",
               remedy = "Leave `epsilon` out, or `within`.")
  }
  counts <- bucket_grades(data, epsilon, within, zeros)
  if (nrow(counts) == 0L) {
    stop_input("confusion", "No two documents are near enough to estimate the confusion of grades.",
               sprintf("`epsilon` is %s.", format(epsilon)),
               "Give a larger `epsilon`, or your own matrix.")
  }
  p <- switch(method, em = em_confusion(counts, iterations),
              expected = crossprod(counts, counts / rowSums(counts)) / colSums(counts),
              draw = drawn_confusion(counts, check_seed(seed)))
  new_confusion(p, counts)
}

new_confusion <- function(p, counts) {
  lacking <- which(colSums(counts) == 0)
  p[lacking, ] <- diag(ncol(counts))[lacking, ]
  if (length(lacking) > 0L) {
    warn_input("confusion", "Grades without near-duplicates are assumed to be true.",
               sprintf("No bucket has a document of the grade %s.", enumerate(lacking - 1L)))
  }
  grades <- seq_len(ncol(counts)) - 1L
  structure(unclass(p / rowSums(p)), dimnames = list(judged = grades, true = grades),
            buckets = nrow(counts), judged = unname(colSums(counts)),
            class = c("rankmix_confusion", "matrix"))
}

# Number of documents of each grade in each bucket: buckets x grades.
bucket_grades <- function(data, epsilon, within, zeros) {
  x <- as.matrix(data$x)
  x[is.na(x)] <- 0
  kept <- which((zeros | rowSums(x != 0) > 0) & data$relevance >= 0)
  x <- x[kept, , drop = FALSE]
  grade <- data$relevance[kept]
  bucket <- equal_rows(x, if (within) data$query[kept] else rep(1L, length(kept)))
  if (epsilon > 0) {
    bucket <- near_rows(x, data$query[kept], epsilon)
  }
  counts <- table(factor(bucket), factor(grade, 0:max(data$relevance)))
  counts <- matrix(as.double(counts), nrow(counts))
  counts[rowSums(counts) > 1, , drop = FALSE]
}

# The bucket of each row: rows of one group that are equal share a bucket. Each step compares only rows that still have
# an equal row.
equal_rows <- function(x, group) {
  bucket <- match(group, unique(group))
  for (j in seq_len(ncol(x))) {
    open <- which(bucket %in% bucket[duplicated(bucket)])
    if (length(open) == 0L) break
    value <- match(x[open, j], unique(x[open, j]))
    key <- bucket[open] * (max(value) + 1) + value
    bucket[open] <- max(bucket) + match(key, unique(key))
  }
  bucket
}

near_rows <- function(x, query, epsilon) {
  spread <- apply(x, 2L, stats::sd)
  x <- sweep(x, 2L, ifelse(is.na(spread) | spread == 0, 1, spread), "/")
  bucket <- integer(nrow(x))
  for (q in unique(query)) {
    rows <- which(query == q)
    # Rows are sorted by content, so that the clusters are invariant to row order.
    rows <- rows[do.call(order, as.data.frame(x[rows, , drop = FALSE]))]
    own <- if (length(rows) < 2L) 1L else {
      stats::cutree(stats::hclust(stats::dist(x[rows, , drop = FALSE]), "complete"), h = epsilon)
    }
    bucket[rows] <- max(bucket) + own
  }
  bucket
}

drawn_confusion <- function(counts, seed) {
  grades <- seq_len(ncol(counts))
  truth <- with_seed(seed, apply(counts, 1L, function(n) sample.int(length(n), 1L, prob = n)))
  vapply(grades, function(u) colSums(counts[truth == u, , drop = FALSE]), numeric(length(grades))) /
    colSums(counts)
}

# `reported[u, v]`: the probability that an assessor gives grade v if grade u is true. EM starts from
# assessors that are mostly right, so that class u of the result means grade u.
em_confusion <- function(counts, iterations) {
  grades <- ncol(counts)
  fraction <- colSums(counts) / sum(counts)
  reported <- 0.7 * diag(grades) + 0.3 * matrix(fraction, grades, grades, byrow = TRUE)
  prior <- fraction
  for (i in seq_len(iterations)) {
    likely <- counts %*% t(log(pmax(reported, 1e-300))) +
      rep(log(pmax(prior, 1e-300)), each = nrow(counts))
    true <- exp(likely - apply(likely, 1L, max))
    true <- true / rowSums(true)
    before <- reported
    prior <- colMeans(true)
    sums <- crossprod(true, counts)
    some <- rowSums(sums) > 0
    reported[some, ] <- sums[some, , drop = FALSE] / rowSums(sums)[some]
    if (max(abs(reported - before)) < 1e-9) break
  }
  # Averages over documents, not over buckets, so a bucket counts by its number of documents.
  true_documents <- crossprod(true, counts)
  t(true_documents) / colSums(counts)
}

#' @export
print.rankmix_confusion <- function(x, ...) {
  say(sprintf("<confusion> %s in %s", counted(sum(attr(x, "judged")), "document"),
              counted(attr(x, "buckets"), "bucket")))
  say("Rows are the grades of assessors, columns the true grades.")
  with_points(print(round(matrix(x, nrow(x), dimnames = dimnames(x)), 3L)))
  invisible(x)
}

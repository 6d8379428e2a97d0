#' Do assessors agree about relevance?
#'
#' Computes the agreement of two or more assessors beyond chance. Use it before you train or evaluate on
#' judgements: metrics cannot be more reliable than the grades.
#'
#' @param x The grades, in one of these forms:
#'   * a data frame with columns `query`, `document`, `assessor` and `relevance`, one row for each grade.
#'     Without a column `query`, documents are the units. A unit is a document of a query;
#'   * a matrix with a row for each unit and a column for each assessor. `NA` is a missing grade.
#' @param how The measure: `"kappa"` (the default), `"weighted"` or `"alpha"`. `"kappa"` is Cohen's kappa for
#'   two assessors, and Fleiss' kappa for more. `"weighted"` is Cohen's weighted kappa of two assessors.
#'   `"alpha"` is Krippendorff's alpha, for any number of assessors and missing grades.
#' @param scale The scale of measurement of `"alpha"`: `"nominal"` (the default, all errors are equal),
#'   `"ordinal"`, `"interval"` or `"ratio"`. For graded relevance `"ordinal"` is usual: then 3 against 2 is a
#'   smaller error than 3 against 0.
#' @param weights The costs of `"weighted"`: `"quadratic"` (the default, the squared difference of the grades)
#'   or `"linear"`.
#' @param by The unit of the bootstrap: `"units"` (the default) or `"queries"`. Use `"queries"` if documents
#' of a query are alike. The interval is then wider, and covers the true value more often.
#' @param level The confidence level of the interval; default 0.95.
#' @param resamples Number of bootstrap samples, default 1000. More samples make the ends of the interval more precise.
#' @param seed The seed of the bootstrap; by default drawn from R's generator.
#'
#' @return A value of class `rankmix_assessor_agreement`. `tidy()` returns one row:
#'   * `measure`; `scale` of alpha, or `weights` of weighted kappa;
#'   * `estimate`: 1 is perfect agreement, and 0 is the agreement expected by chance. `NA` if it is undefined;
#'   * `lower`, `upper`: the interval;
#'   * `observed`, `expected`: the observed disagreement, and the disagreement expected by chance. The
#'     estimate is 1 - `observed` / `expected`;
#'   * `assessors`; `units`: number of units that count; `left_out`: number of units with too few grades.
#'
#'   The element `pairs` has the unweighted agreement of all pairs of assessors: number of shared `units`,
#'   fraction `agreement`, and Cohen's `kappa`. Use it to find an assessor who differs from all others.
#' @examples
#' grades <- cbind(ann = c(0, 1, 2, 2, 0, 1, 0, 2),
#'                 bob = c(0, 1, 1, 2, 0, 2, 0, 2),
#'                 eve = c(0, 1, 2, 2, 1, NA, 0, 1))
#' assessor_agreement(grades, "alpha", "ordinal", seed = 1)
#' assessor_agreement(grades[, 1:2], "weighted", seed = 1)
#' assessor_agreement(grades, "alpha", seed = 1)$pairs
#'
#' @details
#' **Alpha** is \eqn{1 - D_o / D_e}{1 - D_o / D_e}. Every unit with \eqn{m_u \ge 2}{m_u >= 2} grades adds its
#' pairs of grades, divided by \eqn{m_u - 1}{m_u - 1}, to the coincidences \eqn{o_{ck}}{o_ck}. With their row
#' sums \eqn{n_c}{n_c} and sum n:
#' \deqn{D_o = \frac 1n \sum_{ck} o_{ck} \delta_{ck}^2, \quad D_e = \frac 1{n (n - 1)} \sum_{ck} n_c n_k
#' \delta_{ck}^2.}{D_o = sum o_ck delta_ck^2 / n, D_e = sum n_c n_k delta_ck^2 / (n (n - 1)).}
#' \eqn{\delta_{ck}}{delta_ck} is 1 for different grades (nominal), the number of grades from c to k with half
#' of both ends (ordinal), \eqn{c - k}{c - k} (interval), or \eqn{(c - k) / (c + k)}{(c - k) / (c + k)}
#' (ratio).
#'
#' **Kappa** is \eqn{1 - D_o / D_e}{1 - D_o / D_e} too. \eqn{D_o}{D_o} is the mean cost of two grades of a
#' unit. For Cohen's kappa \eqn{D_e}{D_e} is the mean cost if both assessors graded independently, each with
#' the assessor's own fractions of grades. Fleiss' kappa uses the fractions of grades over all assessors. So
#' each unit may have other assessors.
#'
#' Weighted kappa and alpha use the values of numeric grades. The distance of 0 and 2 is 2, also if grade 1
#' does not occur. Levels of a factor count as 1, 2, 3 and so on.
#'
#' **Interval.** Units are drawn with replacement; the ends are percentiles. With few units, or rare
#' disagreements, the interval is too narrow (see `bench/agreement.md`).
#'
#' **Missing grades and undefined cases.** Cohen's kappa uses units with both grades, and alpha uses units
#' with two or more. `left_out` counts the others. Fleiss' kappa needs equally many grades for each unit. If
#' all grades are equal, the expected disagreement is 0, and the estimate is `NA`.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: one assessor; two grades of an assessor for a unit; missing columns or ids;
#'   weighted kappa of more than two assessors; `by = "queries"` without queries; text where `scale` needs
#'   numbers.
#' * `rankmix_error_values`: no unit with two grades; units with different numbers of grades (Fleiss);
#'   negative grades for `"ratio"`.
#' @section Cost: O(`resamples` x units): 3 s for 10,000 units.
#' @references Cohen (1960), \doi{10.1177/001316446002000104}. Cohen (1968), \doi{10.1037/h0026256}. Fleiss
#'   (1971), \doi{10.1037/h0031619}. Hayes and Krippendorff (2007), \doi{10.1080/19312450709336664}.
#' @seealso [order_agreement()] for the order of rankers by two assessors' judgements.
#' @export
assessor_agreement <- function(x, how = c("kappa", "weighted", "alpha"),
                               scale = c("nominal", "ordinal", "interval", "ratio"), weights = "quadratic",
                               by = "units", level = 0.95, resamples = 1000, seed = NULL) {
  check_given(missing(x), "x", "Give a matrix of units x assessors, or a data frame.")
  how <- check_first_choice(how, "how", c("kappa", "weighted", "alpha"))
  scale <- check_first_choice(scale, "scale", c("nominal", "ordinal", "interval", "ratio"))
  check_choice(weights, "weights", c("quadratic", "linear"))
  check_choice(by, "by", c("units", "queries"))
  check_confidence(level)
  check_count(resamples, "resamples", min = 100, max = 1e6)
  seed <- check_seed(seed)
  call <- rlang::current_env()
  given <- assessor_grades(x, call)
  if (by == "queries" && is.null(given$query)) {
    stop_input("argument", "`by = \"queries\"` needs a column `query`.",
               remedy = "Give a data frame with query, document, assessor and relevance.")
  }
  measure <- agreement_measure(given, how, scale, weights, call)
  found <- measure$of(rep(1, length(measure$units)))
  cluster <- if (by == "queries") given$query[measure$units] else measure$units
  ends <- bootstrap_agreement(measure$of, cluster, level, resamples, seed)
  values <- data.frame(measure = measure$name, scale = if (how == "alpha") scale else NA_character_,
                       weights = if (how == "weighted") weights else NA_character_,
                       estimate = found[["estimate"]], lower = ends[1L], upper = ends[2L],
                       observed = found[["observed"]], expected = found[["expected"]],
                       assessors = ncol(given$grades), units = length(measure$units),
                       left_out = nrow(given$grades) - length(measure$units))
  structure(list(values = values, pairs = assessor_pairs(given), by = by, level = level),
            class = "rankmix_assessor_agreement")
}

# `units` are the rows with enough grades. `of` is a function that receives weights of these rows and returns a result
# of chance_corrected().
agreement_measure <- function(given, how, scale, weights, call) {
  sizes <- rowSums(!is.na(given$grades))
  needed <- if (how != "kappa" || ncol(given$grades) == 2L) 2L else max(sizes)
  units <- which(sizes >= 2L)
  if (length(units) == 0L) {
    stop_input("values", "No unit has two grades.",
               remedy = "Agreement needs units that several assessors graded.",
               call = call)
  }
  if (how == "alpha") {
    positions <- ordered_values(given$values, scale, given$is_factor, call)
    counts <- grade_counts(given$grades[units, , drop = FALSE], length(positions))
    distance <- grade_distance(positions, scale)
    return(list(name = "Krippendorff's alpha", units = units, of = krippendorff_alpha(counts, distance)))
  }
  if (ncol(given$grades) == 2L) {
    return(cohen_measure(given, units, if (how == "weighted") weights else "none", call))
  }
  if (how == "weighted") {
    stop_input("argument", "Weighted kappa needs exactly two assessors.",
               sprintf("There are %d.", ncol(given$grades)),
               "Use `how = \"alpha\", scale = \"ordinal\"`, or two of the assessors.", call = call)
  }
  odd <- which(sizes != needed)
  if (length(odd) > 0L) {
    stop_input("values", "Fleiss' kappa needs equally many grades of each unit.",
               sprintf("Unit %d has %d grades, and others have %d.", odd[1L], sizes[odd[1L]], needed),
               "Use `how = \"alpha\"`, which allows missing grades.", call = call)
  }
  counts <- grade_counts(given$grades, length(given$values))
  list(name = "Fleiss' kappa", units = units, of = function(weight) fleiss_kappa(counts, weight))
}

cohen_measure <- function(given, units, weights, call) {
  positions <- if (weights == "none") seq_along(given$values) else {
    ordered_values(given$values, "ordinal", given$is_factor, call)
  }
  costs <- kappa_costs(positions, weights)
  first <- given$grades[units, 1L]
  second <- given$grades[units, 2L]
  list(name = if (weights == "none") "Cohen's kappa" else "Cohen's weighted kappa", units = units,
       of = function(weight) cohen_kappa(first, second, weight, costs))
}

# How many assessors gave each grade to each unit.
grade_counts <- function(grades, count) {
  counts <- vapply(seq_len(count), function(grade) rowSums(grades == grade, na.rm = TRUE),
                   numeric(nrow(grades)))
  matrix(counts, nrow(grades), count)
}

# Percentiles over samples of the clusters (units or queries). In a sample without expected disagreement, the measure
# is undefined, so the sample does not count.
bootstrap_agreement <- function(of, cluster, level, resamples, seed) {
  at <- match(cluster, unique(cluster))
  count <- max(at)
  if (count < 2L) {
    return(c(NA_real_, NA_real_))
  }
  values <- with_seed(seed, unlist(lapply(resample_chunks(resamples, count), function(chunk) {
    drawn <- bootstrap_counts(length(chunk), count)
    vapply(seq_along(chunk), function(i) of(drawn[i, at])[["estimate"]], 0)
  })))
  percentile_ends(values, level)
}

# Cohen's kappa of each pair of assessors.
assessor_pairs <- function(given) {
  pairs <- utils::combn(colnames(given$grades), 2L)
  costs <- kappa_costs(seq_along(given$values), "none")
  rows <- lapply(seq_len(ncol(pairs)), function(i) {
    grades <- given$grades[, pairs[, i], drop = FALSE]
    grades <- grades[rowSums(is.na(grades)) == 0L, , drop = FALSE]
    kappa <- if (nrow(grades) == 0L) NA_real_ else {
      cohen_kappa(grades[, 1L], grades[, 2L], rep(1, nrow(grades)), costs)[["estimate"]]
    }
    data.frame(a = pairs[1L, i], b = pairs[2L, i], units = nrow(grades),
               agreement = if (nrow(grades) == 0L) NA_real_ else mean(grades[, 1L] == grades[, 2L]),
               kappa = kappa)
  })
  do.call(rbind, rows)
}

#' @export
tidy.rankmix_assessor_agreement <- function(x, ...) {
  check_no_others(...)
  x$values
}

#' @export
print.rankmix_assessor_agreement <- function(x, ...) {
  own <- x$values
  kind <- c(own$scale, own$weights)
  title <- paste(c(own$measure, kind[!is.na(kind)]), collapse = ", ")
  say(sprintf("<rankmix_assessor_agreement> %s, %s", counted(own$assessors, "assessor"),
              counted(own$units, "unit")))
  say(sprintf("%s: %s%s", title, if (is.na(own$estimate)) "undefined" else {
    sprintf("%.3f", own$estimate)
  }, if (is.na(own$lower)) "" else sprintf(" [%.3f, %.3f]", own$lower, own$upper)))
  if (own$left_out > 0L) {
    say(sprintf("left out: %s with fewer than two grades", counted(own$left_out, "unit")))
  }
  if (nrow(x$pairs) > 1L) {
    shown <- utils::head(x$pairs[order(x$pairs$kappa), ], max_printed_pairs)
    say("pairs, the lowest kappa first:")
    width <- max(getOption("width") - 46L, 20L)
    say(sprintf("  %s  kappa %s  agreement %s  %s", format(shorten_pairs(shown$a, shown$b, width, " and ")),
                format_or_none(shown$kappa), format_or_none(shown$agreement),
                vapply(shown$units, counted, "", one = "unit")))
    more <- nrow(x$pairs) - nrow(shown)
    if (more > 0L) say(sprintf("  ... and %d more, see `$pairs`", more))
  }
  say(if (is.na(own$estimate)) "All grades are equal, so the expected disagreement is 0." else {
    sprintf("[ ]: %s %% bootstrap interval over %s; 0 is the agreement by chance",
            plain_number(100 * x$level), x$by)
  })
  invisible(x)
}

format_or_none <- function(x) ifelse(is.na(x), "  -  ", sprintf("%.3f", x))

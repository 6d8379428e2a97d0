#' Plot the reliability of a calibrated classifier
#'
#' Draws a reliability diagram and, for [calibrator_cpc()], the sigmoid. For calibrators with
#' probabilities the diagram shows, for each grade, its observed frequency against its predicted
#' probability. For regressions it shows the mean gain against the score. Documents are in ten groups
#' of about equal size by prediction. Correct predictions lie on the diagonal. The sigmoid is drawn over the
#' range of the discriminants.
#'
#' @param object The calibrated classifier, made by [calibrate()].
#' @param data The judged data to plot, such as a test set. The default is the calibration data, on which
#' the errors look too small.
#' @param discriminants The discriminants of `data`, if `object` was made from a matrix.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Not used.
#' @return A ggplot object.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' model <- fit(adaboost_mh(base_tree(4), rounds = 20), train, threads = 1)
#' ggplot2::autoplot(calibrate(model, valid, calibrator_cpc(), threads = 1))
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_calibrated <- function(object, data = NULL, discriminants = NULL,
                                        threads = NULL, ...) {
  rlang::check_installed("ggplot2", "to plot a calibrated classifier")
  rows <- object$reliability
  where <- "the calibration data"
  if (!is.null(data)) {
    check_ranking_data(data)
    rows <- reliability_on(object, data, discriminants, check_threads(threads))
    where <- "the given data"
  }
  probabilities <- rows$what[1L] == "probability"
  panels <- c(if (probabilities) "Reliability" else "Mean gain against score", "Sigmoid")
  rows$panel <- factor(panels[1L], panels)
  limits <- range(rows$predicted, rows$observed)
  diagonal <- data.frame(panel = rows$panel[1L], from = limits[1L], to = limits[2L])
  plot <- ggplot2::ggplot(rows, ggplot2::aes(x = .data$predicted, y = .data$observed)) +
    ggplot2::geom_segment(data = diagonal, colour = "grey60", linetype = "dashed",
                          ggplot2::aes(x = .data$from, y = .data$from, xend = .data$to,
                                       yend = .data$to)) +
    ggplot2::labs(
      title = wrapped(sprintf("%s on %s", format(object$fitted$method), where)),
      subtitle = wrapped(if (probabilities) {
        "Observed fraction of documents with a grade, against its predicted probability"
      } else {
        "Mean gain of documents against their scores"
      }),
      x = NULL, y = NULL, colour = "Grade", shape = "Grade",
      caption = "Ten groups of documents by prediction. Dashed: as predicted."
    ) +
    plot_theme()
  if (!probabilities) {
    return(plot + ggplot2::geom_line(colour = "grey70") + ggplot2::geom_point(size = 2) +
             ggplot2::labs(x = "Score", y = "Mean gain"))
  }
  rows$grade <- factor(rows$grade)
  plot <- plot +
    ggplot2::geom_line(data = rows, ggplot2::aes(colour = .data$grade)) +
    ggplot2::geom_point(data = rows, size = 2,
                        ggplot2::aes(colour = .data$grade, shape = .data$grade)) +
    ggplot2::scale_shape_manual(values = ranker_shapes(nlevels(rows$grade))) +
    if (nlevels(rows$grade) <= 8L) {
      ggplot2::scale_colour_brewer(palette = "Dark2")
    } else {
      ggplot2::scale_colour_viridis_d()
    }
  if (is.null(object$fitted$a)) {
    return(plot + ggplot2::labs(x = "Probability", y = "Fraction"))
  }
  f <- seq(object$discriminants[1L], object$discriminants[2L], length.out = 201L)
  curve <- data.frame(panel = factor(panels[2L], panels), f = f,
                      s = stats::plogis(object$fitted$a * (f - object$fitted$b)))
  plot + ggplot2::geom_line(data = curve, ggplot2::aes(x = .data$f, y = .data$s)) +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), scales = "free",
                        strip.position = "bottom", labeller = ggplot2::as_labeller(c(
                          Reliability = "Probability", Sigmoid = "Discriminant f"
                        ))) +
    ggplot2::labs(y = "Fraction, or s(f)") +
    ggplot2::theme(strip.placement = "outside")
}

reliability_on <- function(object, data, discriminants, threads) {
  f <- if (is.null(object$classifier)) {
    check_discriminants(discriminants, object$classes)
  } else {
    predict(object$classifier, data, type = "raw", rounds = object$rounds,
            threads = threads)
  }
  if (nrow(f) != nrow(data)) {
    stop_input("discriminants", "The discriminants must have a row for each row of `data`.")
  }
  calibration_reliability(object$fitted, unname(f), held_out(data, threads), threads)
}

# Predictions and observations in ten groups of documents, for each grade if
# the calibrator has probabilities.
calibration_reliability <- function(fitted, f, held, threads) {
  probabilities <- tryCatch(calibrated_probabilities(fitted, f, threads),
                            rankmix_error_argument = function(e) NULL)
  if (is.null(probabilities)) {
    rows <- in_groups(calibrated_scores(fitted, f, threads),
                      regression_gains(fitted$method, held), held$weight)
    return(cbind(what = "gain", grade = NA_integer_, rows))
  }
  rows <- lapply(seq_len(ncol(probabilities)) - 1L, function(grade) {
    cbind(what = "probability", grade = grade,
          in_groups(probabilities[, grade + 1L], as.numeric(held$relevance == grade), held$weight))
  })
  do.call(rbind, rows)
}

# The number of the group of each document, by quantiles. Equal predictions stay together.
equal_groups <- function(predicted, groups) {
  cuts <- unique(stats::quantile(predicted, seq_len(groups - 1L) / groups, names = FALSE))
  findInterval(predicted, cuts, left.open = TRUE)
}

# Weighted means of groups of documents. `weight` is empty without weights.
in_groups <- function(predicted, observed, weight, groups = 10L) {
  if (length(weight) == 0L) weight <- rep(1, length(predicted))
  used <- weight > 0
  group <- equal_groups(predicted[used], groups)
  total <- rowsum(weight[used], group)
  mean_of <- function(x) as.vector(rowsum((weight * x)[used], group) / total)
  data.frame(predicted = mean_of(predicted), observed = mean_of(observed),
             documents = as.vector(table(group)))
}

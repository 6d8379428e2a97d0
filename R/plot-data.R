#' Plot list lengths and grades
#'
#' Draws two panels: the number of queries by number of documents, and the number of documents by grade. A
#' relevance that is not graded is shown as a histogram.
#'
#' @param object,x The ranking data, made by [ranking_data()] or [read_letor()].
#' @param ... Must be empty.
#' @return `autoplot()` returns a ggplot object. `plot()` draws it and returns it invisibly.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' data <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' plot(data)
#' @exportS3Method ggplot2::autoplot
autoplot.ranking_data <- function(object, ...) {
  check_judged(object, "object")
  rlang::check_installed("ggplot2", "to plot ranking data")
  panels <- c("Queries by number of documents",
              if (is_graded(object)) "Documents by grade" else "Documents by relevance")
  rows <- data_plot_rows(object, panels)
  sizes <- diff(object$offsets)
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$x, y = .data$count)) +
    ggplot2::geom_rect(
      ggplot2::aes(xmin = .data$x - .data$width / 2, xmax = .data$x + .data$width / 2,
                   ymin = 0, ymax = .data$count, fill = .data$panel),
      show.legend = FALSE
    ) +
    ggplot2::geom_text(
      data = rows[rows$panel == panels[2L], ],
      ggplot2::aes(label = .data$label), vjust = -0.4, size = 3.2
    ) +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), scales = "free",
                        labeller = ggplot2::label_wrap_gen(22)) +
    ggplot2::scale_fill_manual(values = ranker_colours(2L)) +
    ggplot2::scale_x_continuous(breaks = whole_breaks) +
    ggplot2::scale_y_continuous(labels = format_count,
                                expand = ggplot2::expansion(mult = c(0, 0.1))) +
    ggplot2::labs(
      title = sprintf("%s, %s", counted(length(sizes), "query", "queries"),
                      counted(sum(sizes), "document")),
      subtitle = sprintf("%s to %s documents per query, median %s", min(sizes),
                         max(sizes), format(stats::median(sizes))),
      x = NULL, y = NULL
    ) +
    plot_theme() +
    ggplot2::theme(panel.grid.major.x = ggplot2::element_blank())
}

#' @rdname autoplot.ranking_data
#' @export
plot.ranking_data <- function(x, ...) {
  check_no_others(...)
  check_judged(x, "x")
  rlang::check_installed("ggplot2", "to plot ranking data")
  picture <- autoplot.ranking_data(x)
  print(picture)
  invisible(picture)
}

# The bars of both panels. Each length has a bar; many lengths are grouped into equal intervals.
data_plot_rows <- function(data, panels) {
  sizes <- diff(data$offsets)
  step <- max(1, ceiling((max(sizes) - min(sizes) + 1) / 40))
  bar <- (sizes - min(sizes)) %/% step
  bars <- tabulate(bar + 1L)
  grades <- if (is_graded(data)) tabulate(data$relevance + 1L)
  row <- function(panel, x, count, width, label) {
    data.frame(panel = factor(panel, panels), x = x, count = count, width = width,
               label = label)
  }
  rbind(
    row(panels[1L], min(sizes) + (seq_along(bars) - 1) * step + (step - 1) / 2, bars,
        0.9 * step, ""),
    if (is.null(grades)) {
      breaks <- pretty(data$relevance, 20L)
      last <- length(breaks)
      row(panels[2L], (breaks[-1L] + breaks[-last]) / 2,
          tabulate(findInterval(data$relevance, breaks, rightmost.closed = TRUE), last - 1L),
          0.9 * diff(breaks), "")
    } else {
      row(panels[2L], seq_along(grades) - 1, grades, 0.7,
          paste(number_text(100 * grades / sum(grades), digits = 2, trim = TRUE), "%"))
    }
  )
}

whole_breaks <- function(limits) {
  breaks <- pretty(limits)
  breaks[breaks == round(breaks) & breaks >= limits[1L] & breaks <= limits[2L]]
}

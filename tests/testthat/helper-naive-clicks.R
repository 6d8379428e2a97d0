# Reference implementations of click models: plain loops over the rows of a log as a data frame, slow and
# obvious. `prior` is two pseudo-counts.

# The likelihood of a session by enumeration of where the user stops. `a`, `s`: attraction and satisfaction of
# the rows. `after`: the probabilities of continuing after a click at each row. `skip`: after no click.
naive_chain_likelihood <- function(clicks, a, after, skip) {
  k <- length(clicks)
  total <- 0
  # The user examines the rows 1 to `stop` and no further.
  for (stop in seq_len(k)) {
    p <- 1
    for (i in seq_len(k)) {
      if (i > stop) {
        p <- p * (clicks[i] == 0)
      } else {
        p <- p * if (clicks[i] == 1) a[i] else 1 - a[i]
        on <- if (clicks[i] == 1) after[i] else skip
        if (i < k) p <- p * if (i < stop) on else 1 - on
      }
    }
    total <- total + p
  }
  total
}

naive_contexts <- function(rows, model) {
  if (model == "pbm") {
    return(rows$position)
  }
  previous <- integer(nrow(rows))
  for (i in seq_len(nrow(rows))) {
    above <- rows$session == rows$session[i] & rows$position < rows$position[i] & rows$click == 1
    previous[i] <- max(0L, rows$position[above])
  }
  rows$position * (rows$position - 1) / 2 + previous + 1
}

# Maximises the penalised likelihood of "pbm" and "ubm" by alternating updates of all pairs and of all contexts.
naive_factors <- function(rows, model, prior = c(1, 1), sweeps = 3000) {
  pair <- match(paste(rows$query, rows$document), unique(paste(rows$query, rows$document)))
  context <- naive_contexts(rows, model)
  a <- rep(0.5, max(pair))
  g <- rep(0.5, max(context))
  g[1] <- 1
  last <- NULL
  for (sweep in seq_len(sweeps)) {
    attractive <- ifelse(rows$click == 1, 1, a[pair] * (1 - g[context]) / (1 - a[pair] * g[context]))
    a <- (as.vector(rowsum(attractive, pair)) + prior[1]) / (tabulate(pair) + sum(prior))
    examined <- ifelse(rows$click == 1, 1, g[context] * (1 - a[pair]) / (1 - a[pair] * g[context]))
    sums <- rowsum(examined, context)
    used <- as.integer(rownames(sums))
    g[used] <- (as.vector(sums) + prior[1]) / (tabulate(context)[used] + sum(prior))
    g[1] <- 1
    if (identical(list(a, g), last)) break
    last <- list(a, g)
  }
  p <- a[pair] * g[context]
  list(attraction = a, position = g, pair = pair, context = context,
       log_likelihood = sum(log(ifelse(rows$click == 1, p, 1 - p))))
}

# The penalised log-likelihood of "dcm" and "dbn" at given parameters, by enumeration.
naive_chain_objective <- function(rows, model, a, s, position, prior = c(1, 1), penalty = TRUE) {
  pair <- match(paste(rows$query, rows$document), unique(paste(rows$query, rows$document)))
  sum_log <- 0
  for (session in unique(rows$session)) {
    at <- which(rows$session == session)
    after <- if (model == "dcm") position[seq_along(at)] else position * (1 - s[pair[at]])
    skip <- if (model == "dcm") 1 else position
    sum_log <- sum_log + log(naive_chain_likelihood(rows$click[at], a[pair[at]], after, skip))
  }
  probabilities <- c(a, if (model == "dbn") s, position)
  sum_log + if (penalty) sum(prior[1] * log(probabilities) + prior[2] * log(1 - probabilities)) else 0
}

# Simulated data of the shape of MSLR-WEB30K: 136 features of documents of a web search engine.
#
# Problem: the time of training depends on zeros, ties and tails of the features, and data of simulate_web() have
#   other zeros, ties and tails than real data.
# Algorithm: queries have one to six terms. A term is in the text of a stream or not. If it is, it has a frequency
#   there. The 125 features of text are the usual formulas of frequencies, lengths and IDF. So features of a text are
#   zero together, and sums, means, minima and maxima agree. Features of pages are quantile functions of correlated
#   normal variables.
# Input: rounded estimates from a sample of MSLR-WEB10K. bench/mslr-shape.R compares the result with this sample.
# Reference: Qin and Liu, Introducing LETOR 4.0 datasets, 2013; the list of features is on the page of MSLR-WEB.
# Cost: about 60 random numbers per document, and less than twice the memory of the matrix.

mslr_streams <- c("body", "anchor", "title", "url", "whole")

# Each row: the fraction of zeros; quantiles of the other values at mslr_levels; the weights of four latent variables
# of a document (its topic, the depth of its address, its authority and its site); and, if positive, digits after the
# point.
mslr_levels <- c(1e-5, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.99999)
mslr_quantiles <- list(
  body      = c(0.022, 1, 28, 90, 220, 440, 850, 1700, 2500, 4400, 5200, 9000, 0, 0.1, 0.1, 0.1, 0),
  anchor    = c(0.73, 1, 1, 1, 1.6, 2.6, 6, 10, 15, 32, 90, 500, 0.1, 0, 0.45, 0, 0),
  title     = c(0.038, 1, 1.4, 2, 4, 6, 9, 13, 16, 32, 120, 4000, 0, 0, 0.1, 0.1, 0),
  url       = c(0, 3, 4, 4, 5, 7, 9, 11, 13, 17, 24, 36, 0, 0.9, 0, 0, 0),
  slashes   = c(0, 1, 1, 1, 1.6, 2.2, 3.1, 4.3, 5, 7, 10, 13, 0, 0.7, 0, 0.4, 0),
  address   = c(0, 7, 17, 20, 28, 38, 51, 65, 75, 104, 140, 240, 0, 0.9, 0, 0, 0),
  inlinks   = c(0.34, 1, 1, 2, 5, 25, 220, 2700, 19000, 1e6, 5.4e7, 1.6e8, 0.05, 0.15, 0.5, 0, 0),
  outlinks  = c(0.53, 1, 1, 1, 1.4, 3.3, 9, 20, 30, 50, 85, 130, 0.1, 0, 0.5, 0.2, 0),
  page_rank = c(0, 110, 153, 220, 1350, 9000, 36000, 59400, 64000, 65400, 65500, 65535, 0.1, -0.35, 0.5, 0.1, 0),
  site_rank = c(0, 1, 860, 2900, 13000, 35000, 53000, 60500, 65535, 65535, 65535, 65535, 0.1, 0.2, 0.1, 0.75, 0),
  quality_1 = c(0, 1, 1, 1, 2.1, 6, 17, 45, 76, 160, 245, 255, 0, 0, -0.1, -0.45, 0),
  quality_2 = c(0, 1, 1, 1.2, 3, 7, 21, 69, 120, 200, 240, 255, -0.05, 0, 0, -0.7, 0),
  click     = c(0.963, 1, 1, 1.2, 4, 17, 230, 980, 2400, 11400, 42000, 60000, 0.45, -0.2, 0.1, 0, 0),
  url_click = c(0.731, 1, 1, 1.2, 2, 6, 33, 200, 690, 7900, 560000, 600000, 0.1, -0.3, 0.3, 0, 0),
  dwell     = c(0, 0.1, 1.4, 2.6, 8.2, 23, 49, 91, 147, 272, 428, 470, 0, 0, 0, 0, 2)
)

# A term is in a stream if a normal variable is positive. `level` is its mean. The next columns are the weights of the
# topic, of the document, of the query, of the term in its query, and of IDF. `absent` is added if the body lacks the
# term: a title is part of the body. `short` lowers the mean for texts that have fewer than `enough` words.
# The logarithm of a frequency has the mean `mean`, and grows by `growth` times the logarithm of the length. Its
# standard deviations are `sd` in a document, `sd_document` between documents and `sd_term` between terms.
mslr_matches <- rbind(
  #          level topic document query term   idf absent short enough  mean growth   sd sd_document sd_term
  body   = c(2.65, 0.45,     1.85, 0.70, 0.4, -0.14,    0,  0.55,  100, -1.10,   0.5, 0.55,    0.40,    0.40),
  anchor = c(0.15, 0.40,     1.30, 0.60, 0.5,  0.05, -1.0,  0.70,    8, -0.30,   0.2, 0.60,    0.30,    0.10),
  title  = c( 1.0, 0.60,     0.90, 0.60, 0.7,  0.06, -Inf,  0.70,    6, -0.40,   0.1, 0.55,    0.30,    0.15),
  url    = c(-1.5, 0.35,     1.40, 0.90, 0.5,  0.26, -1.0,  0.00,    1, -0.50,   0.0, 0.45,    0.20,    0.10)
)
colnames(mslr_matches) <- c("level", "topic", "document", "query", "term", "idf", "absent", "short", "enough", "mean",
                            "growth", "sd", "sd_document", "sd_term")

# For each stream: its IDF as a linear function of the IDF of the body (intercept, coefficient, deviation), and the
# mean length in the formula of BM25. The last column is the fraction of queries without a language model.
mslr_collection <- rbind(
  body = c(0, 1, 0, 833, 0.01), anchor = c(5.3, 0.84, 0.6, 3.55, 0.03), title = c(4.0, 0.92, 0.8, 7.45, 0.03),
  url = c(5.0, 0.82, 0.9, 8.6, 0.022), whole = c(-0.01, 1, 0.02, 853, 0.01)
)
# The logarithm of the smoothed probability of a term that is not in the text, as a linear function of IDF (intercept,
# coefficient). For absolute discounting, Dirichlet and Jelinek-Mercer smoothing.
mslr_floors <- rbind(
  body = c(-10.6, 0.21, -10.3, 0.2, -11.9, 0.31), anchor = c(-11.7, 0.54, -12.6, 0.45, -13.3, 0.67),
  title = c(-12.5, 0.5, -12.2, 0.42, -14.2, 0.61), url = c(-13, 0.48, -13.2, 0.44, -15, 0.57),
  whole = c(-10.5, 0.21, -10.2, 0.2, -11.8, 0.31)
)

# Sizes of result lists whose sum is `documents`.
mslr_lists <- function(documents) {
  sizes <- pmax(15L, as.integer(exp(rnorm(documents %/% 60L + 2L, 4.6, 0.45))))
  complete <- sum(cumsum(sizes) <= documents)
  rest <- documents - sum(sizes[seq_len(complete)])
  if (complete == 0L) return(documents)
  sizes <- sizes[seq_len(complete)]
  if (rest >= 15L) return(c(sizes, rest))
  sizes[complete] <- sizes[complete] + rest
  sizes
}

# Number of terms, and matrices queries x terms: IDF of each stream, and how rare a term is in language models.
mslr_queries <- function(queries) {
  even <- function() sample((seq_len(queries) - 0.5) / queries)  # their distribution does not depend on chance
  count <- findInterval(even(), cumsum(c(0.22, 0.41, 0.245, 0.1, 0.017))) + 1L
  normal <- function() matrix(rnorm(queries * 6), queries)
  common <- matrix(runif(queries * 6), queries) < pmin(0.12 * (count - 1), 0.4)  # terms like "of"
  body <- exp(1.95 - 0.45 * log(count) + 0.45 * normal())
  body[common] <- runif(sum(common), -0.2, 1)
  idf <- lapply(mslr_streams, function(stream) {
    its <- mslr_collection[stream, ]
    round(pmin(its[[1L]] + its[[2L]] * body + its[[3L]] * normal(), log(1e8)), 6)  # one of 1e8 documents
  })
  list(count = count, idf = stats::setNames(idf, mslr_streams), rare = normal(), no_model = even())
}

# A column of the table mslr_quantiles. `at` replaces the normal variable of the documents.
mslr_column <- function(name, latent, at = NULL) {
  row <- mslr_quantiles[[name]]
  weights <- row[13:16]
  if (is.null(at)) {
    at <- sqrt(max(0, 1 - sum(weights^2))) * rnorm(length(latent[[1L]]))
    for (k in which(weights != 0)) at <- at + weights[k] * latent[[k]]
  }
  level <- (pnorm(at) - row[1L]) / (1 - row[1L])
  value <- numeric(length(at))
  positive <- which(level > 0)
  value[positive] <- exp(approx(qnorm(mslr_levels), log(row[2:12]), qnorm(level[positive]), rule = 2)$y)
  round(value, row[17L])
}

# Frequencies of each term in a stream, for the rows whose queries have the term. `body` has the frequencies in the
# body, if they are known.
mslr_frequencies <- function(stream, length, latent, query, rows, terms, body = NULL) {
  its <- as.list(mslr_matches[stream, ])
  queries <- length(terms$count)
  base <- its$level + its$topic * latent$topic + its$document * rnorm(length(length)) +
    (its$query * rnorm(queries))[query] + its$short * pmin(log(pmax(length, 0.1) / its$enough), 0)
  size <- its$mean + its$growth * log(pmax(length, 1)) + its$sd_document * rnorm(length(length))
  spread <- pmin(rexp(length(length)), 1.6)  # small where the terms are one phrase
  free <- if (stream == "url") length - 2 else length  # "www" and "com" are no terms
  found <- list()
  for (j in seq_along(rows)) {
    i <- rows[[j]]
    of <- query[i]
    idf <- terms$idf$body[, j]
    match <- its$term * rnorm(queries) + its$idf * (idf - 4)
    more <- its$sd_term * rnorm(queries) + 0.25 * pmax(2 - idf, 0)
    at <- base[i] + match[of] + rnorm(length(i))
    if (!is.null(body)) at <- at + ifelse(body[[j]] > 0, 0, its$absent)
    frequency <- round(exp(size[i] - 0.05 * (idf[of] - 4) + spread[i] * (more[of] + its$sd * rnorm(length(i)))))
    found[[j]] <- (at > 0) * pmin(pmax(frequency, 1), ceiling(0.4 * free[i]))
    free[i] <- free[i] - found[[j]]
  }
  found
}

# Sum, minimum, maximum, mean and variance over the terms of a query.
mslr_moments <- function(values, rows, count) {
  total <- squares <- numeric(length(count))
  low <- rep(Inf, length(count))
  high <- rep(-Inf, length(count))
  for (j in seq_along(rows)) {
    i <- rows[[j]]
    v <- values(j)
    total[i] <- total[i] + v
    squares[i] <- squares[i] + v^2
    low[i] <- pmin(low[i], v)
    high[i] <- pmax(high[i], v)
  }
  mean <- total / count
  list(total, low, high, mean, pmax(squares / count - mean^2, 0))
}

# Vector space model, BM25 and three language models.
mslr_models <- function(stream, frequencies, length, query, rows, terms) {
  idf <- terms$idf[[stream]]
  floors <- mslr_floors[stream, ]
  usual <- mslr_collection[stream, 4L]
  dot <- text <- bm25 <- absolute <- dirichlet <- mercer <- numeric(length(length))
  for (j in seq_along(rows)) {
    i <- rows[[j]]
    tf <- frequencies[[j]]
    weight <- idf[query[i], j]
    lengths <- pmax(length[i], 1)
    dot[i] <- dot[i] + tf * weight^2
    text[i] <- text[i] + (tf * weight)^2
    bm25[i] <- bm25[i] + weight * 3.5 * tf / (tf + 0.5 + 2 * length[i] / usual)
    missing <- function(k) {
      (pmin(floors[k] + floors[k + 1L] * idf[, j] + 2 * terms$rare[, j], -2))[query[i]]
    }
    smooth <- missing(3L)
    absolute[i] <- absolute[i] + ifelse(tf > 0, log(pmin((pmax(tf, 1) - 0.7) / lengths, 1)), missing(1L))
    dirichlet[i] <- dirichlet[i] + ifelse(tf > 0, log((tf + 500 * exp(smooth)) / (lengths + 2000)), smooth)
    mercer[i] <- mercer[i] + ifelse(tf > 0, log(0.9 * pmin(tf / lengths, 1)), missing(5L))
  }
  own <- rowSums(idf^2 * (col(idf) <= terms$count))
  model <- (terms$no_model >= mslr_collection[stream, 5L])[query]
  list(ifelse(text > 0, dot / sqrt(text * own[query]), 0), bm25, absolute * model, dirichlet * model, mercer * model)
}

# The 25 features of a stream, in the order of MSLR. Each of several functions returns a few columns, so that the 25
# columns are never in memory beside the matrix at once.
mslr_stream <- function(stream, frequencies, length, query, rows, terms) {
  count <- terms$count[query]
  idf <- terms$idf[[stream]]
  covered <- numeric(length(query))
  for (j in seq_along(rows)) covered[rows[[j]]] <- covered[rows[[j]]] + (frequencies[[j]] > 0)
  sums <- rowSums(idf * (col(idf) <= terms$count))
  moments <- function() mslr_moments(function(j) frequencies[[j]], rows, count)
  one <- pmax(length, 1)
  list(
    function() list(covered, covered / count, length, sums[query]),
    moments,
    function() Map(function(moment, power) moment / one^power, moments(), c(1, 1, 1, 1, 2)),
    function() mslr_moments(function(j) frequencies[[j]] * idf[query[rows[[j]]], j], rows, count),
    function() list(as.numeric(covered == count)),
    function() mslr_models(stream, frequencies, length, query, rows, terms)
  )
}

# Grades: text counts more in queries of few terms and on good sites, and clicks and quality add to it.
mslr_grades <- function(x, query, count, topic) {
  few <- count[query] < 3
  text <- 0.8 * tanh(x[, 110] / count[query] / 6 - 1.6) + 0.2 * x[, 8] + 0.1 * x[, 98]
  utility <- text * ifelse(few, 0.8, 0.6) + 0.35 * text * (x[, 131] > 35000) + 0.25 * (x[, 9] > 0.9) * few +
    0.13 * log1p(pmin(x[, 134], 1000)) + 0.03 * log1p(x[, 128]) - 0.1 * log(x[, 133]) * (x[, 126] > 2) -
    0.2 * (x[, 15] < 60) - 0.4 * (x[, 15] > 1700) + 0.3 * topic +
    (0.22 * rnorm(length(count)))[query] + 0.65 * rnorm(nrow(x))
  findInterval(utility, quantile(utility, c(0.558, 0.847, 0.977, 0.993)))
}

simulate_mslr <- function(documents = 240000, seed = 1) {
  set.seed(seed)
  sizes <- mslr_lists(documents)
  query <- rep(seq_along(sizes), sizes)
  terms <- mslr_queries(length(sizes))
  rows <- lapply(seq_len(max(terms$count)), function(j) which(terms$count[query] >= j))
  latent <- lapply(c(topic = 1, depth = 2, authority = 3, site = 4), function(k) rnorm(documents))
  x <- matrix(0, documents, 136)
  whole <- lapply(lengths(rows), numeric)
  body <- NULL
  for (s in 1:5) {
    stream <- mslr_streams[s]
    if (stream == "whole") {
      length <- rowSums(x[, 11:14, drop = FALSE])
      frequencies <- whole
    } else {
      length <- mslr_column(stream, latent)
      frequencies <- mslr_frequencies(stream, length, latent, query, rows, terms, body)
      if (stream == "body") body <- frequencies
      whole <- Map(`+`, whole, frequencies)
    }
    f <- s
    for (part in mslr_stream(stream, frequencies, length, query, rows, terms)) {
      for (column in part()) {
        x[, f] <- round(column, 6) + 0  # no negative zeros
        f <- f + 5L
      }
    }
  }
  rm(whole, body, frequencies)
  for (f in 126:136) {
    name <- names(mslr_quantiles)[f - 121L]
    x[, f] <- mslr_column(name, latent)
  }
  x[, 136] <- x[, 136] * (x[, 135] > 0)
  list(x = x, grade = mslr_grades(x, query, terms$count, latent$topic), query = query)
}

shown <- data.frame(sid = c(2, 1, 1, 2), qid = "rivers", doc = c("b", "a", "b", "a"),
                    position = c(1, 1, 2, 2), click = c(0, 1, 0, 1))

test_that("a log is sorted by session and position, and gives its rows back", {
  log <- click_log(shown, session = sid, query = "qid", document = doc)
  rows <- as.data.frame(log)
  expect_identical(rows$session, c(2, 2, 1, 1))
  expect_identical(rows$document, c("b", "a", "a", "b"))
  expect_identical(rows$click, c(0L, 1L, 1L, 0L))
  expect_identical(click_log(rows), log)
  expect_identical(summary(log), data.frame(position = 1:2, shown = c(2L, 2L), clicks = c(1L, 1L),
                                            rate = c(0.5, 0.5)))
  logical <- transform(shown, click = click == 1)
  expect_identical(click_log(logical, sid, qid, doc), log)
  expect_snapshot(log)
})

test_that("the same document id in two queries is two documents", {
  rows <- data.frame(session = 1:2, query = c("p", "q"), document = "a", position = 1L, click = 1L)
  expect_identical(nrow(click_log(rows)$pairs), 2L)
})

test_that("bad logs are refused by name", {
  refuse <- function(code, class) expect_snapshot_error(code, class = paste0("rankmix_error_", class))
  own <- function(...) click_log(transform(shown, ...), sid, qid, doc)
  refuse(click_log(), "argument")
  refuse(click_log(3), "argument")
  refuse(click_log(shown), "column")
  refuse(click_log(shown, sid, nobody, doc), "column")
  refuse(click_log(shown[0, ], sid, qid, doc), "empty")
  refuse(own(click = c(0, 1, 2, 0)), "click")
  refuse(own(click = c(0, 1, NA, 0)), "click")
  refuse(own(click = "yes"), "click")
  refuse(own(position = c(1, 1, 3, 2)), "position")
  refuse(own(position = c(1, 1, 1, 2)), "position")
  refuse(own(position = c(1, 0, 1, 2)), "position")
  refuse(own(position = c("1", "2", "1", "2")), "position")
  refuse(own(position = factor(c(1, 2, 1, 2))), "position")
  refuse(own(qid = c("a", "b", "a", "a")), "query")
  refuse(own(doc = c("b", "a", "a", "a")), "document")
  refuse(own(sid = c(1, NA, 1, 2)), "session")
  expect_identical(ordinal_text(11), "11th")
  expect_identical(ordinal_text(22), "22nd")
})

test_that("simulate_clicks() gives the same clicks as a log and as data", {
  judged <- simulate_ranking(5, documents = 6, seed = 1)$data
  data <- simulate_clicks(judged, sessions = 3, depth = 4, seed = 2)
  log <- simulate_clicks(judged, sessions = 3, depth = 4, seed = 2, output = "log")
  rows <- as.data.frame(log)
  expect_identical(rows$click, as.integer(data$relevance))
  expect_identical(rows$position, data$position)
  expect_identical(unname(judged$x[rows$document, ]), unname(data$x))
  expect_identical(click_log(rows)$clicked, log$clicked)
  expect_snapshot_error(simulate_clicks(judged, output = "rows"), class = "rankmix_error_argument")
})

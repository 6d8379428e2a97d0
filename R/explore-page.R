# The page of explore_queries(): scripts and styles of inst/report with the data, in one file or within a report.

explorer_scripts <- c("explorer-data.js", "explorer-list.js", "explorer-query.js", "explorer-help.js",
                      "explorer.js")

explorer_page <- function(json, title) {
  # With this content security policy, the page cannot load anything.
  policy <- "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'"
  c("<!doctype html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
    sprintf("<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">", policy),
    "<meta name=\"generator\" content=\"rankmix\">",
    sprintf("<title>%s</title>", escape_html(printable(title))), "</head>", "<body class=\"explorer-body\">",
    explorer_fragment(json, embedded = FALSE), "</body>", "</html>")
}

# The part of a page that is the explorer. Within a report it has a height, and the colours of the report.
explorer_fragment <- function(json, embedded) {
  c("<style>", report_lines("explorer.css"), "</style>",
    sprintf("<div class=\"explorer %s\" id=\"explorer\"><p>This page needs JavaScript.</p></div>",
            if (embedded) "embedded" else "page"),
    sprintf("<script type=\"application/json\" id=\"explorer-%s\">%s</script>", names(json), unlist(json)),
    "<script>", "(() => {", "'use strict';", unlist(lapply(explorer_scripts, report_lines)), "})();", "</script>")
}

report_lines <- function(name) {
  readLines(system.file("report", name, package = "rankmix", mustWork = TRUE), encoding = "UTF-8")
}

// What a page of the site does: its contents beside it, copy buttons, and the search. Loads
// nothing from elsewhere, and works on pages that are opened as files.
(() => {
  const make = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value));
    node.append(...children);
    return node;
  };

  // "On this page", of the headings that can be linked to.
  const fillContents = () => {
    const nav = document.getElementById("toc");
    if (!nav) return;
    const list = make("ul", {class: "nav flex-column"});
    document.querySelectorAll("main h2, main h3").forEach(heading => {
      const id = heading.id || (heading.closest(".section[id]") || {}).id;
      if (!id || heading.hasAttribute("data-toc-skip")) return;
      const text = [...heading.childNodes].filter(n => !(n.classList &&
        n.classList.contains("anchor"))).map(n => n.textContent).join("").trim();
      list.append(make("li", {class: heading.tagName === "H3" ? "nested" : ""},
        make("a", {class: "nav-link", href: "#" + id}, text)));
    });
    if (list.children.length > 0) nav.append(list); else nav.remove();
  };

  // Code without its output.
  const addCopyButtons = () => {
    document.querySelectorAll("div.sourceCode").forEach(box => {
      const button = make("button", {type: "button", class: "copy", "aria-label": "Copy the code"},
        "Copy");
      button.addEventListener("click", () => {
        const code = box.querySelector("pre").textContent.replace(/(^|\n)#>[^\n]*/g, "");
        navigator.clipboard.writeText(code.trim() + "\n").then(() => {
          button.textContent = "Copied";
          setTimeout(() => { button.textContent = "Copy"; }, 1500);
        });
      });
      box.append(button);
    });
  };

  // All words must be there. A name that a help page documents counts most, then a word of the
  // page's title, of a heading, of the text; pages count more than their sections, and those on
  // the package as a whole come last.
  const scoreOf = (entry, words) => {
    const title = entry.title.toLowerCase(), heading = entry.what.toLowerCase();
    const names = entry.names.split(" ");
    const begins = (text, word) => text.startsWith(word) ||
      [" ", "(", "-", "\"", "\u201c", "."].some(before => text.includes(before + word));
    let score = (entry.id === "" ? 2 : 0) - (entry.dir === "Home" ? 0.5 : 0);
    for (const word of words) {
      if (names.includes(word)) score += 20 + (entry.path.endsWith("/" + word + ".html") ? 10 : 0);
      else if (entry.names.includes(word)) score += 8;
      else if (begins(title, word)) score += 6;
      else if (begins(heading, word)) score += 4;
      else if (begins(entry.text, word)) score += 1;
      else return 0;
    }
    return score;
  };

  const setUpSearch = () => {
    const input = document.getElementById("search-input");
    if (!input) return;
    const root = input.dataset.searchIndex.replace(/search[.]json$/, "");
    const list = make("ul", {id: "found", role: "listbox", hidden: ""});
    input.after(list);
    let entries = null;
    let chosen = -1;

    const choose = next => {
      const items = list.querySelectorAll("a");
      if (items.length === 0) return;
      chosen = (next + items.length) % items.length;
      items.forEach((item, i) => item.classList.toggle("chosen", i === chosen));
      items[chosen].scrollIntoView({block: "nearest"});
    };
    const search = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(word => word.length > 0);
      list.replaceChildren();
      chosen = -1;
      list.hidden = entries === null || input.value.trim().length < 2;
      if (list.hidden) return;
      const found = entries.map(entry => [scoreOf(entry, words), entry])
        .filter(([score]) => score > 0).sort((a, b) => b[0] - a[0]).slice(0, 20);
      found.forEach(([, entry]) => {
        const link = make("a", {href: root + entry.path + (entry.id ? "#" + entry.id : "")},
          make("strong", {}, entry.title));
        if (entry.id !== "") link.append(" › " + entry.what);
        link.append(make("small", {}, entry.dir + (entry.names && entry.id === "" ?
          ": " + entry.names.split(" ").slice(0, 4).join(", ") : "")));
        list.append(make("li", {}, link));
      });
      if (found.length === 0) list.append(make("li", {class: "none"}, "Nothing found."));
    };
    const load = () => {
      if (entries !== null || document.getElementById("search-data")) return;
      const script = make("script", {id: "search-data", src: root + "search.js"});
      script.addEventListener("load", () => { entries = window.searchEntries; search(); });
      document.head.append(script);
    };
    input.addEventListener("focus", load);
    input.addEventListener("input", () => { load(); search(); });
    input.addEventListener("keydown", event => {
      if (event.key === "ArrowDown") choose(chosen + 1);
      else if (event.key === "ArrowUp") choose(chosen - 1);
      else if (event.key === "Escape") { list.hidden = true; return; }
      else if (event.key === "Enter") {
        const items = list.querySelectorAll("a");
        if (items.length > 0) location.href = items[Math.max(chosen, 0)].href;
      } else return;
      event.preventDefault();
    });
    document.addEventListener("click", event => {
      if (!list.contains(event.target) && event.target !== input) list.hidden = true;
    });
  };

  fillContents();
  addCopyButtons();
  setUpSearch();
})();

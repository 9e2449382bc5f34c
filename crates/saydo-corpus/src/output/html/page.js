
"use strict";
(() => {
  const one = (query) => document.querySelector(query);
  const all = (query, from = document) => [...from.querySelectorAll(query)];
  const rows = all("main tbody");
  const find = one("#find"), status = one("#status"), picks = all("select[data-task]"), shown = one("#shown");
  const texts = new Map();
  const textOf = (row) => {
    if (!texts.has(row)) texts.set(row, row.textContent.toLowerCase());
    return texts.get(row);
  };
  const fits = (row, words) =>
    (!status.value || row.dataset.status.split(" ").includes(status.value)) &&
    picks.every((pick) => !pick.value || row.getAttribute("data-a" + pick.dataset.task) === pick.value) &&
    (!words || textOf(row).includes(words));
  const filter = () => {
    const words = find.value.trim().toLowerCase();
    let count = 0;
    for (const row of rows) {
      row.hidden = !fits(row, words);
      if (!row.hidden) count += 1;
    }
    for (const section of all("main section")) section.hidden = !section.querySelector("tbody:not([hidden])");
    shown.textContent = count === rows.length ? "" : `${count} of ${rows.length} shown`;
  };
  let wait = 0;
  find.addEventListener("input", () => { clearTimeout(wait); wait = setTimeout(filter, 150); });
  for (const pick of [status, ...picks]) pick.addEventListener("change", filter);
  one("#tools").addEventListener("submit", (event) => { event.preventDefault(); filter(); });
  const open = (isOpen) => { for (const text of all("main details")) text.open = isOpen; };
  one("#open").addEventListener("click", () => open(true));
  one("#close").addEventListener("click", () => open(false));

  const order = new Intl.Collator(undefined, { numeric: true });
  const sort = (table, head, place) => {
    const before = head.getAttribute("aria-sort");
    const isUp = before ? before === "descending" : !head.classList.contains("sure");
    const key = (row) => {
      const cell = row.rows[0].cells[place];
      return cell.hasAttribute("data-sort") ? Number(cell.getAttribute("data-sort")) : cell.textContent;
    };
    const keyed = [...table.tBodies].map((row) => [key(row), row]);
    const compare = ([a], [b]) => (typeof a === "number" ? a - b : order.compare(a, b));
    keyed.sort((a, b) => (isUp ? compare(a, b) : compare(b, a)));
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", isUp ? "ascending" : "descending");
    // Out of the page while its rows move: thousands of them move much faster so.
    const frame = table.parentNode;
    table.remove();
    table.append(...keyed.map(([, row]) => row));
    frame.append(table);
    head.querySelector("button").focus();
  };
  for (const table of all("main table")) {
    [...table.tHead.rows[0].cells].forEach((head, place) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(table, head, place));
      head.append(button);
    });
  }
  one("#tools").hidden = false;
})();

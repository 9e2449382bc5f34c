// A leaderboard's table, for those who take part and for the owner.
import { el } from "./app.js";

const percent = (share) => (100 * share).toFixed(1);
const ends = (interval) => (interval ? ` (${percent(interval[0])} to ${percent(interval[1])})` : "");
const gap = (found) => {
  if (!found) return "–";
  const sign = found.difference >= 0 ? "+" : "";
  return `${sign}${percent(found.difference)}, p = ${found.p_value < 0.001 ? "< 0.001" : found.p_value.toFixed(3)}${found.p_value < 0.05 ? "" : " (may be chance)"}`;
};

// `act` makes the last cell of a row, if there is one.
export const ranking = (board, act = null) => {
  if (!board.entries.length) return el("p", { class: "soft" }, "Nothing was submitted yet.");
  const head = ["Rank", "Name", "By", "C@90", "C@75", "Mean", "Tasks", "Ahead of the next (C@90)", "Ahead of the next (mean)", ...(act ? [""] : [])];
  const rows = board.entries.map((entry) => el("tr", {}, el("td", {}, String(entry.rank)), el("th", { scope: "row" }, entry.name), el("td", {}, entry.by ?? "owner"),
    [2, 1, 0].map((column) => el("td", {}, percent(entry.average[column]) + ends(entry.interval?.[column]))),
    el("td", {}, entry.tasks === board.tasks && entry.passages === board.passages ? String(entry.tasks) : `${entry.tasks} of ${board.tasks}, ${entry.passages} of ${board.passages} passages`),
    el("td", {}, gap(entry.next?.at_90)), el("td", {}, gap(entry.next?.mean)), act ? el("td", {}, act(entry)) : null));
  return el("div", {}, el("p", { class: "note" }, `${board.tasks} tasks, ${board.passages} passages. Scores are the averages over types of generalization that ZEST's scorer reports, with 95% intervals. Ranked by C@90, then by the mean.`),
    el("div", { class: "wide" }, el("table", { class: "ranking" }, el("thead", {}, el("tr", {}, head.map((text) => el("th", { scope: "col" }, text)))), el("tbody", {}, rows))));
};

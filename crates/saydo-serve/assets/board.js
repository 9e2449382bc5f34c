// Taking part in a leaderboard: sending predictions, and the table.
import { api, onSend, say } from "./app.js";
import { ranking } from "./ranking.js";

const place = document.querySelector("#ranking");
const form = document.querySelector("#submit");
const about = document.querySelector("#about");
const told = about.textContent;

const refresh = async () => {
  const board = await api("GET", "/v1/board");
  about.textContent = `${told} ${board.left_today} of ${board.per_day} files are left for today (UTC).`;
  place.replaceChildren(ranking(board));
};

onSend(form, async () => {
  const file = form.elements.file.files[0];
  const format = { jsonl: "jsonl", csv: "csv" }[file.name.split(".").pop().toLowerCase()] ?? "text";
  const { average } = await api("POST", "/v1/board/submissions", { name: form.elements.name.value, predictions: await file.text(), format });
  say(`Scored: C@90 ${(100 * average[2]).toFixed(1)}, C@75 ${(100 * average[1]).toFixed(1)}, mean ${(100 * average[0]).toFixed(1)}`);
  form.reset();
  await refresh();
});
refresh().catch((error) => { place.textContent = error.message; });

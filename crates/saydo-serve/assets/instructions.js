// The instructions editor: lint and prompts as one writes.
import { api, ask, busy, download, el, say } from "./app.js";
import { KindEditor } from "./answer.js";

const form = document.querySelector("#task");
const shown = document.querySelector("#shown");
const layout = document.querySelector("#layout");
const input = document.querySelector("#input");
const TEXTS = ["title", "definition", "prompt", "things_to_avoid", "emphasis"];
let latest = null;
let waiting;
const later = () => { clearTimeout(waiting); waiting = setTimeout(look, 250); };
const kind = new KindEditor(document.querySelector("#kind"), later);

const exampleRow = (side, example = {}) => {
  const box = (name, label, rows = 1) => { const area = el("textarea", { rows, "data-part": name, oninput: later }); area.value = example[name] ?? ""; return el("label", {}, label, area); };
  const row = el("div", { class: "card example" }, box("input", "Input", 2), box("output", "Output"), box("reason", "Reason"),
    side === "negative" ? box("suggestion", "Suggestion") : null,
    el("button", { type: "button", class: "small", onclick: () => { row.remove(); later(); } }, "Remove"));
  document.querySelector(`#${side}`).append(row);
  return row;
};
const examples = (side) => [...document.querySelectorAll(`#${side} .example`)].map((row) => Object.fromEntries([...row.querySelectorAll("[data-part]")].map((box) => [box.dataset.part, box.value])));
const draft = () => ({ ...Object.fromEntries(TEXTS.map((name) => [name, form.elements[name].value])), answer: kind.value(), positive: examples("positive"), negative: examples("negative") });

const showPrompt = () => {
  const prompt = latest?.prompts.find((one) => one.layout === layout.value);
  document.querySelector("#about").textContent = prompt ? prompt.description : "";
  shown.textContent = prompt ? prompt.text ?? prompt.error : "";
  shown.classList.toggle("bad", Boolean(prompt?.error));
};
const look = async () => {
  try {
    latest = await api("POST", "/v1/preview", { task: draft(), input: input.value });
  } catch (error) {
    document.querySelector("#problems").replaceChildren(el("li", { class: "bad" }, error.message));
    return;
  }
  kind.infer(latest.inferred);
  document.querySelector("#problems").replaceChildren(...(latest.problems.length
    ? latest.problems.map((problem) => el("li", { class: problem.severity === "error" ? "bad" : "" }, `${problem.code} ${problem.element ? `${problem.element}: ` : ""}${problem.found}, expected ${problem.expected}`, problem.hint ? el("span", { class: "soft" }, ` (${problem.hint})`) : ""))
    : [el("li", { class: "good" }, "Nothing to complain about.")]));
  if (!layout.options.length) layout.append(...latest.prompts.map((prompt) => el("option", {}, prompt.layout)));
  showPrompt();
};
const fresh = async () => { clearTimeout(waiting); await look(); return latest; };

form.addEventListener("input", later);
form.addEventListener("submit", (event) => event.preventDefault());
input.addEventListener("input", later);
layout.addEventListener("change", showPrompt);
document.querySelectorAll("[data-add]").forEach((button) => button.addEventListener("click", () => { exampleRow(button.dataset.add).querySelector("textarea").focus(); later(); }));
const on = (id, work) => document.querySelector(id).addEventListener("click", (event) => busy(event.currentTarget, work));
on("#keep", async () => {
  const file = await fresh();
  await ask("PUT", `/v1/tasks/${encodeURIComponent(file.name)}`, { toml: file.toml });
  say(`Kept as ${file.name}`);
});
on("#toml", async () => { const file = await fresh(); download(`${file.name}.toml`, file.toml, "application/toml"); });
on("#json", async () => {
  const file = await fresh();
  download(`${file.name}.json`, file.natural_instructions, "application/json");
  if (file.lost.length) say(`Natural Instructions has no place for: ${file.lost.join(", ")}`);
});
const kept = document.querySelector("#kept");
kept.addEventListener("change", () => busy(null, async () => {
  if (!kept.value) return;
  const task = await api("GET", `/v1/tasks/${encodeURIComponent(kept.value)}/parts`);
  TEXTS.forEach((name) => { form.elements[name].value = task[name]; });
  for (const side of ["positive", "negative"]) {
    document.querySelector(`#${side}`).replaceChildren();
    task[side].forEach((example) => exampleRow(side, example));
  }
  kind.set(task.answer);
  await look();
}));
kept.append(...(await api("GET", "/v1/tasks")).tasks.map((task) => el("option", {}, task.name)));
await look();

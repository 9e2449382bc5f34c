// The playground: a description, or two of them, over documents; answers appear as they come.
import { api, ask, busy, copy, download, eachLine, el, say } from "./app.js";
import { KindEditor, marked, shown } from "./answer.js";

const play = document.querySelector("#play");
const sides = [];
const results = document.querySelector("#results");
const state = document.querySelector("#state");
const documents = document.querySelector("#documents");

const addSide = (title) => {
  const element = document.querySelector("#side").content.cloneNode(true).firstElementChild;
  const side = {
    element,
    title,
    description: element.querySelector(".description"),
    model: element.querySelector(".model"),
  };
  element.querySelector(".side-title").textContent = title;
  element.querySelector(".model-label").hidden = side.model.options.length < 2;
  side.kind = new KindEditor(element.querySelector(".kind"), () => { if (!side.kind.own) infer(side); });
  let waiting;
  side.description.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => infer(side), 200);
  });
  element.querySelector(".save").addEventListener("click", (event) => busy(event.target, async () => {
    const file = await taskFile(side);
    download(`${file.name}.toml`, file.toml, "application/toml");
  }));
  element.querySelector(".keep").addEventListener("click", (event) => busy(event.target, async () => {
    const file = await taskFile(side);
    await ask("PUT", `/v1/tasks/${encodeURIComponent(file.name)}`, { toml: file.toml });
    say(`Kept as ${file.name}; programs can run it by that name`);
  }));
  element.querySelector(".copy").addEventListener("click", (event) => busy(event.target, async () => copy(await command(side))));
  document.querySelector("#sides").append(element);
  sides.push(side);
  element.querySelector(".side-title").hidden = sides.length < 2;
  return side;
};

const infer = async (side) => {
  const description = side.description.value;
  const inferred = await api("POST", "/v1/infer", { description }).catch((error) => say(error.message));
  if (inferred && description === side.description.value) side.kind.infer(inferred);
};

const draft = (side) => ({ definition: side.description.value, answer: side.kind.value() });
const taskFile = (side) => api("POST", "/v1/task-file", draft(side));

// As a shell takes it.
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const command = async (side) => {
  const answer = side.kind.value();
  const model = side.model.value ? ` --model ${quoted(side.model.value)}` : "";
  if (answer?.kind === "records") {
    const { name } = await taskFile(side);
    return `saydo run ${quoted(`${name}.toml`)} documents/${model}`;
  }
  const labels = answer?.kind === "label" ? answer.labels.map((label) => ` --label ${quoted(label)}`).join("") : "";
  const kind = answer ? ` --kind ${answer.kind}${labels}` : "";
  return `saydo run ${quoted(side.description.value)} documents/${kind}${model}`;
};

const addDocument = (text = "", name = "") => {
  const number = documents.children.length + 1;
  const box = el("textarea", { rows: 5, placeholder: "Paste a text" });
  box.value = text;
  const row = el("div", { class: "document" },
    el("label", {}, name || `Document ${number}`, box),
    el("button", { type: "button", class: "small", onclick: () => { row.remove(); if (!documents.children.length) addDocument(); } }, "Remove"));
  documents.append(row);
  return box;
};
const addFiles = async (files) => {
  const most = Number(play.dataset.most);
  for (const file of [...files].slice(0, most)) {
    const text = await file.text();
    const empty = [...documents.querySelectorAll("textarea")].find((box) => !box.value.trim());
    empty?.closest(".document").remove();
    addDocument(text, file.name);
  }
};

const bar = (confidence) => (confidence === null ? null : el("p", { class: "soft" },
  el("meter", { min: 0, max: 1, value: confidence, "aria-label": "Confidence" }), ` ${Math.round(100 * confidence)}% sure`));
const answerOf = (row, text) => {
  if (row.status === "ok" || row.status === "na") {
    return el("div", {}, shown(row.answer), bar(row.confidence),
      row.windows > 1 ? el("p", { class: "soft" }, `read in ${row.windows} windows`) : null,
      row.spans.length ? el("div", { class: "passage text" }, marked(text, row.spans)) : null);
  }
  return el("p", { class: "bad" }, `${row.status}: ${row.error}`);
};

const runSide = async (side, texts, places) => {
  const body = { description: side.description.value, texts, stream: true };
  if (side.kind.value()) body.answer = side.kind.value();
  if (side.model.value) body.model = side.model.value;
  const response = await ask("POST", "/v1/run", body);
  let done = 0;
  await eachLine(response, (row) => {
    if (row.error && !row.status) throw new Error(row.error.message);
    places[row.id - 1].replaceChildren(answerOf(row, texts[row.id - 1]));
    done += 1;
    state.textContent = `${done} of ${texts.length} answered`;
  });
};

const run = async () => {
  const boxes = [...documents.querySelectorAll("textarea")].filter((box) => box.value.trim());
  if (!boxes.length) {
    documents.querySelector("textarea").focus();
    throw new Error("paste a text or choose files first");
  }
  const texts = boxes.map((box) => box.value);
  const places = sides.map(() => texts.map(() => el("div", { class: "answer" }, el("p", { class: "soft" }, "…"))));
  results.replaceChildren(el("h2", {}, "Answers"), ...texts.map((text, number) => el("article", { class: "card" },
    el("h3", {}, boxes[number].closest("label").firstChild.textContent),
    el("details", {}, el("summary", {}, "The text"), el("div", { class: "passage text" }, text)),
    el("div", { class: "two" }, sides.map((side, at) => el("div", {},
      sides.length > 1 ? el("p", { class: "name" }, `${side.title}: ${side.description.value}`) : null, places[at][number]))))));
  state.textContent = "The model is reading.";
  // One after the other: they wait for the same model anyway, unless there are two.
  const models = new Set(sides.map((side) => side.model.value));
  if (models.size > 1) await Promise.all(sides.map((side, at) => runSide(side, texts, places[at])));
  else for (const [at, side] of sides.entries()) await runSide(side, texts, places[at]);
  state.textContent = "Done. Change the words and run it again.";
};

play.addEventListener("submit", async (event) => {
  event.preventDefault();
  await busy(document.querySelector("#run"), async () => {
    try {
      await run();
    } catch (error) {
      state.textContent = "";
      throw error;
    }
  });
});
play.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) play.requestSubmit();
});
document.querySelector("#add").addEventListener("click", () => addDocument().focus());
document.querySelector("#files").addEventListener("change", (event) => addFiles(event.target.files));
const drop = document.querySelector("#drop");
drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("drop"); });
drop.addEventListener("dragleave", () => drop.classList.remove("drop"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("drop");
  addFiles(event.dataTransfer.files);
});
document.querySelector("#compare").addEventListener("change", (event) => {
  if (event.target.checked) {
    const side = addSide("Second");
    side.description.value = sides[0].description.value;
    if (side.model.options.length > 1) side.model.selectedIndex = 1;
    infer(side);
    side.description.focus();
  } else {
    sides.pop().element.remove();
  }
  sides[0].element.querySelector(".side-title").hidden = sides.length < 2;
});

addSide("First");
addDocument();

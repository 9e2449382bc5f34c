// Beginning projects.
import { api, el, onSend } from "./app.js";

const begin = (form, path, body) => onSend(form, async () => {
  const { id } = await api("POST", path, body(form.elements));
  location.assign(`/projects/${id}`);
});
begin(document.querySelector("#collect"), "/v1/projects", (fields) => ({
  name: fields.name.value, kind: "zest",
  settings: { domains: fields.domains.value.split(",").map((text) => text.trim()).filter((text) => text),
    annotators: Number(fields.annotators.value), passages: Number(fields.passages.value) },
}));
begin(document.querySelector("#instructions"), "/v1/instructions", (fields) => ({ name: fields.name.value, template: fields.template.value }));
begin(document.querySelector("#judge"), "/v1/judging", (fields) => ({ name: fields.name.value, run: fields.run.value,
  per_judge: Number(fields.per_judge.value), overlap: Number(fields.overlap.value) }));
begin(document.querySelector("#coding"), "/v1/coding", (fields) => ({ name: fields.name.value, run: fields.run.value,
  coders: Number(fields.coders.value), seed: Number(fields.seed.value), suggestions: fields.suggestions.checked,
  ...(fields.sample.value ? { sample: Number(fields.sample.value) } : {}) }));
const body = async (form, path, make) => onSend(form, async () => {
  const { id } = await api("POST", path, await make(form.elements));
  location.assign(`/projects/${id}`);
});
body(document.querySelector("#board"), "/v1/boards", async (fields) => ({ name: fields.name.value, per_day: Number(fields.per_day.value),
  ...(fields.gold.files.length ? { gold: await fields.gold.files[0].text() } : { project: Number(fields.project.value) }) }));
body(document.querySelector("#people"), "/v1/people", async (fields) => ({ name: fields.name.value, tasks: Number(fields.tasks.value), annotators: Number(fields.annotators.value),
  ...(fields.files.files.length ? { files: await Promise.all([...fields.files.files].map(async (file) => ({ name: file.name, text: await file.text() }))) } : { board: Number(fields.board.value) }) }));
const survey = document.querySelector("#survey");
begin(survey, "/v1/surveys", (fields) => ({ name: fields.name.value, annotators: Number(fields.annotators.value),
  tasks: [...survey.querySelectorAll("[name=task]:checked")].map((box) => box.value) }));
const { tasks } = await api("GET", "/v1/tasks");
document.querySelector("#tasks").append(...(tasks.length
  ? tasks.map((task) => el("label", { class: "check" }, el("input", { type: "checkbox", name: "task", value: task.name }), task.name))
  : [el("p", { class: "soft" }, "None is kept here yet.")]));

// Kinds of answers: a form that changes them, and answers shown in their text.
import { el } from "./app.js";

const KINDS = { "yes-no": "yes or no", label: "one of a set of labels", spans: "pieces of the text", records: "records with fields", text: "free text" };
const FIELD_KINDS = { span: "piece of the text", "yes-no": "yes or no", label: "one of a set of labels", text: "free text" };
const LABELS_HINT = "good, bad, unclear";
const labelsOf = (text) => text.split(",").map((label) => label.trim()).filter((label) => label);

const select = (options, value, attributes) => {
  const element = el("select", attributes, Object.entries(options).map(([name, text]) => el("option", { value: name }, text)));
  element.value = value;
  return element;
};

// Rows of name and kind; `changed` is called after every change.
export const fieldEditor = (fields, changed) => {
  const list = el("div", { class: "fields" });
  const value = () => [...list.querySelectorAll(".field")]
    .map((row) => {
      const field = { name: row.querySelector("input").value.trim(), kind: row.querySelector("select").value };
      return field.kind === "label" ? { ...field, labels: labelsOf(row.querySelector(".labels").value) } : field;
    });
  const add = (field) => {
    const labels = el("input", { class: "labels", value: (field.labels ?? []).join(", "), "aria-label": "Labels of the field, with commas between", placeholder: LABELS_HINT, oninput: changed });
    labels.hidden = field.kind !== "label";
    const row = el("div", { class: "field" },
      el("input", { value: field.name, "aria-label": "Name of the field", placeholder: "name", oninput: changed }),
      select(FIELD_KINDS, field.kind, { "aria-label": "What the field holds", onchange: (event) => { labels.hidden = event.target.value !== "label"; changed(); } }),
      labels,
      el("button", { type: "button", class: "small", "aria-label": "Remove the field", onclick: () => { row.remove(); changed(); } }, "×"));
    list.append(row);
    return row;
  };
  fields.forEach(add);
  const more = el("button", { type: "button", class: "small", onclick: () => {
    add({ name: "", kind: "span" }).querySelector("input").focus();
    changed();
  } }, "Add a field");
  return { element: el("div", {}, list, more), value };
};

// Shows a kind of answer and lets it be changed. `value()` is null while it is the one that was inferred.
export class KindEditor {
  constructor(place, changed = () => {}) {
    this.place = place;
    this.changed = changed;
    this.own = false;
    this.show({ kind: "text", labels: [], fields: [] }, "");
  }

  // What the server inferred; ignored once the user chose.
  infer({ answer, reason }) {
    if (!this.own) this.show(answer, `because ${reason}`);
  }

  // What a task states.
  set(answer) {
    this.own = Boolean(answer);
    if (answer) this.show(answer, "");
  }

  show(answer, reason) {
    this.answer = { labels: [], fields: [], ...answer };
    const touched = () => { this.own = true; this.read(); this.note(); this.changed(); };
    this.kind = select(KINDS, this.answer.kind, { class: "kind-select", onchange: () => {
      this.own = true;
      const kind = this.kind.value;
      if (kind === "records" && !this.answer.fields.length) this.answer.fields = [{ name: "", kind: "span" }];
      this.show({ ...this.answer, kind, na: kind !== "text" }, "");
      this.place.querySelector(".kind-select").focus();
      this.changed();
    } });
    this.labels = el("input", { value: this.answer.labels.join(", "), oninput: touched, placeholder: LABELS_HINT });
    this.fields = fieldEditor(this.answer.fields, touched);
    this.reason = el("span", { class: "soft" }, reason);
    const back = el("button", { type: "button", class: "link", onclick: () => { this.own = false; this.changed(); } }, "back to what the words say");
    this.place.replaceChildren(
      el("label", {}, "Answers are", this.kind),
      ...(this.answer.kind === "label" ? [el("label", {}, "Labels, with commas between", this.labels)] : []),
      ...(this.answer.kind === "records" ? [el("div", {}, el("span", { class: "soft" }, "Fields"), this.fields.element)] : []),
      el("p", { class: "note" }, this.reason, " ", back),
    );
    this.back = back;
    this.note();
  }

  note() {
    this.back.hidden = !this.own;
    if (this.own) this.reason.textContent = "";
  }

  read() {
    const kind = this.kind.value;
    this.answer = {
      kind,
      labels: kind === "label" ? labelsOf(this.labels.value) : [],
      fields: kind === "records" ? this.fields.value() : [],
    };
    return this.answer;
  }

  value() {
    return this.own ? this.read() : null;
  }
}

// A text with pieces marked. Offsets count characters, not UTF-16 units.
export const marked = (text, spans) => {
  const characters = Array.from(text);
  const colors = [...new Set(spans.map((span) => span.label ?? ""))];
  const sorted = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const parts = [];
  let at = 0;
  for (const span of sorted) {
    if (span.start < at) continue;
    parts.push(characters.slice(at, span.start).join(""));
    const color = colors.indexOf(span.label ?? "") % 4;
    parts.push(el("mark", { class: color ? `m${color}` : null, title: span.label ?? null }, characters.slice(span.start, span.end).join("")));
    at = span.end;
  }
  parts.push(characters.slice(at).join(""));
  return parts;
};

const cell = (value) => (value === null ? el("span", { class: "na" }, "NA") : String(value));

// An answer as a person reads it.
export const shown = (answer) => {
  if (answer === null) return el("p", { class: "value" }, el("span", { class: "na" }, "NA: the text does not say"));
  if (!Array.isArray(answer)) return el("p", { class: "value" }, String(answer));
  if (answer.every((piece) => typeof piece === "string")) {
    return el("p", {}, answer.map((piece) => el("span", { class: "chip" }, piece)));
  }
  const names = Object.keys(answer[0] ?? {});
  return el("div", { class: "wide" }, el("table", {},
    el("thead", {}, el("tr", {}, names.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, answer.map((record) => el("tr", {}, names.map((name) => el("td", {}, cell(record[name]))))))));
};

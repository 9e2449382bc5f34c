// An annotator's work: one item after the other.
import { api, ask, busy, el, say } from "./app.js";
import { fieldEditor } from "./answer.js";
import { Passage } from "./passage.js";

const form = document.querySelector("#work");
const done = document.querySelector("#done");
const choice = (name, options, attributes = {}) => el("div", { class: "row choices", role: "group", "aria-label": name, ...attributes },
  options.map(([value, text, key]) => el("button", { type: "button", "data-value": value, "aria-pressed": "false" }, text, key ? el("kbd", {}, key) : null)));
const chosen = (group) => group.querySelector("[aria-pressed=true]")?.dataset.value ?? null;
const press = (group, value) => {
  group.querySelectorAll("button").forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.value === value)));
  group.dispatchEvent(new Event("chosen"));
};
const pressable = (group) => {
  group.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) press(group, button.dataset.value);
  });
  return group;
};
const questionBox = (label, placeholder = "") => el("label", {}, label, el("textarea", { name: "question", rows: 2, required: true, maxlength: 500, placeholder }));
const quoted = (question) => el("blockquote", { class: "card" }, question.text);

// Each form gives what is shown and, when asked, the value to send.
const FORMS = {
  base: (item) => {
    const kind = pressable(choice("Kind of answer", [["", "as the words say"], ["yes-no", "yes or no"], ["spans", "words of the text"]]));
    press(kind, "");
    return { title: `Write a question about: ${item.domain}`,
      help: "A question that can be asked of many texts of this kind, not of one alone. It is answered with yes or no, or with words of the text.",
      body: [questionBox("Your question", "Are dogs allowed on the trails of this park?"), el("p", { class: "name" }, "It is answered with"), kind],
      value: () => ({ question: form.question.value, kind: chosen(kind) ?? "" }) };
  },
  paraphrase: (item) => ({ title: "Ask the same in other words", help: "Whoever answers yours must give the same answers as to the original. Change the words, not the meaning.",
    body: [quoted(item.questions[0]), questionBox("The same question in other words")], value: () => ({ question: form.question.value }) }),
  flip: (item, id) => {
    const told = el("p", { class: "soft", role: "status", id: "change" });
    let change = null;
    const box = questionBox("The question with a changed meaning");
    const look = async () => {
      const question = form.question.value;
      if (question.trim().length < 3) return;
      change = await api("POST", `/v1/work/${id}/check`, { question });
      const kinds = { "yes-no": "yes or no", spans: "words of the text" };
      told.textContent = change.kind === change.reads_as ? `${Math.round(100 * change.changed)}% of the words differ${change.is_large ? ": more than a little" : ""}.`
        : `The original is answered with ${kinds[change.kind]}, this with ${kinds[change.reads_as]}.`;
      told.classList.toggle("bad", change.is_large || change.kind !== change.reads_as);
    };
    let timer = null;
    box.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(() => look().catch(() => {}), 300); });
    return { title: "Change the meaning a little", help: "Change a few words so that the answers differ: largest to smallest, allowed to forbidden, before to after. Keep the kind of answer.",
      body: [quoted(item.questions[0]), box, told], before: look,
      value: () => {
        const doubtful = change && (change.is_large || change.kind !== change.reads_as);
        if (doubtful && !confirm(`${told.textContent} A flip changes little and keeps the kind of answer. Send it all the same?`)) throw new Error("change less of the question");
        return { question: form.question.value, ...(doubtful ? { sure: true } : {}) };
      } };
  },
  compose: (item) => {
    const picks = item.questions.map((question) => el("label", { class: "check" }, el("input", { type: "checkbox", value: question.id, name: "pick" }), question.text));
    return { title: "Join two of three questions", help: "Pick the two that go together best, and write one question that asks for both.",
      body: [el("fieldset", {}, el("legend", {}, "Pick two"), picks), questionBox("One question for both")],
      value: () => ({ question: form.question.value, picked: [...form.querySelectorAll("[name=pick]:checked")].map((box) => Number(box.value)) }) };
  },
  structure: (item) => {
    const preview = el("pre", { class: "text code" });
    const show = () => { preview.textContent = JSON.stringify([Object.fromEntries(fields.value().map((field, at) => [field.name || `field ${at + 1}`, field.kind === "yes-no" ? "yes" : field.labels?.[0] ?? "…"]))], null, 2); };
    const fields = fieldEditor([{ name: "", kind: "span" }, { name: "", kind: "span" }], () => show());
    show();
    return { title: "Ask for records", help: "Extend the question so that each answer is a list of records with the same fields. Each field holds words of the text, or yes or no.",
      body: [quoted(item.questions[0]), questionBox("The question that asks for records"), el("fieldset", {}, el("legend", {}, "Fields"), fields.element), el("p", { class: "name" }, "Answers will look like this"), preview],
      value: () => ({ question: form.question.value, fields: fields.value() }) };
  },
  map: (item) => {
    const text = (label, name, rows = 2) => el("label", {}, label, el("textarea", { name, rows }, item.draft?.[name] ?? ""));
    const examples = (kind, label, count) => {
      const list = el("div");
      const fields = kind === "negative" ? ["input", "output", "reason", "suggestion"] : ["input", "output", "reason"];
      const add = (example = {}) => list.append(el("fieldset", { class: "example" }, el("legend", {}, label), fields.map((name) => el("label", {}, name, el("textarea", { rows: 1, "data-part": name }, example[name] ?? "")))));
      (item.draft?.[kind] ?? Array.from({ length: count }, () => ({}))).forEach(add);
      const value = () => [...list.children].map((set) => Object.fromEntries([...set.querySelectorAll("[data-part]")].map((box) => [box.dataset.part, box.value])))
        .filter((example) => Object.values(example).some((part) => part.trim()));
      return { element: el("div", {}, list, el("button", { type: "button", class: "small", onclick: () => add() }, `Add: ${label.toLowerCase()}`)), value };
    };
    const [positive, negative] = [examples("positive", "A positive example", 1), examples("negative", "A negative example", 2)];
    const names = ["title", "definition", "prompt", "things_to_avoid", "emphasis"];
    return { title: `Map: ${item.title}`, help: `Lines ${item.first} to ${item.last} of the template are a task of their own. Write it in the schema's words, so that it stands alone; nothing of the template may be lost or added.`,
      body: [item.comment ? el("p", { class: "bad" }, `Whoever verified it says: ${item.comment}`) : null, el("div", { class: "passage text" }, item.lines), el("details", {}, el("summary", {}, "The whole template"), el("div", { class: "passage text" }, item.template)),
        text("Title", "title", 1), text("Definition", "definition", 4), text("Prompt: one sentence", "prompt", 1), text("Things to avoid", "things_to_avoid"), text("Emphasis and caution", "emphasis"), positive.element, negative.element].filter((part) => part),
      value: () => ({ draft: { ...Object.fromEntries(names.map((name) => [name, form.elements[name].value])), positive: positive.value(), negative: negative.value() } }) };
  },
  verify: (item) => {
    const agree = pressable(choice("Verdict", [["yes", "It says what the template says"], ["no", "Something differs"]]));
    const { draft } = item;
    const shown = [["Title", draft.title], ["Definition", draft.definition], ["Prompt", draft.prompt], ["Things to avoid", draft.things_to_avoid], ["Emphasis and caution", draft.emphasis],
      ...[["Positive", draft.positive], ["Negative", draft.negative]].flatMap(([name, list]) => list.map((one) => [name, [one.input, `→ ${one.output}`, one.reason, one.suggestion].filter((part) => part).join("\n")]))];
    return { title: `Verify: ${item.title}`, help: `Compare the mapping with lines ${item.first} to ${item.last} of the template: is anything lost, added or changed? Does the task stand alone?`,
      body: [el("div", { class: "two" }, el("section", {}, el("h3", {}, "Template"), el("div", { class: "passage text" }, item.lines)),
        el("section", {}, el("h3", {}, "Mapping"), shown.filter(([, part]) => part).map(([name, part]) => el("div", {}, el("p", { class: "name" }, name), el("div", { class: "text" }, part))))),
      agree, el("label", {}, "What should be different", el("textarea", { name: "comment", rows: 2, maxlength: 2000 }))],
      value: () => {
        const verdict = chosen(agree);
        if (!verdict) throw new Error("choose one of the two first");
        return { agree: verdict === "yes", comment: form.comment.value };
      } };
  },
  answer: (item) => answerForm(item),
  judge: (item) => judgeForm(item),
  code: (item) => {
    const codes = item.codes.map((code) => el("label", { class: "check" }, el("input", { type: "radio", name: "code", value: code.name, required: true }), el("b", {}, code.name.replaceAll("-", " ")), `: the output ${code.meaning}`));
    return { title: `Sort an error: ${item.task}`, help: `Choose the first code that fits. Code book: ${item.origin}.`,
      body: [el("div", { class: "two" },
        el("section", {}, el("h3", {}, "What was asked"), el("div", { class: "passage text" }, item.prompt), el("h3", {}, "Right answers"), el("div", { class: "passage text" }, item.gold.join("\n") || "(not known)")),
        el("section", {}, el("h3", {}, "Output"), el("div", { class: "passage text" }, item.output || "(nothing was written)"),
          item.suggestion ? el("p", { class: "soft" }, `A model suggests: ${item.suggestion.replaceAll("-", " ")}. It is not counted.`) : null,
          el("fieldset", {}, el("legend", {}, "Which error is it?"), codes), el("label", {}, "Note", el("input", { name: "note", maxlength: 500 }))))],
      value: () => {
        const given = form.querySelector("[name=code]:checked");
        if (!given) throw new Error("choose a code first");
        return { code: given.value, note: form.note.value };
      } };
  },
  survey: (item) => {
    const groups = item.elements.map((element) => pressable(choice(element.name, item.ratings.map((rating) => [rating, rating]))));
    return { title: "How necessary is each part of this instruction?", help: `The instruction is “${item.task}”. Imagine doing the task without the part.`,
      body: item.elements.map((element, at) => el("section", { class: "card" }, el("h3", {}, element.name), el("div", { class: "text passage" }, element.text), groups[at])),
      value: () => ({ ratings: Object.fromEntries(item.elements.map((element, at) => [element.name, chosen(groups[at]) ?? ""])) }) };
  },
};

const answerForm = (item, id) => {
  const keys = {};
  const na = ["na", "The text does not say", "A"];
  const options = item.kind === "yes-no" ? [["yes", "Yes", "Y"], ["no", "No", "N"], na] : item.kind === "text" ? [] : [na];
  const choices = pressable(choice("Answer", options));
  options.forEach(([value, , key]) => { keys[key.toLowerCase()] = () => press(choices, value); });
  const body = [el("p", { class: item.kind === "text" ? "text" : "value" }, item.question)];
  let value = () => ({ is: chosen(choices) ?? "nothing" });
  if (item.kind === "yes-no") body.push(el("div", { class: "passage text" }, item.passage));
  if (item.kind === "text") {
    body.push(el("div", { class: "passage text" }, item.passage), el("label", {}, "Your answer", el("textarea", { name: "text", rows: 3, required: true, maxlength: 5000 })));
    value = () => ({ is: "text", text: form.text.value });
  }
  if (item.kind === "spans") {
    const pieces = [];
    const list = el("ul", { class: "plain", "aria-label": "Your answer" });
    const show = () => {
      pieces.sort((a, b) => a.start - b.start);
      passage.mark(pieces);
      list.replaceChildren(...pieces.map((piece, at) => el("li", {}, el("span", { class: "chip" }, piece.text), " ",
        el("button", { type: "button", class: "small", "aria-label": `Remove ${piece.text}`, onclick: () => { pieces.splice(at, 1); show(); } }, "Remove"))));
      if (pieces.length) press(choices, null);
    };
    const passage = new Passage(item.passage, (piece) => {
      if (!pieces.some((other) => other.start === piece.start && other.end === piece.end)) pieces.push(piece);
      show();
    });
    choices.addEventListener("chosen", () => { if (chosen(choices) && pieces.length) { pieces.length = 0; show(); } });
    body.push(passage.element, list);
    value = () => (pieces.length ? { is: "spans", spans: pieces } : { is: chosen(choices) ?? "nothing" });
  }
  if (item.kind === "records") {
    const grid = recordGrid(item.fields);
    const passage = new Passage(item.passage, (piece) => grid.fill(piece.text));
    body.push(passage.element, grid.element);
    value = () => (chosen(choices) === "na" ? { is: "na" } : { is: "records", records: grid.value() });
  }
  if (options.length) body.push(choices);
  if (item.suggestions) body.push(suggestion(id));
  return { title: "Answer from the text", help: `From the text about “${item.entity}” alone; what you know besides does not count.`, body, value, keys };
};

const suggestion = (id) => {
  const place = el("p", { class: "soft" });
  return el("p", {}, el("button", { type: "button", onclick: (event) => busy(event.target, async () => {
    const cell = await api("GET", `/v1/work/${id}/suggestion`);
    place.textContent = cell.answer === null ? "The model finds nothing." : `The model would say: ${typeof cell.answer === "string" ? cell.answer : JSON.stringify(cell.answer)}`;
  }) }, "What would the model say?"), place);
};

// Records in a grid; words chosen in the passage go into the cell used last.
const recordGrid = (fields) => {
  const rows = el("tbody");
  let cell = null;
  const add = () => {
    const choices = (field) => (field.kind === "yes-no" ? ["yes", "no"] : field.labels);
    const row = el("tr", {}, fields.map((field) => el("td", {}, field.kind === "yes-no" || field.kind === "label"
      ? el("select", { "data-field": field.name, "aria-label": field.name }, ["", ...choices(field)].map((text) => el("option", { value: text }, text || "not said")))
      : el("input", { "data-field": field.name, "aria-label": field.name, placeholder: field.kind === "span" ? "choose words above" : "", onfocus: (event) => { cell = event.target; } }))),
    el("td", {}, el("button", { type: "button", class: "small", "aria-label": "Remove the record", onclick: () => { row.remove(); if (!rows.children.length) add(); } }, "×")));
    rows.append(row);
    cell = row.querySelector("input");
  };
  add();
  return {
    element: el("div", {}, el("div", { class: "wide" }, el("table", { class: "grid" }, el("thead", {}, el("tr", {}, fields.map((field) => el("th", { scope: "col" }, field.name)), el("th", {}, el("span", { class: "unseen" }, "Remove")))), rows)),
      el("button", { type: "button", class: "small", onclick: () => { add(); rows.lastElementChild.querySelector("input, select").focus(); } }, "Add a record")),
    fill: (text) => {
      if (!cell?.isConnected) cell = rows.querySelector("input");
      if (!cell) return;
      cell.value = text;
      const inputs = [...rows.querySelectorAll("input")];
      cell = inputs.slice(inputs.indexOf(cell) + 1).find((other) => !other.value) ?? cell;
    },
    value: () => [...rows.children].map((row) => Object.fromEntries([...row.querySelectorAll("[data-field]")].map((box) => [box.dataset.field, box.value.trim() || null])))
      .filter((record) => Object.values(record).some((text) => text !== null)),
  };
};

const judgeForm = (item) => {
  const verdict = pressable(choice("Judgement", [["accurate", "Accurate", "1"], ["form", "Only the form is right", "2"], ["neither", "Neither", "3"]]));
  const patterns = el("fieldset", {}, el("legend", {}, "What went wrong, if you see it"),
    item.patterns.map((pattern) => el("label", { class: "check" }, el("input", { type: "checkbox", name: "pattern", value: pattern }), pattern.replaceAll("-", " "))));
  return { title: `Judge an output: ${item.title}`,
    help: "Be lenient in three ways: it is right if its beginning is right, whatever follows; if a right answer comes after an introduction; and whichever way of choosing words wrote it. “Only the form” means that it would be right for some other text.",
    body: [el("div", { class: "two" },
      el("section", {}, el("h3", {}, "Instruction"), el("div", { class: "passage text" }, item.instruction), el("h3", {}, "The text in it"), el("div", { class: "passage text" }, item.resource)),
      el("section", {}, el("h3", {}, "Output"), el("div", { class: "passage text" }, item.output || "(nothing was written)"), verdict, patterns, el("label", {}, "Note", el("input", { name: "note", maxlength: 500 }))))],
    keys: { 1: () => press(verdict, "accurate"), 2: () => press(verdict, "form"), 3: () => press(verdict, "neither") },
    value: () => {
      const given = chosen(verdict);
      if (!given) throw new Error("choose one of the three first");
      return { accurate: given === "accurate", form_consistent: given !== "neither", note: form.note.value,
        patterns: [...form.querySelectorAll("[name=pattern]:checked")].map((box) => box.value) };
    } };
};

let current = null;
const STATES = { done: "There is nothing left for you to do. Thank you!", waiting: "Others hold what is left; some of it may come back. Look again in a while.",
  unqualified: "Thank you. There is no further work for you in this project." };

const next = async () => {
  const { state, item, answered } = await api("POST", "/v1/work/next");
  done.textContent = answered === 1 ? "1 answer so far" : `${answered} answers so far`;
  if (!item) {
    current = null;
    form.replaceChildren(el("p", {}, STATES[state]), state === "waiting" ? el("button", { type: "button", onclick: (event) => busy(event.target, next) }, "Look again") : "");
    return;
  }
  const shown = item.step === "answer" ? answerForm(item.payload, item.id) : FORMS[item.step](item.payload, item.id);
  current = { id: item.id, ...shown };
  form.replaceChildren(el("h2", { tabindex: -1 }, shown.title), el("p", { class: "note" }, shown.help), ...shown.body,
    el("p", { class: "row" }, el("button", { class: "main" }, "Send"), el("button", { type: "button", onclick: (event) => busy(event.target, skip) }, "Give it back"),
      el("span", { class: "soft" }, "Ctrl+Enter sends")));
  form.dataset.step = item.step;
  form.querySelector("h2").focus({ preventScroll: true });
  scrollTo(0, 0);
};
const skip = async () => {
  await ask("POST", `/v1/work/${current.id}/return`);
  current = null;
  form.replaceChildren(el("p", {}, "Given back."), el("button", { type: "button", onclick: (event) => busy(event.target, next) }, "Next item"));
};
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!current) return;
  await busy(form.querySelector("button.main"), async () => {
    await current.before?.();
    const value = current.value();
    if (value.is === "nothing") throw new Error("answer first, or say that the text does not say");
    try {
      await ask("POST", `/v1/work/${current.id}`, { value });
    } catch (error) {
      // It is somebody else's now, or was kept after all: on to the next one.
      if (error.status !== 409 || /asked already/.test(error.message)) throw error;
      say(error.message);
    }
    await next();
  });
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); form.requestSubmit(); return; }
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input:not([type=checkbox]), textarea, select")) return;
  const act = current?.keys?.[event.key.toLowerCase()];
  if (act) { event.preventDefault(); act(); }
});
next().catch((error) => { form.replaceChildren(el("p", { class: "bad" }, error.message)); });

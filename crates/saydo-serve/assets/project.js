// A project's dashboard: steps, people, agreement, questions, decisions, exports.
import { api, ask, busy, copy, el, say } from "./app.js";
import { boardPart, costPart, instructionsPart, nearPart, partsPart, peoplePart, poolPart, workersPart } from "./collection.js";

const root = document.querySelector("#project");
const id = root.dataset.id;
const kind = root.dataset.kind;
const base = `/v1/projects/${id}`;
const percent = (share) => (share === null || share === undefined ? "–" : `${(100 * share).toFixed(1)}%`);
const number = (value) => (value === null || value === undefined ? "–" : value.toFixed(2));
const STEPS = { base: "1. Base questions", paraphrase: "2. Paraphrases", flip: "3. Semantic flips", compose: "4. Compositions", structure: "5. Output structure",
  answer: kind === "people" ? "Answers" : "7. Answers", judge: "Judgements", code: "Errors", survey: "Ratings", map: "Mapping", verify: "Verification" };
const GENERALIZATIONS = { normal: "base", paraphrase: "paraphrase", target_semantics: "flip", combination: "composition", structure: "structure" };
const button = (text, work, attributes = {}) => el("button", { type: "button", onclick: (event) => busy(event.currentTarget, work), ...attributes }, text);
const table = (head, rows) => el("div", { class: "wide" }, el("table", {}, el("thead", {}, el("tr", {}, head.map((text) => el("th", { scope: "col" }, text)))),
  el("tbody", {}, rows.map(([first, ...cells]) => el("tr", {}, el("th", { scope: "row" }, first), cells.map((cell) => el("td", {}, cell)))))));
let links = {};
let wantedItems = "5";

const stepsPart = (state) => {
  const found = Object.fromEntries(state.steps.map((step) => [step.step, step]));
  const names = kind === "zest" ? ["base", "paraphrase", "flip", "compose", "structure", "answer"] : kind === "people" ? ["answer"] : kind === "instructions" ? ["map", "verify"] : [kind];
  const counted = el("input", { type: "number", min: 1, max: 500, value: wantedItems, oninput: () => { wantedItems = counted.value; } });
  const begin = (step) => async () => {
    const { items, too_few: few } = await api("POST", `${base}/steps`, { step, count: Number(counted.value) });
    say((items ? `${items} items made` : "Every base question has one already") + (few ? `; too few base questions to compose in ${few.join("; ")}` : ""));
    await refresh();
  };
  const rows = names.map((name) => {
    const step = found[name] ?? { items: 0, wanted: 0, answers: 0, complete: 0, seconds: null, stuck: 0 };
    const act = kind !== "zest" ? "" : name === "answer"
      ? button("6. Find passages", async () => {
        const made = await api("POST", `${base}/passages`);
        say(`${made.passages} passages for ${made.questions} questions${made.copied ? `, ${made.copied} of them with those of their base question` : ""}${made.short ? `; ${made.short} questions got fewer than wanted` : ""}`);
        await refresh();
      }, { class: "small" })
      : button("Make items", begin(name), { class: "small", "data-step": name });
    return [STEPS[name], el("progress", { max: Math.max(1, step.wanted), value: step.answers, "aria-label": `Progress of ${STEPS[name]}` }),
      `${step.answers} of ${step.wanted}`, `${step.complete} of ${step.items}`, step.seconds === null ? "–" : `${step.seconds} s`,
      step.stuck ? el("span", { class: "bad" }, `${step.stuck} wait for somebody new`) : "", act];
  });
  return el("section", {}, el("h2", {}, "Steps"),
    kind === "zest" ? el("div", { class: "row" }, el("label", {}, "Items for each domain (base questions and compositions)", counted)) : null,
    table(["Step", "", "Answers", "Items complete", "Time per item", "", ""], rows));
};

const annotatorsPart = (state) => {
  const names = el("input", { placeholder: "Ada, Grace, Edsger", required: true, name: "names" });
  const form = el("form", { class: "row", id: "annotators", onsubmit: async (event) => {
    event.preventDefault();
    await busy(event.submitter, async () => {
      const list = names.value.split(",").map((name) => name.trim()).filter((name) => name);
      const { annotators } = await api("POST", `${base}/annotators`, { names: list });
      annotators.forEach((one) => { links[one.id] = location.origin + one.path; });
      await refresh();
    });
  } }, el("label", { class: "grow" }, "Names, with commas between", names), el("button", { class: "main" }, "Add and make links"));
  const rows = state.annotators.map((one) => [one.name, one.active ? (one.qualified ? (one.pooled ? "" : "out of the pool") : "not qualified") : "left", String(one.answers), one.seconds === null ? "–" : `${one.seconds} s`,
    links[one.id] ? el("span", {}, el("code", { class: "link", "data-name": one.name }, links[one.id]), " ", button("Copy", () => copy(links[one.id]), { class: "small" })) : "",
    el("span", { class: "row" }, button("New link", async () => { links[one.id] = location.origin + (await api("POST", `${base}/annotators/${one.id}/link`)).path; await refresh(); }, { class: "small" }),
      one.active ? button("Remove", async () => { await ask("DELETE", `${base}/annotators/${one.id}`); await refresh(); }, { class: "small" }) : null)]);
  return el("section", {}, el("h2", {}, "Annotators"), el("p", { class: "note" }, "Each has a link of their own, which is shown only now: send it to them. A new link makes the old one void."),
    form, rows.length ? table(["Name", "", "Answers", "Time per item", "Link", ""], rows) : null);
};

const agreementPart = ({ project, agreement, judgements, codes, survey }) => {
  const facts = [];
  if (kind === "zest") facts.push(["Items with two answers or more", String(agreement.items)], ["Agreement", percent(agreement.percent)], ["Cohen's kappa (mean of pairs)", number(agreement.cohen)],
    ["Fleiss' kappa", number(agreement.fleiss)], ["Krippendorff's alpha", number(agreement.krippendorff)]);
  if (judgements) facts.push(["Judgements", String(judgements.judgements)], ["Agreement on accuracy", percent(judgements.accurate.observed)], ["Krippendorff's alpha", number(judgements.accurate.alpha)],
    ["Agreement in the paper", `${judgements.published_agreement}%`]);
  const parts = [el("h2", {}, kind === "survey" ? "Ratings" : "Agreement")];
  if (facts.length) parts.push(el("dl", { class: "facts" }, facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))));
  if (judgements) {
    const share = (answers) => (answers ? `${percent(answers.yes.value)} (${percent(answers.yes.interval[0])} to ${percent(answers.yes.interval[1])})` : "–");
    parts.push(table(["Task", "Outputs", "Judged", "Accurate", "Form"], judgements.tasks.map((task) => [task.name, String(task.outputs), String(task.outputs - task.unjudged), share(task.accurate), share(task.form_consistent)])));
  }
  if (survey) parts.push(table(["Element", "Necessary", "Helpful", "Unneeded"], Object.entries(survey).map(([name, tally]) => [name, String(tally.necessary), String(tally.helpful), String(tally.unneeded)])));
  if (judgements) parts.push(el("p", { class: "row" }, button("Keep with the run", async () => {
    const { kept, run } = await api("POST", `${base}/judgements`);
    say(`${kept} judgements are with ${run}; its report shows them`);
  }), project.settings.run ? el("a", { href: `/runs/${encodeURIComponent(project.settings.run)}/report` }, "The run's report") : null,
  el("span", { class: "soft" }, "Happens by itself once everything is judged.")));
  if (codes) {
    parts.push(el("p", { class: "soft" }, `${codes.items} errors by ${codes.coders.join(", ")}; agreement ${percent(codes.agreement)}, Krippendorff's alpha ${number(codes.alpha)}, ${codes.undecided} without a majority. Code book: ${codes.origin}.`));
    parts.push(table(["Code", "Errors", "Share", "In the paper"], codes.codes.map((code) => [code.code, String(code.count), percent(code.share), code.published === null ? "" : `${code.published}%`])));
    parts.push(el("p", { class: "row" }, button("Keep with the run", async () => {
      const { kept, run } = await api("POST", `${base}/codes`);
      say(`${kept} codes are with ${run}; its report shows them`);
    }), el("a", { href: `/runs/${encodeURIComponent(project.settings.run)}/report` }, "The run's report"), el("span", { class: "soft" }, "Happens by itself once everything is sorted.")));
  }
  if (project.settings.errors && !codes) parts.push(el("p", { class: "soft" }, "Nobody has sorted anything yet."));
  if (kind === "judge" && !project.settings.errors && !judgements) parts.push(el("p", { class: "soft" }, "Nobody has judged anything yet."));
  return el("section", {}, parts);
};

const EXPORTS = { zest: [["zest", "ZEST (JSON Lines)"], ["natural-instructions", "Natural Instructions (JSON)"], ["toml", "Task files (TOML)"], ["release", "Release"], ["amti", "Open items for amti"]], judge: [["judgements", "Sheets for saydo judge"]], board: [["board", "Table and predictions"]], people: [], instructions: [["natural-instructions", "Agreed subtasks (Natural Instructions)"]], survey: [["survey", "Ratings (JSON Lines)"]] };
const crowdPart = () => el("p", { class: "row" }, el("label", { class: "button" }, "Take answers from amti", el("input", { type: "file", class: "unseen", onchange: (event) => busy(null, async () => {
  const got = await api("POST", `${base}/import/amti`, { rows: await event.target.files[0].text() });
  say(`${got.taken} answers taken${got.refused ? `, ${got.refused} not: ${got.reasons.map((one) => `line ${one.line}, ${one.reason}`).slice(0, 3).join("; ")}` : ""}`);
  await refresh();
}) })));
const exportsPart = ({ project }) => el("section", {}, el("h2", {}, "Export"), kind === "zest" ? crowdPart() : null, el("p", { class: "row" }, (project.settings.errors ? [["codes", "Codes for saydo errors"]] : EXPORTS[kind]).map(([format, text]) => button(text, async () => {
  const response = await ask("GET", `${base}/export/${format}`);
  const url = URL.createObjectURL(await response.blob());
  const link = el("a", { href: url, download: response.headers.get("content-disposition").match(/filename="(.+)"/)[1] });
  document.body.append(link);
  link.click();
  link.remove();
  URL.revokeObjectURL(url);
  const lost = Number(response.headers.get("saydo-ambiguous-pieces"));
  if (lost) say(`${lost} ${lost === 1 ? "piece" : "pieces"} of answers hold a |, which stands between pieces in these formats: each will be read as several`);
}))));

const documentsPart = (state) => {
  const add = async (files) => {
    const documents = [];
    for (const file of files) {
      const text = await file.text();
      if (text.trim()) documents.push({ entity: file.name.replace(/\.[^.]+$/, ""), text });
    }
    for (let at = 0; at < documents.length; at += 100) await ask("POST", `${base}/documents`, { documents: documents.slice(at, at + 100) });
    say(`${documents.length} documents kept`);
    await refresh();
  };
  const pick = (text, attributes) => el("label", { class: "button" }, text, el("input", { type: "file", multiple: true, class: "unseen", onchange: (event) => busy(null, () => add(event.target.files)), ...attributes }));
  return el("section", {}, el("h2", {}, "Documents"), el("p", { class: "note" }, `${state.documents} documents. A document is a text file about one thing, and is called after it; paragraphs stand between empty lines.`),
    el("p", { class: "row" }, pick("Choose files", { id: "documents" }), pick("Choose a folder", { webkitdirectory: true })));
};

const questionsPart = (questions, domains) => {
  const text = el("input", { name: "text", required: true, maxlength: 500 });
  const domain = el("select", { name: "domain", "aria-label": "Domain" }, domains.map((name) => el("option", {}, name)));
  const form = el("form", { class: "row", id: "question", onsubmit: async (event) => {
    event.preventDefault();
    await busy(event.submitter, async () => { await api("POST", `${base}/questions`, { text: text.value, domain: domain.value }); await refresh(); });
  } }, el("label", { class: "grow" }, "A base question of your own", text), el("label", {}, "Domain", domain), el("button", {}, "Add"));
  const rows = questions.map((question) => [el("span", { class: question.dropped ? "soft" : "" }, question.text), GENERALIZATIONS[question.generalization] ?? question.generalization, question.part ?? "–",
    question.fields.length ? question.fields.map((field) => field.name).join(", ") : question.kind, question.domain, question.author,
    button(question.dropped ? "Take back in" : "Put aside", async () => { await ask("PATCH", `${base}/questions/${question.id}`, { dropped: !question.dropped }); await refresh(); }, { class: "small" })]);
  return el("section", {}, el("h2", {}, `Questions (${questions.filter((question) => !question.dropped).length})`), form, rows.length ? table(["Question", "Type", "Part", "Answers", "Domain", "By", ""], rows) : null);
};

const textOf = (given) => {
  if (given.is === "spans") return given.spans.map((piece) => piece.text).join("; ");
  if (given.is === "records") return JSON.stringify(given.records);
  return given.is === "na" ? "the text does not say" : given.is;
};
const disputesPart = (state) => (state.disputed === 0 ? null : el("section", { id: "disputes" }, el("h2", {}, `To decide (${state.disputed})`),
  state.disputes.map((item) => el("article", { class: "card" }, el("p", { class: "value" }, item.asked.question), el("div", { class: "passage text" }, item.asked.passage),
    el("p", { class: "row" }, item.answers.map(([name, given]) => button(`${name}: ${textOf(given)}`, async () => { await ask("POST", `${base}/items/${item.id}/decision`, { value: given }); await refresh(); })),
      button("The text does not say", async () => { await ask("POST", `${base}/items/${item.id}/decision`, { value: { is: "na" } }); await refresh(); }))))));

// Numbers of the settings that can be changed while people work.
const NUMBERS = { annotators: "Annotators per passage", annotators_of_records: "The same for records", passages: "Passages per question", qualification: "Qualification items that must be right" };
const settingsPart = ({ project }) => {
  const inputs = Object.fromEntries(Object.keys(NUMBERS).map((name) => [name, el("input", { type: "number", min: name === "qualification" ? 0 : 1, max: 1000, value: project.settings[name] })]));
  const share = el("input", { type: "number", min: 0.01, max: 1, step: 0.01, value: project.settings.entity_share });
  const suggestions = el("input", { type: "checkbox", checked: project.settings.suggestions });
  const save = async () => {
    const numbers = Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, Number(input.value)]));
    await ask("PUT", `${base}/settings`, { ...project.settings, ...numbers, entity_share: Number(share.value), suggestions: suggestions.checked });
    say("Settings kept; they hold for items made from now on");
    await refresh();
  };
  const question = el("input", { required: true, maxlength: 500 });
  const passage = el("textarea", { rows: 3, required: true });
  const gold = el("input", { required: true, placeholder: "yes, no, n/a, or words of the text" });
  const valueOf = (text) => {
    if (["yes", "no"].includes(text)) return { is: text };
    if (text === "n/a") return { is: "na" };
    const at = passage.value.indexOf(text);
    if (at < 0) throw new Error("these words do not stand in the text");
    const start = Array.from(passage.value.slice(0, at)).length;
    return { is: "spans", spans: [{ start, end: start + Array.from(text).length, text }] };
  };
  const qualify = el("form", { id: "qualify", onsubmit: async (event) => {
    event.preventDefault();
    await busy(event.submitter, async () => {
      await ask("POST", `${base}/qualification`, { question: question.value, passage: passage.value, value: valueOf(gold.value.trim()) });
      event.target.reset();
      say("Kept. Everyone meets it before other work.");
    });
  } }, el("h3", {}, "A qualification item"), el("label", {}, "Question", question), el("label", {}, "Text", passage), el("label", {}, "Right answer", gold), el("button", {}, "Add"));
  return el("details", { id: "settings" }, el("summary", {}, "Settings and qualification"), el("div", { class: "two" },
    el("div", {}, Object.entries(NUMBERS).map(([name, text]) => el("label", {}, text, inputs[name])), el("label", {}, "Greatest share of one document", share),
      el("label", { class: "check" }, suggestions, "Annotators may ask what the model would say"), button("Keep settings", save)), qualify));
};
const removal = () => el("p", {}, button("Delete this project with all its answers", async () => {
  if (!confirm("Delete this project with everything in it? This cannot be undone.")) return;
  await ask("DELETE", base);
  location.assign("/projects");
}, { class: "small" }));

const refresh = async () => {
  const state = await api("GET", base);
  const asked = kind === "zest" ? await api("GET", `${base}/questions`) : { questions: [], near: [], split: null };
  const board = kind === "board" ? await api("GET", `${base}/board`) : null;
  const tools = { base, refresh, button, table, percent };
  root.replaceChildren(...[kind === "board" ? boardPart(board, tools) : stepsPart(state), kind === "people" ? peoplePart(state, tools) : null, kind === "instructions" ? instructionsPart(state, tools) : null, annotatorsPart(state),
    kind === "zest" ? poolPart(state, tools) : null, kind === "zest" ? documentsPart(state) : null,
    kind === "zest" ? questionsPart(asked.questions, state.project.settings.domains) : null, kind === "zest" ? partsPart(asked.split, tools) : null, nearPart(asked, tools),
    kind === "people" ? null : disputesPart(state), ["board", "people", "instructions"].includes(kind) ? null : agreementPart(state), kind === "zest" ? costPart(state, tools) : null,
    EXPORTS[kind]?.length ? exportsPart(state) : null, kind === "zest" ? settingsPart(state) : null, kind === "zest" ? workersPart(state, tools) : null, removal()].filter((part) => part));
};
refresh().catch((error) => { root.replaceChildren(el("p", { class: "bad" }, error.message)); });

// Parts of a project's page that collecting adds: parts of the data, near-duplicates, the pool, cost, people, leaderboards.
import { api, ask, busy, el, say } from "./app.js";
import { ranking } from "./ranking.js";

const dollars = (amount) => (amount === null || amount === undefined ? "–" : `$${amount.toFixed(2)}`);
const hours = (seconds) => `${(seconds / 3600).toFixed(1)} h`;

export const partsPart = (split, { base, refresh, button, table }) => {
  const rows = ["train", "dev", "test"].map((part, at) => [part, String(split.base[at]), String(split.all[at])]);
  const notes = [];
  if (split.joined) notes.push(`${split.joined} base questions were joined by compositions before they were split: they go into one part together.`);
  if (split.crossing) notes.push(`${split.crossing} questions are in another part than what they were made from: this cannot be released.`);
  return el("section", { id: "parts" }, el("h2", {}, "Parts"), el("p", { class: "note" }, "Base questions are split 40/10/50 before anything is made of them; what is made of them stays in their part."),
    table(["Part", "Base questions", "All questions"], rows), notes.map((note) => el("p", { class: "bad" }, note)),
    button("Split the base questions now", async () => { await ask("POST", `${base}/split`); await refresh(); }, { class: "small" }));
};

export const nearPart = ({ questions, near }, { base, refresh, button, table, percent }) => {
  if (!near.length) return null;
  const of = Object.fromEntries(questions.map((question) => [question.id, question]));
  const drop = (id) => button("Put aside", async () => { await ask("PATCH", `${base}/questions/${id}`, { dropped: true }); await refresh(); }, { class: "small" });
  const rows = near.map(({ questions: [one, other], overlap }) => [of[one].text, drop(one), of[other].text, drop(other), percent(overlap)]);
  return el("section", { id: "near" }, el("h2", {}, `Nearly the same (${near.length})`), el("p", { class: "note" }, "Questions of different families that share most of their words or letters. In different parts they would be the same task twice."),
    table(["Question", "", "Another", "", "In common"], rows));
};

export const poolPart = (state, { base, refresh, table, percent }) => {
  const judged = state.annotators.filter((one) => one.judged);
  if (!judged.length) return null;
  const least = el("input", { type: "number", min: 0, max: 1, step: 0.01, value: 0.8, required: true });
  const answers = el("input", { type: "number", min: 1, max: 10000, value: 10, required: true });
  const form = el("form", { class: "row", id: "narrow", onsubmit: async (event) => {
    event.preventDefault();
    await busy(event.submitter, async () => {
      const { removed } = await api("POST", `${base}/pool`, { least: Number(least.value), answers: Number(answers.value) });
      say(removed.length ? `Out of the pool: ${removed.join(", ")}` : "Everybody stays in the pool");
      await refresh();
    });
  } }, el("label", {}, "Least agreement with the combined answer", least), el("label", {}, "Judged by at least so many answers", answers), el("button", {}, "Narrow the pool"));
  const back = (one) => el("button", { type: "button", class: "small", onclick: (event) => busy(event.target, async () => {
    await ask("POST", `${base}/pool/${one.id}`, { pooled: !one.pooled });
    await refresh();
  }) }, one.pooled ? "Take out" : "Take back in");
  const rows = judged.map((one) => [one.name, percent(one.quality), String(one.judged), one.pooled ? "in the pool" : "out", back(one)]);
  return el("section", { id: "pool" }, el("h2", {}, "Pool"), el("p", { class: "note" }, "Quality is how often an answer is the combined one, over items with all their answers. Whoever is out gets no more work; their answers stay."),
    form, table(["Name", "Quality", "Answers judged", "", ""], rows));
};

export const costPart = (state, { table }) => {
  const { cost } = state;
  const paid = state.steps.filter((step) => step.reward !== null);
  const facts = [["Time worked", hours(cost.seconds)], ["Spent", dollars(cost.spent)], ["Forecast", dollars(cost.forecast)], ["Forecast per question", dollars(cost.per_task)], ["Forecast per passage answered", dollars(cost.per_gold_row)]];
  const rows = paid.map((step) => [step.step, dollars(step.reward), step.seconds === null ? "–" : `${step.seconds} s`, dollars(step.hourly), dollars(step.cost), dollars(step.forecast)]);
  return el("section", { id: "cost" }, el("h2", {}, "Cost"), paid.length ? null : el("p", { class: "note" }, "Set what a step pays under “Workers and pay” to see what everything costs."),
    el("dl", { class: "facts" }, facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))),
    rows.length ? table(["Step", "Reward", "Time per item", "Per hour", "Spent", "Forecast"], rows) : null);
};

const STEPS = ["base", "paraphrase", "flip", "compose", "structure", "answer"];
export const workersPart = (state, { base, refresh }) => {
  const { settings } = state.project;
  const number = (value, attributes) => el("input", { type: "number", value, ...attributes });
  const rewards = Object.fromEntries(STEPS.map((step) => [step, number(settings.rewards[step] ?? "", { min: 0, max: 1000, step: 0.01 })]));
  const fee = number(settings.fee, { min: 0, max: 1, step: 0.01 });
  const approval = number(settings.requirements.approval, { min: 0, max: 100 });
  const approved = number(settings.requirements.approved, { min: 0 });
  const mark = number(settings.requirements.pass_mark, { min: 0, max: 100 });
  const country = el("input", { value: settings.requirements.country, maxlength: 2, pattern: "[A-Z]{2}" });
  const test = el("input", { value: settings.requirements.test, maxlength: 100 });
  const license = el("input", { value: settings.license, required: true });
  const keep = el("form", { onsubmit: async (event) => {
    event.preventDefault();
    await busy(event.submitter, async () => {
      const set = Object.entries(rewards).filter(([, input]) => input.value !== "").map(([step, input]) => [step, Number(input.value)]);
      await ask("PUT", `${base}/settings`, { ...settings, rewards: Object.fromEntries(set), fee: Number(fee.value), license: license.value.trim(),
        requirements: { approval: Number(approval.value), approved: Number(approved.value), country: country.value.trim(), pass_mark: Number(mark.value), test: test.value.trim() } });
      say("Kept");
      await refresh();
    });
  } }, el("div", { class: "two" },
    el("fieldset", {}, el("legend", {}, "Reward for an answer (USD)"), STEPS.map((step) => el("label", {}, step, rewards[step])), el("label", {}, "The platform's fee (share)", fee)),
    el("fieldset", {}, el("legend", {}, "Workers of a crowd platform"), el("label", {}, "Approved assignments (percent)", approval), el("label", {}, "Approved assignments (number)", approved),
      el("label", {}, "Country (two letters; empty for any)", country), el("label", {}, "Id of the test (from amti create-qualificationtype)", test), el("label", {}, "Pass mark of the test (percent)", mark),
      el("label", {}, "License of a release", license))), el("button", {}, "Keep"));
  return el("details", { id: "workers" }, el("summary", {}, "Workers and pay"), keep);
};

export const peoplePart = (state, { base, button, table, percent }) => {
  const { people } = state;
  if (!people) return el("section", {}, el("h2", {}, "Scores"), el("p", { class: "soft" }, "Nobody has answered anything yet."));
  const { agreement } = people;
  const number = (value) => (value === null ? "–" : value.toFixed(2));
  return el("section", { id: "people" }, el("h2", {}, "Scores"), el("p", { class: "note" }, `${people.answers} of ${people.of_answers} passages answered, of ${people.tasks} of ${people.of_tasks} tasks.`),
    people.tables.map((one) => el("div", {}, el("h3", {}, one.title), one.note ? el("p", { class: "note" }, one.note) : null, table(one.header, one.rows))),
    people.notes.map((note) => el("p", { class: "note" }, note)),
    agreement.items ? el("p", {}, `Agreement over ${agreement.items} passages: ${percent(agreement.percent)}, Krippendorff's alpha ${number(agreement.krippendorff)}.`) : null,
    button("Keep as a run and on the leaderboard", async () => {
      const { run, board } = await api("POST", `${base}/people`);
      say([run ? `the run ${run} is among the runs` : "there is no folder of runs", board ? `and on leaderboard ${board}` : ""].join(" ").trim());
    }));
};

export const boardPart = (board, { base, refresh, button }) => el("section", { id: "board" }, el("h2", {}, "Ranking"),
  el("p", { class: "note" }, `Whoever has a link may send ${board.per_day} files a day. The gold stays on the server.`),
  ranking(board, (entry) => button("Remove", async () => { await ask("DELETE", `${base}/submissions/${entry.id}`); await refresh(); }, { class: "small" })));

export const instructionsPart = ({ instructions }, { base, refresh, button, table }) => {
  const lines = instructions.template.split(/\r?\n/);
  const { subtasks } = instructions;
  const depth = (one) => (one.parent === null ? 0 : 1 + depth(subtasks.find((other) => other.id === one.parent)));
  const title = el("input", { required: true, maxlength: 200 });
  const number = (value) => el("input", { type: "number", min: 1, max: lines.length, value, required: true });
  const [first, last] = [number(1), number(lines.length)];
  const parent = el("select", {}, el("option", { value: "" }, "the whole template"), subtasks.filter((one) => one.state === "open").map((one) => el("option", { value: one.id }, one.title)));
  const form = el("form", { class: "row", id: "divide", onsubmit: async (event) => {
    event.preventDefault();
    await busy(event.submitter, async () => {
      await ask("POST", `${base}/subtasks`, { title: title.value, first: Number(first.value), last: Number(last.value), ...(parent.value ? { parent: Number(parent.value) } : {}) });
      await refresh();
    });
  } }, el("label", { class: "grow" }, "A minimal subtask", title), el("label", {}, "From line", first), el("label", {}, "To line", last), el("label", {}, "Part of", parent), el("button", {}, "Divide off"));
  const rows = subtasks.map((one) => [`${"— ".repeat(depth(one))}${one.title}`, `${one.first} to ${one.last}`, one.state, String(one.round), `${one.seconds.map} s`, `${one.seconds.verify} s`,
    one.state === "open" ? button("Remove", async () => { await ask("DELETE", `${base}/subtasks/${one.id}`); await refresh(); }, { class: "small" }) : ""]);
  const each = (value) => (value === null ? "–" : value.toFixed(1));
  const facts = [["Subtasks agreed on", String(instructions.agreed)], ["Rounds per subtask", each(instructions.rounds_per_subtask)], ["Seconds of mapping per subtask", each(instructions.seconds_per_subtask.map)], ["Seconds of verifying per subtask", each(instructions.seconds_per_subtask.verify)]];
  return el("section", { id: "instructions" }, el("h2", {}, "Template and subtasks"), el("p", { class: "note" }, "Divide the raw template into the smallest tasks that stand alone. One person maps each, another verifies it, until both agree."),
    el("pre", { class: "text code" }, lines.map((line, at) => `${String(at + 1).padStart(3)}  ${line}`).join("\n")), form,
    rows.length ? table(["Subtask", "Lines", "State", "Rounds", "Mapping", "Verifying", ""], rows) : null,
    el("p", {}, button("Hand out for mapping", async () => {
      const { items } = await api("POST", `${base}/mapping`);
      say(items ? `${items} subtasks handed out` : "Every undivided subtask is handed out already");
      await refresh();
    })), el("dl", { class: "facts" }, facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))));
};

"use strict";
// Lists the instances of the page: filters, sorting, pages, and a row's texts when it is opened. Everything that comes
// from a run goes into the page as text and never as markup.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const PAGE = 25;
  const MANY = data.runs.length > 1;

  const make = (name, className, ...children) => {
    const element = document.createElement(name);
    if (className) element.className = className;
    element.append(...children);
    return element;
  };
  const text = (place) => (place < 0 ? null : data.strings[place]);
  const count = (number) => number.toLocaleString("en-US");
  const percent = (share) => (share === null || share === undefined ? "–" : (100 * share).toFixed(1));
  const line = (string) => string.replace(/\s+/g, " ").trim();

  // A sample as an object with names; made when it is looked at, because there may be tens of thousands.
  const sampleOf = (run, number) => {
    const [[instance, layout, decoding, draw], texts, status, confidence, metrics] = run.samples[number];
    const [task, name, input, gold] = run.instances[instance];
    const [prefix, before, after, reply, pattern, error] = texts;
    return { run, number, task, name, input, gold, layout, decoding, draw, prefix, before, after, reply, pattern, error,
      status, confidence, metrics, score: metrics.length ? metrics[0] : null };
  };
  const isWrong = (sample) => sample.score !== null && sample.score < 1;
  const wayOf = (sample) => {
    const { run } = sample;
    const parts = [text(run.tasks[sample.task][0])];
    if (run.layouts.length > 1) parts.push(run.layouts[sample.layout]);
    if (run.decodings.length > 1) parts.push(run.decodings[sample.decoding]);
    if (sample.draw > 0) parts.push(`draw ${sample.draw + 1}`);
    return parts.join(" · ");
  };

  // The texts that hold what is searched for: each is read once, however many samples share it.
  const matcher = (query) => {
    const wanted = query.trim().toLowerCase();
    if (!wanted) return null;
    const found = data.strings.map((string) => string.toLowerCase().includes(wanted));
    return (sample) => [sample.input, sample.reply, sample.prefix, sample.before, sample.after, sample.pattern,
      sample.error, ...sample.gold, ...sample.run.tasks[sample.task]].some((place) => place >= 0 && found[place]);
  };

  // Opened rows.
  const block = (name, string, className) => {
    const body = make("div", "text");
    body.tabIndex = 0;
    body.setAttribute("role", "group");
    body.setAttribute("aria-label", name);
    if (string === null) body.append(make("em", "", "none"));
    else if (string === "") body.append(make("em", "", "empty"));
    else body.append(string);
    return make("div", className, make("p", "name", name), body);
  };
  const facts = (pairs) => {
    const list = make("dl", "facts");
    for (const [name, value] of pairs) list.append(make("div", "", make("dt", "", name), make("dd", "", value)));
    return list;
  };
  const promptOf = (sample) => {
    const prompt = make("div", "text");
    prompt.tabIndex = 0;
    const prefix = text(sample.prefix);
    if (prefix) {
      const shared = make("details", "", make("summary", "tag", `Shared beginning, ${count(prefix.length)} characters`), prefix);
      prompt.append(shared);
    }
    prompt.append(text(sample.before));
    if (sample.after >= 0) prompt.append(make("mark", "", text(sample.input)), text(sample.after));
    const isEmpty = !prefix && sample.after < 0 && !text(sample.before);
    if (isEmpty) prompt.append(make("em", "", "not recorded"));
    return make("details", "table", make("summary", "", "Prompt"), prompt);
  };
  const goldOf = (sample) => {
    const texts = sample.gold.map((place) => data.strings[place]);
    return texts.length ? texts.join("\n") : null;
  };
  const outcomeOf = (sample) => {
    const list = data.metrics.map((metric, place) => [metric, percent(sample.metrics[place])]);
    list.push(["status", sample.run.statuses[sample.status]]);
    if (sample.confidence !== null) list.push(["confidence", percent(sample.confidence)]);
    if (sample.pattern >= 0) list.push(["pattern", text(sample.pattern)]);
    return list;
  };
  const askedOf = (sample) => [["task", text(sample.run.tasks[sample.task][0])], ["instance", sample.name],
    ["layout", sample.run.layouts[sample.layout]], ["decoding", sample.run.decodings[sample.decoding]]]
    .concat(sample.run.decodings.length > 1 || sample.draw > 0 ? [["draw", String(sample.draw + 1)]] : []);
  const errorOf = (sample) => (sample.error >= 0 ? [block("Error", text(sample.error))] : []);
  const taskOf = (sample) => {
    const description = text(sample.run.tasks[sample.task][1]);
    return description ? [block("Task", description)] : [];
  };

  // One list with its filters. `fields` say what can be chosen, `rows` are what is listed.
  const browse = (frame, what, rows, fields, sorts, search, draw) => {
    const form = frame.querySelector("form");
    const [previous, next] = frame.querySelectorAll(".pages button");
    const where = frame.querySelector(".pages span");
    const list = frame.querySelector(".rows");
    const found = frame.querySelector(".found");
    let shown = [];
    let page = 0;

    const labeled = (name, element, className) => {
      form.append(className ? make("label", className, element, name) : make("label", "", name, element));
      return element;
    };
    const box = labeled("Search", make("input"));
    box.type = "search";
    box.name = "search";
    const choices = fields.map(({ name, options, keeps }) => {
      const choice = labeled(name, make("select"));
      choice.name = name.toLowerCase();
      choice.append(new Option("all", ""));
      options.forEach((option, place) => choice.append(new Option(option, String(place))));
      return { choice, keeps };
    });
    const order = labeled("Sort", make("select"));
    order.name = "sort";
    sorts.forEach(({ name }, place) => order.append(new Option(name, String(place))));

    const show = () => {
      const pages = Math.max(1, Math.ceil(shown.length / PAGE));
      page = Math.min(Math.max(page, 0), pages - 1);
      list.replaceChildren(...shown.slice(page * PAGE, (page + 1) * PAGE).map((row) => make("li", "", draw(row))));
      where.textContent = `Page ${count(page + 1)} of ${count(pages)}`;
      previous.disabled = page === 0;
      next.disabled = page === pages - 1;
    };
    const update = () => {
      const tests = choices.filter(({ choice }) => choice.value !== "")
        .map(({ choice, keeps }) => { const place = Number(choice.value); return (row) => keeps(row, place); });
      const matches = matcher(box.value);
      if (matches) tests.push((row) => search(row, matches));
      shown = rows.filter((row) => tests.every((test) => test(row)));
      const { compare } = sorts[Number(order.value)];
      if (compare) shown.sort(compare);
      page = 0;
      found.textContent = `${count(shown.length)} of ${count(rows.length)} ${what}`;
      show();
    };
    let waiting;
    form.addEventListener("input", (event) => {
      clearTimeout(waiting);
      waiting = setTimeout(update, event.target === box ? 150 : 0);
    });
    form.addEventListener("submit", (event) => { event.preventDefault(); update(); });
    const turn = (by) => () => { page += by; show(); frame.scrollIntoView({ block: "start" }); };
    previous.addEventListener("click", turn(-1));
    next.addEventListener("click", turn(1));
    frame.hidden = false;
    update();
  };

  // A row that is closed, and what it holds once it is opened.
  const row = (summary, body) => {
    const details = make("details", "", summary);
    details.addEventListener("toggle", () => { if (details.open && details.children.length === 1) details.append(body()); });
    return details;
  };

  const names = (list) => [...new Set(list)];
  const taskNames = names(data.runs.flatMap((run) => run.tasks.map(([id]) => text(id)))).sort();
  const layoutNames = names(data.runs.flatMap((run) => run.layouts));
  const decodingNames = names(data.runs.flatMap((run) => run.decodings));
  const statusNames = names(data.runs.flatMap((run) => run.statuses));
  const patternNames = names(data.runs.flatMap((run) => run.samples.map((sample) => text(sample[1][4])))).filter(Boolean).sort();
  const several = (field) => field.options.length > 1;
  const taskField = (sample) => ({ name: "Task", options: taskNames,
    keeps: (row, place) => text(sample(row).run.tasks[sample(row).task][0]) === taskNames[place] });
  const wayFields = (sample) => [
    { name: "Layout", options: layoutNames, keeps: (row, place) => sample(row).run.layouts[sample(row).layout] === layoutNames[place] },
    { name: "Decoding", options: decodingNames, keeps: (row, place) => sample(row).run.decodings[sample(row).decoding] === decodingNames[place] },
  ];
  const none = Number.POSITIVE_INFINITY;
  const by = (value, sign) => (a, b) => {
    const [x, y] = [value(a), value(b)];
    return (x === null ? none : sign * x) - (y === null ? none : sign * y) || 0;
  };

  const samples = data.runs.flatMap((run) => run.samples.map((_, number) => sampleOf(run, number)));
  const itself = (sample) => sample;
  const drawSample = (sample) => {
    const reply = text(sample.reply);
    const gold = goldOf(sample);
    const className = sample.score === null ? "score" : isWrong(sample) ? "score bad" : "score good";
    const summary = make("summary", "", make("span", className, percent(sample.score)),
      make("span", "cut", make("span", "tag", "said "), line(reply ?? `(${sample.run.statuses[sample.status]})`)),
      make("span", "cut", make("span", "tag", "gold "), line(gold ?? "(not known)")),
      make("span", "tag cut", (MANY ? `${sample.run.name} · ` : "") + wayOf(sample)));
    return row(summary, () => make("div", "body",
      make("div", "two", block("Reply", reply), block("Gold", gold)), ...errorOf(sample), facts(outcomeOf(sample)),
      ...taskOf(sample), block("Input", text(sample.input)), promptOf(sample), facts(askedOf(sample))));
  };
  const hasConfidence = samples.some((sample) => sample.confidence !== null);
  browse(document.getElementById("samples"), "samples", samples, [
    { name: "Run", options: data.runs.map((run) => run.name), keeps: (sample, place) => sample.run === data.runs[place] },
    taskField(itself),
    ...wayFields(itself),
    { name: "Result", options: ["wrong only", "right only", "no score"],
      keeps: (sample, place) => [isWrong(sample), sample.score !== null && !isWrong(sample), sample.score === null][place] },
    { name: "Status", options: statusNames, keeps: (sample, place) => sample.run.statuses[sample.status] === statusNames[place] },
    { name: "Pattern", options: patternNames, keeps: (sample, place) => text(sample.pattern) === patternNames[place] },
  ].filter((field) => several(field) || (field.name === "Pattern" && patternNames.length > 0)), [
    { name: "as asked" },
    { name: "lowest score first", compare: by((sample) => sample.score, 1) },
    { name: "highest score first", compare: by((sample) => sample.score, -1) },
    ...(hasConfidence ? [
      { name: "least confident first", compare: by((sample) => sample.confidence, 1) },
      { name: "most confident first", compare: by((sample) => sample.confidence, -1) },
    ] : []),
  ], (sample, matches) => matches(sample), drawSample);

  const changes = document.getElementById("changes");
  if (!changes) return;
  const [one, other] = data.runs;
  const pairs = data.pairs.map(([a, b]) => {
    const pair = { a: sampleOf(one, a), b: sampleOf(other, b) };
    pair.change = pair.a.score === null || pair.b.score === null ? null : pair.b.score - pair.a.score;
    return pair;
  });
  const first = (pair) => pair.a;
  const signed = (change) => (change === null ? "–" : (change > 0 ? "+" : "") + (100 * change).toFixed(1));
  const drawPair = (pair) => {
    const className = !pair.change ? "score" : pair.change < 0 ? "score bad" : "score good";
    const said = (sample) => line(text(sample.reply) ?? `(${sample.run.statuses[sample.status]})`);
    const summary = make("summary", "", make("span", className, signed(pair.change)),
      make("span", "cut", make("span", "tag", `${one.name}: `), said(pair.a)),
      make("span", "cut", make("span", "tag", `${other.name}: `), said(pair.b)),
      make("span", "tag cut", wayOf(pair.a)));
    const side = (sample) => make("div", "body", block(`Reply of ${sample.run.name}`, text(sample.reply)),
      ...errorOf(sample), facts(outcomeOf(sample)), promptOf(sample));
    return row(summary, () => make("div", "body", make("div", "two", side(pair.a), side(pair.b)),
      block("Gold", goldOf(pair.a)), ...taskOf(pair.a), block("Input", text(pair.a.input)), facts(askedOf(pair.a))));
  };
  browse(changes, "pairs", pairs, [
    { name: "Change", options: ["better", "worse", "another reply", "same score"],
      keeps: (pair, place) => [pair.change > 0, pair.change < 0, pair.a.reply !== pair.b.reply, pair.change === 0][place] },
    ...[taskField(first), ...wayFields(first)].filter(several),
  ], [
    { name: "largest loss first", compare: by((pair) => pair.change, 1) },
    { name: "largest gain first", compare: by((pair) => pair.change, -1) },
    { name: "as asked" },
  ], (pair, matches) => matches(pair.a) || matches(pair.b), drawPair);
})();

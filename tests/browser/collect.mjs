// A whole collection in Chromium, by four made-up workers and an owner: 20 base questions, variations, passages from 30 documents,
// answers by three, agreement, a release, and a model and people on a leaderboard. The server is killed after every step.
//
// SAYDO_BROWSER_TESTS=1 SAYDO_BIN=target/debug/saydo node --test tests/browser/collect.mjs
//
// SAYDO_SCREENSHOTS is a folder for pictures. The test fails on any message in the console and any error of a page.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const isWanted = Boolean(process.env.SAYDO_BROWSER_TESTS);
const skip = isWanted ? false : "SAYDO_BROWSER_TESTS is not set";
const repository = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const binary = resolve(process.env.SAYDO_BIN ?? join(repository, "target/debug/saydo"));
const pictures = process.env.SAYDO_SCREENSHOTS;
const TOKEN = "collect-test-0123456789";

let folder;
let browser;
let server;
let address;
const faults = [];

const environment = () => ({ ...process.env, SAYDO_HOME: join(folder, "home"), SAYDO_TOKEN: TOKEN });
const saydo = (...parts) => execFileSync(binary, parts, { cwd: folder, encoding: "utf8", env: environment() });
const start = (listen) => new Promise((resolved, failed) => {
  server = spawn(binary, ["serve", "--listen", listen, "--data", join(folder, "data"), "--no-model", "--quiet"], { env: environment() });
  let text = "";
  server.stderr.on("data", (data) => {
    text += data;
    const found = text.match(/serving on (http:\/\/[^\s/]+)/);
    if (found) resolved(found[1]);
  });
  server.on("exit", () => failed(new Error(`the server ended: ${text}`)));
});
// As the system kills: no handler runs. The pages stay open and go on.
const killed = async () => {
  server.removeAllListeners("exit");
  const gone = new Promise((done) => server.on("exit", done));
  server.kill("SIGKILL");
  await gone;
  assert.equal(await start(address.replace("http://", "")), address);
};

before(async () => {
  if (!isWanted) return;
  const { chromium } = await import("playwright-core");
  folder = mkdtempSync(join(tmpdir(), "saydo-collect-"));
  if (pictures) mkdirSync(pictures, { recursive: true });
  address = await start("127.0.0.1:0");
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
});
after(async () => {
  await browser?.close();
  server?.removeAllListeners("exit");
  server?.kill("SIGTERM");
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const person = async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  page.on("console", (message) => faults.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  return page;
};
const picture = async (page, name) => { if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true }); };
const settled = (page) => page.waitForFunction(() => document.querySelector("#work h2") || /nothing left|Others hold/.test(document.querySelector("#work").textContent));
const send = async (page) => {
  const told = await page.locator("#done").textContent();
  await page.keyboard.press("Control+Enter");
  await page.waitForFunction((text) => document.querySelector("#done").textContent !== text, told);
  await settled(page);
};
// Everybody works in turn until nothing is left for anybody.
const work = async (people, fill) => {
  let sent = 0;
  for (let before = -1; before !== sent;) {
    before = sent;
    for (const page of people) {
      await page.reload();
      await settled(page);
      while (await page.locator("#work h2").count()) {
        await fill(page, sent);
        await send(page);
        sent += 1;
        // Writing goes round, so that questions have several authors.
        if (await page.locator("#work [name=question]").count()) break;
      }
    }
  }
  return sent;
};
const invite = async (owner, names, begin = "**/work") => {
  await owner.getByLabel("Names, with commas between").fill(names.join(", "));
  await owner.getByRole("button", { name: "Add and make links" }).click();
  const pages = [];
  for (const name of names) {
    const page = await person();
    await page.goto(await owner.locator(`code.link[data-name="${name}"]`).textContent());
    await page.getByRole("button", { name: "Begin" }).click();
    await page.waitForURL(begin);
    pages.push(page);
  }
  return pages;
};
const download = async (owner, button, to) => {
  const [file] = await Promise.all([owner.waitForEvent("download"), owner.getByRole("button", { name: button, exact: true }).click()]);
  const archive = join(folder, `${to}.zip`);
  await file.saveAs(archive);
  execFileSync("python3", ["-m", "zipfile", "-e", archive, join(folder, to)]);
};

const THINGS = ["dogs", "horses", "bicycles", "tents", "campfires", "boats", "drones", "skis", "kayaks", "picnics", "rods", "children", "guitars", "hammocks", "wheelchairs", "sledges", "parachutes", "detectors", "rafts", "trailers"];
const document = (number) => THINGS.map((thing, place) => `In Park${number} ${thing} are ${(place + number) % 3 === 0 ? "not " : ""}allowed.`).join("\n\n");
const step = async (owner, name, count) => {
  await owner.reload();
  await owner.getByLabel("Items for each domain").fill(String(count));
  const answered = owner.waitForResponse((response) => response.url().endsWith("/steps"));
  await owner.locator(`[data-step=${name}]`).click();
  const response = await answered;
  assert.equal(response.status(), 200, await response.text());
  return (await response.json()).items;
};
// What is right, read off the page.
const answer = async (page) => {
  const passage = await page.locator("#work .passage, #work .choosable").first().textContent();
  const question = (await page.locator("#work .value").textContent()).toLowerCase();
  const isAbout = THINGS.some((thing) => question.includes(thing) && passage.includes(thing));
  if (!isAbout) return page.keyboard.press("a");
  const isAllowed = !passage.includes("not allowed");
  if (await page.locator("table.grid").count()) {
    await page.locator(".w").nth(1).click();
    await page.locator(".w").nth(1).click();
    return page.locator("table.grid select").selectOption(isAllowed ? "yes" : "no");
  }
  if (await page.locator(".choosable").count()) {
    await page.locator(".w").nth(1).click();
    await page.locator(".w").nth(1).click();
    return page.locator(".chip").first().waitFor();
  }
  return page.keyboard.press(isAllowed ? "y" : "n");
};

test("four workers and an owner collect, release and rank", { skip, timeout: 1_800_000 }, async () => {
  const owner = await person();
  owner.on("dialog", (dialog) => dialog.accept());
  await owner.goto(`${address}/login`);
  await owner.getByLabel("The token").fill(TOKEN);
  await owner.getByRole("button", { name: "Log in" }).click();
  await owner.waitForURL(`${address}/`);
  await owner.goto(`${address}/projects`);
  const begin = owner.locator("#collect");
  await begin.getByLabel("Name").fill("Parks");
  await begin.getByLabel("Domains").fill("parks");
  await begin.getByLabel("Passages per question").fill("1");
  await begin.getByRole("button", { name: "Begin" }).click();
  await owner.waitForURL("**/projects/*");
  const project = owner.url();
  await owner.locator("#documents").setInputFiles(Array.from({ length: 30 }, (_, number) => ({ name: `Park${number}.txt`, mimeType: "text/plain", buffer: Buffer.from(document(number)) })));
  await owner.getByText("30 documents.").waitFor();
  // Records by three too, and pay.
  await owner.getByText("Settings and qualification").click();
  await owner.getByLabel("The same for records").fill("3");
  await owner.getByRole("button", { name: "Keep settings" }).click();
  await owner.getByText("Settings kept").waitFor();
  await owner.getByText("Workers and pay", { exact: true }).click();
  await owner.locator("#workers").getByLabel("answer", { exact: true }).fill("0.08");
  await owner.locator("#workers").getByRole("button", { name: "Keep" }).click();
  await owner.getByText("Kept", { exact: true }).waitFor();
  const people = await invite(owner, ["Ada", "Grace", "Edsger", "Alan"]);
  people.forEach((page) => page.on("dialog", (dialog) => dialog.accept()));
  await killed();

  // 20 base questions, split before anything is made of them.
  assert.equal(await step(owner, "base", 20), 20);
  assert.equal(await work(people, (page, at) => page.getByLabel("Your question").fill(at % 2 === 0 ? `Are ${THINGS[at]} allowed?` : `Which park allows ${THINGS[at]}?`)), 20);
  await killed();

  // Variations: never by the author.
  const vary = async (page) => {
    const kind = await page.locator("#work").getAttribute("data-step");
    const text = kind === "compose" ? "What of all of this" : (await page.locator("#work blockquote").textContent()).replace("?", "");
    const written = { paraphrase: `${text} in this place, please?`, flip: `${text.replace("allow", "forbid")}?`, compose: `${text}, number ${Math.random()}?`, structure: `${text}: list them.` };
    await page.locator("[name=question]").fill(written[kind]);
    if (kind === "flip") {
      await page.getByText(/of the words differ|is answered with/).waitFor();
      await picture(page, "work-flip-distance");
    }
    if (kind === "compose") for (const pick of [0, 2]) await page.locator("[name=pick]").nth(pick).check();
    if (kind === "structure") {
      await page.getByLabel("Name of the field").nth(0).fill("park");
      await page.getByLabel("Name of the field").nth(1).fill("allowed");
      await page.getByLabel("What the field holds").nth(1).selectOption("yes-no");
    }
  };
  for (const [name, count, items] of [["paraphrase", 1, 20], ["flip", 1, 20], ["compose", 9, 9], ["structure", 1, 20]]) {
    assert.equal(await step(owner, name, count), items, name);
    assert.equal(await work(people, vary), items, name);
    await killed();
  }
  await owner.reload();
  await owner.locator("#parts").waitFor();
  assert.deepEqual(await owner.locator("#parts tbody tr").allTextContents(), ["train836", "dev28", "test1045"]);

  // Passages, answers by three, agreement.
  await owner.getByRole("button", { name: "6. Find passages" }).click();
  await owner.getByText(/passages for 89 questions, 20 of them with those of their base question/).waitFor();
  await killed();
  const answers = await work(people, answer);
  assert.equal(answers, 3 * 89);
  await killed();
  await owner.reload();
  await owner.getByRole("heading", { name: "Agreement" }).waitFor();
  assert.match(await owner.locator(".facts").first().textContent(), /Items with two answers or more89/);
  assert.match(await owner.locator("#cost").textContent(), /Spent\$25\.63/);
  await picture(owner, "project-collected");

  // A release that evaluation runs on, and the folders for a crowd platform.
  await download(owner, "Release", "release");
  execFileSync("sha256sum", ["--quiet", "-c", "checksums.sha256"], { cwd: join(folder, "release") });
  const lines = (name) => readFileSync(join(folder, "release", name), "utf8").trim().split("\n").length;
  assert.deepEqual(["train.jsonl", "dev.jsonl", "test_unanswered.jsonl"].map(lines), [36, 8, 45]);
  saydo("lint", "release/train.jsonl", "release/dev.jsonl", "release/test-answers/test.jsonl");
  saydo("eval", "zest", "--data", "release/test-answers/test.jsonl", "--model", "baseline:always-na", "-o", "home/runs/na", "--quiet");

  // A leaderboard over the test part: a model, and people.
  await owner.goto(`${address}/projects`);
  await owner.locator("#board").getByLabel("Name").fill("Parks test");
  await owner.locator("#board").getByLabel("Or the test part of a project").selectOption("Parks");
  await owner.locator("#board").getByRole("button", { name: "Begin" }).click();
  await owner.waitForURL((url) => url.href !== `${address}/projects` && url.pathname.startsWith("/projects/"));
  const board = owner.url();
  const [model] = await invite(owner, ["Model"], "**/board");
  await killed();
  const predict = async (count) => {
    await model.getByLabel("Name of the model").fill("always n/a");
    await model.getByLabel("Predictions").setInputFiles({ name: "p.txt", mimeType: "text/plain", buffer: Buffer.from("n/a\n".repeat(count)) });
    await model.getByRole("button", { name: "Submit" }).click();
  };
  await predict(44);
  await model.getByText(/the file has 44 predictions, expected 45/).waitFor();
  faults.splice(0);
  await predict(45);
  await model.getByText(/^Scored: C@90/).waitFor();
  await model.getByText("2 of 3 files are left for today").waitFor();
  await killed();

  await owner.goto(`${address}/projects`);
  await owner.locator("#people").getByLabel("Name").fill("People");
  await owner.locator("#people").getByLabel("Or the tasks of a leaderboard").selectOption("Parks test");
  await owner.locator("#people").getByRole("button", { name: "Begin" }).click();
  await owner.waitForURL((url) => url.href !== `${address}/projects` && url.pathname.startsWith("/projects/"));
  const [human] = await invite(owner, ["Hopper"]);
  assert.equal(await work([human], answer), 45);
  await killed();
  await owner.reload();
  await owner.getByText("45 of 45 passages answered").waitFor();
  await picture(owner, "project-people");
  await owner.getByRole("button", { name: "Keep as a run and on the leaderboard" }).click();
  await owner.getByText(/is among the runs and on leaderboard/).waitFor();
  await killed();
  await owner.goto(board);
  await owner.locator("table.ranking").waitFor();
  assert.deepEqual(await owner.locator("table.ranking tbody th").allTextContents(), ["people", "always n/a"]);
  await picture(owner, "project-board");
  await model.reload();
  await model.locator("table.ranking").waitFor();
  await picture(model, "board");
  await owner.goto(`${address}/runs`);
  const run = await owner.getByRole("link", { name: /^people-/ }).first().textContent();
  assert.match(saydo("report", join("home/runs", run.trim()), "home/runs/na", "--format", "markdown"), /people/);
  writeFileSync(join(folder, "done"), project);
  assert.deepEqual(faults.filter((fault) => !/ERR_CONNECTION|Failed to load resource/.test(fault)), []);
});

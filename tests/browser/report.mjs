// Opens reports in Chromium and clicks through them.
//
// SAYDO_BROWSER_TESTS=1 SAYDO_BIN=target/debug/saydo node --test tests/browser/report.mjs
//
// SAYDO_BIN is the binary that makes the runs and the reports, CHROMIUM the browser (default: /usr/bin/chromium). The
// test fails on any message in the console, any error of the page and any request that is not the page itself.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const isWanted = Boolean(process.env.SAYDO_BROWSER_TESTS);
const skip = isWanted ? false : "SAYDO_BROWSER_TESTS is not set";
const repository = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const binary = resolve(process.env.SAYDO_BIN ?? join(repository, "target/debug/saydo"));
const HOSTILE = "</script><img src=x onerror=\"document.title='broken'\"><script>document.title='broken'</script>\u2028";

let folder;
let browser;

const saydo = (...parts) => execFileSync(binary, parts, {
  cwd: folder, encoding: "utf8", env: { ...process.env, SAYDO_HOME: join(folder, "home") },
});
const zest = (name, model) => saydo("eval", "zest", "--data", join(repository, "examples/zest/dev.jsonl"), "--limit", "3",
  "--model", model, "-o", name, "--quiet");

before(async () => {
  if (!isWanted) return;
  const { chromium } = await import("playwright-core");
  folder = mkdtempSync(join(tmpdir(), "saydo-browser-"));
  zest("na", "baseline:always-na");
  zest("copy", "baseline:copy-input");
  saydo("report", "na", "-o", "one.html");
  saydo("report", "na", "copy", "-o", "two.html");
  writeFileSync(join(folder, "hostile.jsonl"), `${JSON.stringify({ id: "h", question: `Is ${HOSTILE} here?`,
    type: { question_format: "x", domain: "parks", generalization_type: "normal", derives_from: [] },
    examples: [{ context: `Text ${HOSTILE} text`, answer: "yes" }, { context: "Other text", answer: "n/a" }] })}\n`);
  saydo("eval", "zest", "--data", "hostile.jsonl", "--model", "baseline:copy-input", "-o", "hostile", "--quiet");
  saydo("report", "hostile", "-o", "hostile.html");
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
});

after(async () => {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

// Opens a report; what goes wrong on it ends up in `faults`.
const open = async (name, { width = 1280, colorScheme = "light" } = {}) => {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  const url = pathToFileURL(join(folder, name)).href;
  const faults = [];
  page.on("console", (message) => faults.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("request", (request) => { if (request.url() !== url) faults.push(`request: ${request.url()}`); });
  await page.goto(url);
  return { page, faults };
};
const found = (page, id) => page.locator(`#${id} .found`).textContent();
const scores = (page) => page.locator("#samples .rows .score").allTextContents();

test("filters, sorting and pages of the instances", { skip }, async () => {
  const { page, faults } = await open("one.html");
  const list = page.locator("#samples");
  assert.match(await page.title(), /^ZEST: baseline:always-na$/);
  assert.equal(await found(page, "samples"), "180 of 180 samples");
  await list.getByLabel("Result").selectOption({ label: "wrong only" });
  await page.waitForFunction(() => !document.querySelector("#samples .found").textContent.startsWith("180 of"));
  const wrong = Number((await found(page, "samples")).split(" ")[0]);
  assert.ok(wrong > 0 && wrong < 180, `${wrong} wrong`);
  assert.ok((await scores(page)).every((score) => Number(score) < 100));
  await list.getByLabel("Result").selectOption({ label: "all" });

  await list.getByLabel("Sort").selectOption({ label: "highest score first" });
  await page.waitForFunction(() => document.querySelector("#samples .score").textContent === "100.0");
  await list.getByLabel("Sort").selectOption({ label: "lowest score first" });
  await page.waitForFunction(() => document.querySelector("#samples .score").textContent === "0.0");

  const pages = page.getByRole("navigation", { name: "Pages of instances" });
  assert.ok(await pages.getByRole("button", { name: "Previous" }).isDisabled());
  await pages.getByRole("button", { name: "Next" }).click();
  assert.match(await pages.textContent(), /Page 2 of 8/);

  await list.getByLabel("Task").selectOption({ index: 1 });
  await page.waitForFunction(() => document.querySelector("#samples .found").textContent === "3 of 180 samples");
  await list.getByLabel("Search").fill("no text has these words");
  await page.waitForFunction(() => document.querySelector("#samples .found").textContent === "0 of 180 samples");
  assert.deepEqual(faults, []);
  await page.close();
});

test("a row opens by keyboard and shows prompt, reply and gold", { skip }, async () => {
  const { page, faults } = await open("one.html");
  const row = page.locator("#samples .rows details").first();
  await row.locator("summary").first().focus();
  await page.keyboard.press("Enter");
  await row.getByRole("group", { name: "Reply" }).waitFor();
  assert.match(await row.getByRole("group", { name: "Reply" }).textContent(), /n\/a/i);
  assert.ok(await row.getByRole("group", { name: "Gold" }).isVisible());
  await row.getByText("Prompt", { exact: true }).click();
  await row.locator("mark").waitFor();
  assert.ok((await row.locator("mark").textContent()).length > 20);
  assert.deepEqual(faults, []);
  await page.close();
});

test("two runs are compared", { skip }, async () => {
  const { page, faults } = await open("two.html");
  assert.equal(await found(page, "changes"), "180 of 180 pairs");
  const changes = page.locator("#changes");
  await changes.getByLabel("Change").selectOption({ label: "worse" });
  await page.waitForFunction(() => document.querySelector("#changes .score").textContent.startsWith("-"));
  const values = await changes.locator(".rows .score").allTextContents();
  assert.ok(values.every((value) => value.startsWith("-")), values.join(" "));
  await changes.locator("summary").first().click();
  await changes.getByRole("group", { name: "Reply of baseline:always-na" }).waitFor();
  assert.ok(await changes.getByRole("group", { name: "Reply of baseline:copy-input" }).isVisible());
  await page.locator("#samples").getByLabel("Run").selectOption({ label: "baseline:copy-input" });
  await page.waitForFunction(() => document.querySelector("#samples .found").textContent === "180 of 360 samples");
  assert.deepEqual(faults, []);
  await page.close();
});

test("texts of a run stay texts", { skip }, async () => {
  const { page, faults } = await open("hostile.html");
  await page.locator("#samples summary").first().click();
  await page.locator("#samples .body").first().waitFor();
  assert.match(await page.locator("#samples .body").first().textContent(), /<img src=x onerror/);
  assert.equal(await page.locator("img").count(), 0);
  assert.notEqual(await page.title(), "broken");
  assert.deepEqual(faults, []);
  await page.close();
});

for (const colorScheme of ["light", "dark"]) {
  for (const width of [390, 1280]) {
    test(`the page fits at ${width} px, ${colorScheme}`, { skip }, async () => {
      const { page, faults } = await open("two.html", { width, colorScheme });
      const widths = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
      assert.ok(widths[0] <= widths[1], `the page is ${widths[0]} px wide in a window of ${widths[1]} px`);
      const drawn = await page.locator("figure svg").count();
      assert.ok(drawn >= 4, `${drawn} plots`);
      const colors = await page.evaluate(() => {
        const style = getComputedStyle(document.body);
        return [style.color, style.backgroundColor];
      });
      assert.notEqual(colors[0], colors[1]);
      const names = await page.locator("input, select, button").evaluateAll((elements) =>
        elements.filter((element) => !(element.labels?.length || element.textContent.trim())).length);
      assert.equal(names, 0, "a control has no name");
      assert.deepEqual(faults, []);
      await page.close();
    });
  }
}

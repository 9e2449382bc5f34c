// Works on the pages of `saydo serve` in Chromium, as its users do.
//
// SAYDO_BROWSER_TESTS=1 SAYDO_BIN=target/debug/saydo node --test tests/browser/serve.mjs
//
// SAYDO_BIN is the binary, CHROMIUM the browser (default: /usr/bin/chromium), SAYDO_SCREENSHOTS a folder for pictures of every
// page. The tests fail on any message in the console, any error of a page and any request to another host.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const isWanted = Boolean(process.env.SAYDO_BROWSER_TESTS);
const skip = isWanted ? false : "SAYDO_BROWSER_TESTS is not set";
const repository = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const binary = resolve(process.env.SAYDO_BIN ?? join(repository, "target/debug/saydo"));
const pictures = process.env.SAYDO_SCREENSHOTS;
const HOSTILE = "<img src=x onerror=\"document.title='broken'\"><script>document.title='broken'</script>";

let folder;
let browser;
let server;
let address;
let link;
let token;
const faults = [];

const saydo = (...parts) => execFileSync(binary, parts, { cwd: folder, encoding: "utf8", env: { ...process.env, SAYDO_HOME: join(folder, "home") } });

const start = () => new Promise((resolved, failed) => {
  server = spawn(binary, ["serve", "--listen", "127.0.0.1:0", "--data", join(folder, "data"), "--runs", join(folder, "runs"), "--model", "scripted", "--also-model", "scripted:1"],
    { env: { ...process.env, SAYDO_HOME: join(folder, "home") } });
  let text = "";
  server.stderr.on("data", (data) => {
    text += data;
    const found = text.match(/serving on (http:\/\/\S+)/);
    if (found) resolved(found[1]);
  });
  server.on("exit", () => failed(new Error(`the server ended: ${text}`)));
});

before(async () => {
  if (!isWanted) return;
  const { chromium } = await import("playwright-core");
  folder = mkdtempSync(join(tmpdir(), "saydo-serve-"));
  if (pictures) mkdirSync(pictures, { recursive: true });
  cpSync(join(repository, "fixtures/turking/captions.jsonl"), join(folder, "captions.jsonl"));
  saydo("eval", "turking", "--data", "captions.jsonl", "--model", "baseline:the", "-o", "runs/captions", "--quiet");
  link = await start();
  [address, token] = link.split("/?token=");
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
});

after(async () => {
  await browser?.close();
  server?.removeAllListeners("exit");
  server?.kill("SIGTERM");
  if (folder) rmSync(folder, { recursive: true, force: true });
});

// A browser of its own, with its own cookies.
const person = async (options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, permissions: ["clipboard-read", "clipboard-write"], ...options });
  const page = await context.newPage();
  page.on("console", (message) => faults.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("request", (request) => { if (!request.url().startsWith(address) && !request.url().startsWith("blob:")) faults.push(`request: ${request.url()}`); });
  return page;
};
// The owner's browser: the printed address signs it in.
const ownersPage = async (options = {}) => {
  const page = await person(options);
  await page.goto(link);
  assert.equal(page.url(), `${address}/`, "the token does not stay in the address");
  return page;
};
// The owner signs in again, by hand.
const enter = async (page) => {
  await page.getByLabel("The token").fill(token);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.waitForURL(`${address}/`);
};
const picture = async (page, name) => { if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true }); };
const quiet = () => assert.deepEqual(faults.splice(0), []);
// A request as a program sends it.
const request = (method, path, body) => fetch(address + path, { method, headers: { authorization: `Bearer ${token}`, "content-type": "application/json" }, body: JSON.stringify(body) });
const program = async (method, path, body) => {
  const response = await request(method, path, body);
  assert.equal(response.status, 200, `${path}: ${response.status}`);
  return response.json();
};
// Everything that can be used has a name, and every text stands out from what is behind it (WCAG AA).
const accessible = async (page) => assert.deepEqual(await page.evaluate(() => {
  const shown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && element.getClientRects().length > 0;
  const nameless = [...document.querySelectorAll("input, select, textarea, button, a[href], [tabindex='0']")].filter(shown).filter((element) =>
    !(element.labels?.length || element.getAttribute("aria-label") || element.getAttribute("aria-labelledby") || element.textContent.trim()));
  const numbers = (color) => color.match(/[\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => [r, g, b].map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = numbers(getComputedStyle(at).backgroundColor);
      if (color.length === 3 || color[3] === 1) return color;
    }
    return matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18] : [255, 255, 255];
  };
  const faint = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !shown(element) || element.closest("option, .unseen, #toast, :disabled")) continue;
    const style = getComputedStyle(element);
    if (!style.color.startsWith("rgb")) continue;
    const [light, dark] = [luminance(numbers(style.color)), luminance(behind(element))].sort((a, b) => b - a);
    const least = parseFloat(style.fontSize) >= 24 ? 3 : 4.5;
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio < least) faint.push(`${ratio.toFixed(2)}: ${node.data.trim().slice(0, 40)}`);
  }
  return { nameless: nameless.map((element) => element.outerHTML.slice(0, 120)), faint };
}), { nameless: [], faint: [] }, page.url());
const narrow = async (page) => assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, `${page.url()} scrolls sideways`);

test("a new user gets an answer", { skip }, async () => {
  const page = await ownersPage();
  await page.goto(address);
  assert.match(await page.title(), /^Playground/);
  await page.getByLabel("Description").fill("Which waterfall hikes are there, and are dogs allowed?");
  await page.locator(".kind-select").filter({ hasText: "records" }).waitFor();
  await page.waitForFunction(() => document.querySelector(".kind-select").value === "records");
  assert.ok((await page.locator(".field").count()) >= 2);
  await page.locator("#documents textarea").fill("Bridalveil Fall is a short and paved hike. Dogs on a leash may come along. The Mist Trail leads to Vernal Fall; dogs are not allowed there.");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("Done. Change the words").waitFor();
  assert.equal(await page.locator("#results article").count(), 1);
  assert.ok(!(await page.locator("#results").textContent()).includes("…"));
  await picture(page, "playground");

  // Another kind, another wording beside it, a second document.
  await page.locator(".kind-select").first().selectOption("spans");
  await page.getByLabel("Compare with a second wording").check();
  await page.getByLabel("Description").nth(1).fill("Are dogs allowed?");
  await page.waitForFunction(() => document.querySelectorAll(".kind-select")[1]?.value === "yes-no");
  await page.getByRole("button", { name: "Add a document" }).click();
  await page.locator("#documents textarea").nth(1).fill(`No dogs on this trail. ${HOSTILE}`);
  await page.keyboard.press("Control+Enter");
  await page.waitForFunction(() => document.querySelector("#state").textContent.startsWith("Done") && document.querySelectorAll("#results article").length === 2);
  assert.equal(await page.locator("#results .answer").count(), 4);
  const [pieces, marks] = [await page.locator("#results .chip").count(), await page.locator("#results mark").count()];
  assert.ok(pieces === 0 || marks > 0, `${pieces} pieces, ${marks} marked`);
  await picture(page, "playground-compare");

  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as task file" }).first().click()]);
  const path = join(folder, "saved.toml");
  await file.saveAs(path);
  assert.match(readFileSync(path, "utf8"), /kind = "spans"/);
  saydo("lint", path);
  await page.getByRole("button", { name: "Copy command line" }).first().click();
  await page.getByText("Copied").waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^saydo run 'Which waterfall .* --kind spans --model 'scripted'$/);
  await page.getByRole("button", { name: "Keep here" }).nth(1).click();
  await page.getByText("Kept as are-dogs-allowed").waitFor();
  assert.doesNotMatch(await page.title(), /broken/);
  quiet();
});

test("documents are dropped, and two models answer side by side", { skip }, async () => {
  const page = await ownersPage();
  await page.goto(address);
  await page.getByLabel("Description").fill(`Are dogs allowed? ${HOSTILE}`);
  const dropped = await page.evaluateHandle((hostile) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["Dogs may come."], `${hostile}.txt`));
    transfer.items.add(new File(["No dogs here."], "two.txt"));
    return transfer;
  }, HOSTILE);
  await page.dispatchEvent("#drop", "drop", { dataTransfer: dropped });
  await page.waitForFunction(() => document.querySelectorAll("#documents textarea").length === 2);
  await page.getByLabel("Compare with a second wording or model").check();
  assert.deepEqual(await page.locator(".model").evaluateAll((all) => all.map((one) => one.value)), ["scripted", "scripted:1"]);
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("Done. Change the words").waitFor();
  assert.equal(await page.locator("#results article").count(), 2);
  assert.equal(await page.locator("#results .answer .value, #results .answer .chip").count(), 4);
  await page.getByRole("button", { name: "Keep here" }).first().click();
  await page.getByText(/^Kept as/).waitFor();
  assert.equal(await page.locator("main img, main script:not([type])").count(), 0);
  assert.doesNotMatch(await page.title(), /broken/);
  quiet();
});

test("pages fit a phone, in light and dark", { skip }, async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  for (const colorScheme of ["light", "dark"]) {
    const page = await ownersPage({ ...phone, colorScheme });
    for (const path of ["/", "/runs", "/projects", "/api", "/account", "/instructions"]) {
      await page.goto(address + path);
      await page.waitForLoadState("networkidle");
      await narrow(page);
      await accessible(page);
      if (path === "/") await picture(page, `playground-phone-${colorScheme}`);
    }
    await page.context().close();
  }
  const page = await person();
  let bytes = 0;
  page.on("response", async (response) => { if (response.ok()) bytes += (await response.body()).length; });
  await page.goto(link, { waitUntil: "networkidle" });
  assert.ok(bytes > 0 && bytes < 200_000, `${bytes} bytes`);
  quiet();
});

test("runs show their reports", { skip }, async () => {
  const page = await ownersPage();
  await page.goto(`${address}/runs`);
  await picture(page, "runs");
  await page.getByRole("link", { name: "captions" }).click();
  assert.match(await page.title(), /Turking/);
  await page.goto(`${address}/api`);
  await picture(page, "api");
  await page.goto(`${address}/account`);
  await page.getByLabel("What is it for?").fill("ci");
  await page.getByRole("button", { name: "Make a token" }).click();
  await page.getByText("Copy it now").waitFor();
  await page.getByRole("button", { name: "Take back the token ci" }).click();
  await page.getByText("None yet.").waitFor();
  await picture(page, "account");
  quiet();
});

test("an instruction is linted and shown in every layout as it is written", { skip }, async () => {
  const page = await ownersPage();
  await page.goto(`${address}/instructions`);
  await page.locator("#layout option").first().waitFor({ state: "attached" });
  assert.ok((await page.locator("#problems .bad").count()) > 0, "an empty task is wrong");
  await page.getByRole("textbox", { name: "Title" }).fill("Dogs on trails");
  await page.getByLabel("Definition", { exact: true }).fill("Say whether dogs are allowed on the trail that the text is about.");
  await page.getByLabel("Prompt: the definition in one line").fill("Are dogs allowed on the trail?");
  await page.locator("[data-add=positive]").click();
  await page.locator("#positive").getByLabel("Input").fill("Dogs on a leash may come.");
  await page.locator("#positive").getByLabel("Output").fill("yes");
  await page.getByLabel("An input to try").fill("No dogs here.");
  await page.getByLabel("Layout").selectOption("ni-full");
  await page.waitForFunction(() => document.querySelector("#shown").textContent.includes("No dogs here."));
  await page.waitForFunction(() => document.querySelector(".kind-select").value === "yes-no");
  assert.match(await page.locator("#shown").textContent(), /Dogs on a leash may come/);
  await picture(page, "instructions");
  await page.getByRole("button", { name: "Keep here" }).click();
  await page.getByText("Kept as dogs-on-trails").waitFor();
  await page.reload();
  await page.getByLabel("Begin with a kept task").selectOption("dogs-on-trails");
  await page.waitForFunction(() => document.querySelector("#task").elements.title.value === "Dogs on trails");
  quiet();
});

test("markup in names and texts is shown, never run", { skip }, async () => {
  const page = await ownersPage();
  await page.goto(`${address}/projects`);
  await page.locator("#collect").getByLabel("Name").fill(HOSTILE);
  await page.locator("#collect").getByLabel("Domains").fill(HOSTILE);
  await page.locator("#collect").getByRole("button", { name: "Begin" }).click();
  await page.waitForURL("**/projects/*");
  await page.getByLabel("A base question of your own").fill(`Is ${HOSTILE} here?`);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("rowheader", { name: "Is <img" }).waitFor();
  const [someone] = await workers(page, ["<b>Ada</b>"]);
  assert.equal(await page.locator("main img, main b").count(), 0);
  for (const shown of [page, someone]) assert.notEqual(await shown.title(), "broken");
  await someone.context().close();
  quiet();
});

// Begins a project's annotators and gives a page for each, ready to work.
const workers = async (owner, names) => {
  await owner.getByLabel("Names, with commas between").fill(names.join(", "));
  await owner.getByRole("button", { name: "Add and make links" }).click();
  await owner.locator("code.link").nth(names.length - 1).waitFor();
  const pages = [];
  for (const name of names) {
    const page = await person();
    await page.goto(await owner.locator(`code.link[data-name="${name}"]`).textContent());
    if (pages.length === 0) await picture(page, "join");
    await page.getByRole("button", { name: "Begin" }).click();
    await page.waitForURL("**/work");
    pages.push(page);
  }
  return pages;
};
const settled = (page) => page.waitForFunction(() => document.querySelector("#work h2") || /nothing left|Others hold/.test(document.querySelector("#work").textContent));
const send = async (page) => {
  const before = await page.locator("#done").textContent();
  await page.getByRole("button", { name: "Send" }).click();
  await page.waitForFunction((text) => document.querySelector("#done").textContent !== text, before);
  await settled(page);
};
const again = async (page) => { await page.reload(); await settled(page); };

// So many items done, each by whoever is next in turn and has one; whoever sends one is given another.
const inTurn = async (people, count, fill) => {
  let sent = 0;
  for (let turn = 0; sent < count; turn += 1) {
    assert.ok(turn < 10 * count, "nobody is given an item");
    const page = people[turn % people.length];
    if (!(await page.locator("#work h2").count())) await again(page);
    if (!(await page.locator("#work h2").count())) continue;
    await fill(page, sent);
    await send(page);
    sent += 1;
  }
};

test("four annotators make a small ZEST", { skip }, async () => {
  const owner = await ownersPage();
  await owner.goto(`${address}/projects`);
  const begin = owner.locator("#collect");
  await begin.getByLabel("Name").fill("National parks");
  await begin.getByLabel("Domains").fill("parks");
  await begin.getByLabel("Annotators per passage").fill("3");
  await begin.getByLabel("Passages per question").fill("1");
  await picture(owner, "projects");
  await begin.getByRole("button", { name: "Begin" }).click();
  await owner.waitForURL("**/projects/*");
  const park = (number) => ({ name: `park${number}.txt`, mimeType: "text/plain", buffer: Buffer.from(`Trail ${number} of this park leads to Blue Fall. Dogs are allowed on trail ${number}. ${number === 0 ? HOSTILE : ""}`) });
  await owner.locator("#documents").setInputFiles(Array.from({ length: 24 }, (_, number) => park(number)));
  await owner.getByText("24 documents.").waitFor();
  const people = await workers(owner, ["Ada", "Grace", "Edsger", "Alan"]);

  // 1: base questions: three for the test part, two for train, one for dev.
  await owner.getByLabel("Items for each domain").fill("6");
  await owner.locator("[data-step=base]").click();
  await owner.getByText("6 items made").waitFor();
  const questions = ["Are dogs allowed on the trail?", "Which fall does the trail lead to?", "Which trail of this park allows dogs?",
    "Does the trail lead to water?", "What is the name of the water?", "Is there a trail at all?"];
  await inTurn(people, questions.length, async (page, at) => {
    await page.getByLabel("Your question").fill(questions[at]);
    if (at === 0) await picture(page, "work-base");
  });
  // 2 to 5: everything made of them.
  await owner.reload();
  await owner.getByLabel("Items for each domain").fill("1");
  for (const step of ["paraphrase", "flip", "compose", "structure"]) {
    const answered = owner.waitForResponse((response) => response.url().endsWith("/steps"));
    await owner.locator(`[data-step=${step}]`).click();
    assert.equal((await answered).status(), 200);
    await owner.waitForLoadState("networkidle");
  }
  await inTurn(people, 19, async (page, at) => {
    const step = await page.locator("#work").getAttribute("data-step");
    const original = step === "compose" ? "Which trail leads to the fall" : (await page.locator("#work blockquote").textContent()).replace("?", "");
    await page.locator("[name=question]").fill(`${original}, version ${at}?`);
    if (step === "flip") await page.getByText(/% of the words differ\.$/).waitFor();
    if (step === "compose") for (const pick of [0, 2]) await page.locator("[name=pick]").nth(pick).check();
    if (step === "structure") {
      await page.getByLabel("Name of the field").nth(0).fill("trail");
      await page.getByLabel("Name of the field").nth(1).fill("dogs");
      await page.getByLabel("What the field holds").nth(1).selectOption("yes-no");
    }
    await picture(page, `work-${step}`);
  });
  // 6: passages; 7: answers by all three.
  await owner.reload();
  await owner.getByRole("button", { name: "6. Find passages" }).click();
  await owner.getByText(/passages for 25 questions, 6 of them with those of their base question/).waitFor();
  const seen = new Set();
  for (const [who, page] of people.entries()) {
    await again(page);
    while (await page.locator("#work h2").count()) {
      const records = await page.locator("table.grid").count();
      const choosable = await page.locator(".choosable").count();
      if (records) {
        await page.locator(".w").nth(0).click();
        await page.locator(".w").nth(1).click();
        await page.locator("table.grid input").first().evaluate((box) => box.value).then((text) => assert.match(text, /^Trail \d+$/));
        await page.locator("table.grid select").selectOption("yes");
        if (!seen.has("records")) { await picture(page, "work-answer-records"); seen.add("records"); }
      } else if (choosable) {
        if (who === 0) {
          // By mouse, dragged over two words.
          const [one, two] = [await page.locator(".w").nth(0).boundingBox(), await page.locator(".w").nth(1).boundingBox()];
          await page.mouse.move(one.x + 4, one.y + 8);
          await page.mouse.down();
          await page.mouse.move(two.x + two.width - 4, two.y + 8, { steps: 4 });
          await page.mouse.up();
        } else {
          // By keyboard.
          await page.locator(".choosable").focus();
          await page.keyboard.press("Shift+ArrowRight");
          await page.keyboard.press("Enter");
        }
        assert.match(await page.locator(".chip").first().textContent(), /^Trail \d+$/);
        if (!seen.has("spans")) { await picture(page, "work-answer-spans"); seen.add("spans"); }
      } else {
        await page.keyboard.press("y");
        if (!seen.has("yes")) { await picture(page, "work-answer-yes-no"); seen.add("yes"); }
      }
      await send(page);
    }
    await page.getByText("nothing left").waitFor();
  }
  assert.deepEqual([...seen].sort(), ["records", "spans", "yes"]);
  await owner.reload();
  await owner.getByRole("heading", { name: "Agreement" }).waitFor();
  await picture(owner, "project");

  // The export goes through lint and a protocol.
  const [file] = await Promise.all([owner.waitForEvent("download"), owner.getByRole("button", { name: "ZEST (JSON Lines)" }).click()]);
  const archive = join(folder, "zest.zip");
  await file.saveAs(archive);
  execFileSync("python3", ["-m", "zipfile", "-e", archive, join(folder, "export")]);
  saydo("lint", join(folder, "export/all.jsonl"));
  saydo("eval", "zest", "--data", join(folder, "export/all.jsonl"), "--model", "baseline:always-na", "-o", "collected", "--quiet");
  assert.doesNotMatch(await owner.title(), /broken$/);
  quiet();
});

// A project with one question over one passage, and links for these people.
const asking = async (question, passage, names) => {
  const settings = { domains: ["d"], annotators: names.length, passages: 1, entity_share: 1 };
  const { id } = await program("POST", "/v1/projects", { name: "Parks", kind: "zest", settings });
  const project = `/v1/projects/${id}`;
  await program("POST", `${project}/documents`, { documents: [{ entity: "park", text: passage }] });
  await program("POST", `${project}/questions`, { domain: "d", text: question, kind: "spans" });
  await program("POST", `${project}/passages`, {});
  const { annotators } = await program("POST", `${project}/annotators`, { names });
  return { project, links: annotators.map((one) => address + one.path) };
};

test("words are chosen with a finger", { skip }, async () => {
  const { project, links } = await asking("Which falls does the trail pass?", "The trail passes Upper Fall, Lower Fall and, far below, Blue Pool.", ["Ada"]);
  const page = await person({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.goto(links[0]);
  await page.getByRole("button", { name: "Begin" }).tap();
  await page.waitForURL("**/work");
  await settled(page);
  await page.evaluate(() => {
    window.pointers = new Set();
    document.addEventListener("pointerdown", (event) => window.pointers.add(event.pointerType), true);
  });
  const tap = async (text) => {
    const box = await page.locator(".w", { hasText: text }).boundingBox();
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  };
  const chips = () => page.locator(".chip").allTextContents();
  await page.locator(".w").first().scrollIntoViewIfNeeded();
  // A wrong first word is dropped again.
  await tap("trail");
  const again = page.getByRole("button", { name: "Choose another first word" });
  await again.tap();
  await again.waitFor({ state: "hidden" });
  assert.deepEqual(await chips(), []);
  await tap("Upper");
  await tap("Fall,");
  assert.deepEqual(await chips(), ["Upper Fall"]);
  // The last word first; one word alone; and one taken away.
  await tap("Pool");
  await tap("Blue");
  await tap("below");
  await tap("below");
  assert.deepEqual(await chips(), ["Upper Fall", "below", "Blue Pool"]);
  await picture(page, "work-answer-spans-phone");
  await page.getByRole("button", { name: "Remove below" }).tap();
  assert.deepEqual(await chips(), ["Upper Fall", "Blue Pool"]);
  assert.deepEqual(await page.evaluate(() => [...window.pointers]), ["touch"]);
  await narrow(page);
  await accessible(page);
  await page.getByRole("button", { name: "Send" }).tap();
  await page.getByText("nothing left").waitFor();
  const archive = join(folder, "touched.zip");
  const zip = await request("GET", `${project}/export/zest`);
  assert.equal(zip.headers.get("saydo-ambiguous-pieces"), "0");
  writeFileSync(archive, Buffer.from(await zip.arrayBuffer()));
  execFileSync("python3", ["-m", "zipfile", "-e", archive, join(folder, "touched")]);
  assert.match(readFileSync(join(folder, "touched/all.jsonl"), "utf8"), /"answer": "Upper Fall\|Blue Pool"/);
  saydo("lint", join(folder, "touched/all.jsonl"));
  quiet();
});

test("who opened a link sees their work alone, until logout", { skip }, async () => {
  const { project, links } = await asking("Which falls are there?", "There is Blue Fall.", ["Ada"]);
  const page = await ownersPage();
  const pages = () => page.locator("header.top nav a").allTextContents();
  await page.goto(address);
  assert.ok((await pages()).includes("Projects"));
  await page.goto(links[0]);
  assert.deepEqual(await pages(), []);
  await page.getByText("You are the owner here").waitFor();
  await page.getByRole("button", { name: "Begin" }).click();
  await page.waitForURL("**/work");
  await settled(page);
  assert.deepEqual(await pages(), ["Work"]);
  await page.goto(address);
  assert.match(page.url(), /\/work$/);
  const refused = await page.goto(`${address}/projects`);
  assert.equal(refused.status(), 403);
  assert.deepEqual(await pages(), ["Work"]);
  faults.splice(0);
  await page.getByRole("button", { name: "Leave" }).click();
  await page.waitForURL("**/login");
  await enter(page);
  assert.ok((await pages()).includes("Projects"));

  // A link taken back leaves nobody in its browser.
  await page.goto(links[0]);
  await page.getByRole("button", { name: "Begin" }).click();
  await page.waitForURL("**/work");
  await settled(page);
  const state = await program("GET", project);
  await program("DELETE", `${project}/annotators/${state.annotators[0].id}`);
  await page.goto(`${address}/projects`);
  assert.match(page.url(), /\/login$/);
  await picture(page, "session-over");
  await enter(page);
  assert.ok((await pages()).includes("Projects"));
  quiet();
});

test("judges agree, and saydo judge reads what they said", { skip }, async () => {
  const owner = await ownersPage();
  await owner.goto(`${address}/projects`);
  const begin = owner.locator("#judge");
  await begin.getByLabel("Name").fill("Captions");
  await begin.getByLabel("Outputs of a task per judge").fill("500");
  await begin.getByLabel("Share judged twice").fill("1");
  await begin.getByRole("button", { name: "Begin" }).click();
  await owner.waitForURL("**/projects/*");
  const people = await workers(owner, ["Ada", "Grace"]);
  for (const [who, page] of people.entries()) {
    await settled(page);
    let count = 0;
    while (await page.locator("#work h2").count()) {
      await page.keyboard.press(who === 0 || count > 0 ? "3" : "2");
      await page.getByLabel("repeats", { exact: true }).focus();
      await page.keyboard.press("Space");
      assert.equal(await page.getByLabel("repeats", { exact: true }).isChecked(), true);
      if (who === 0 && count === 0) {
        await accessible(page);
        await picture(page, "work-judge");
      }
      count += 1;
      // Without a mouse from the first output to the last.
      const before = await page.locator("#done").textContent();
      await page.keyboard.press("Control+Enter");
      await page.waitForFunction((text) => document.querySelector("#done").textContent !== text, before);
      await settled(page);
    }
    assert.ok(count > 0);
  }
  await owner.reload();
  await owner.getByText("Agreement on accuracy").waitFor();
  assert.match(await owner.locator(".facts").textContent(), /Agreement on accuracy100\.0%/);
  await picture(owner, "project-judge");
  const [file] = await Promise.all([owner.waitForEvent("download"), owner.getByRole("button", { name: "Sheets for saydo judge" }).click()]);
  const archive = join(folder, "sheets.zip");
  await file.saveAs(archive);
  execFileSync("python3", ["-m", "zipfile", "-e", archive, join(folder, "sheets")]);
  const report = JSON.parse(saydo("judge", "runs/captions", "sheets/01-ada.jsonl", "sheets/02-grace.jsonl", "--json"));
  assert.equal(report.people.judges.length, 2);

  // All is judged, so the run's own report has it, here and in the terminal.
  await owner.getByRole("button", { name: "Keep with the run" }).click();
  await owner.getByText(/judgements are with captions/).waitFor();
  await owner.getByRole("link", { name: "The run's report" }).click();
  await owner.getByRole("heading", { name: "what people say of the outputs" }).waitFor();
  await owner.getByRole("heading", { name: "errors that people saw" }).waitFor();
  await picture(owner, "report-judged");
  assert.match(saydo("report", "runs/captions", "--format", "markdown"), /### how far people agree/);
  quiet();
});

test("people rate the elements of an instruction", { skip }, async () => {
  const owner = await ownersPage();
  const toml = ['definition = "Say whether swimming is allowed in the lake."', 'prompt = "Is swimming allowed?"', 'emphasis = "Ponds are not lakes."'].join("\n");
  await program("PUT", "/v1/tasks/swimming", { toml });
  await owner.goto(`${address}/projects`);
  const begin = owner.locator("#survey");
  await begin.getByLabel("Name").fill("Elements");
  await begin.getByLabel("swimming").check();
  await begin.getByLabel("Annotators per task").fill("1");
  await begin.getByRole("button", { name: "Begin" }).click();
  await owner.waitForURL("**/projects/*");
  const [page] = await workers(owner, ["Ada"]);
  await settled(page);
  const groups = page.locator("#work section");
  assert.equal(await groups.count(), 3);
  await groups.nth(0).getByRole("button", { name: "necessary" }).click();
  await groups.nth(1).getByRole("button", { name: "helpful" }).click();
  await groups.nth(2).getByRole("button", { name: "unneeded" }).click();
  await accessible(page);
  await picture(page, "work-survey");
  await page.keyboard.press("Control+Enter");
  await page.getByText("1 answer so far").waitFor();
  await owner.reload();
  await owner.getByRole("heading", { name: "Ratings" }).waitFor();
  const rated = owner.getByRole("row").filter({ has: owner.getByRole("rowheader", { name: "Definition", exact: true }) });
  assert.deepEqual(await rated.getByRole("cell").allTextContents(), ["1", "0", "0"]);
  await picture(owner, "project-survey");
  quiet();
});

// What every page uses: asking the server, making elements, short notices.

const csrf = () => document.querySelector("meta[name=csrf]").content;

// Asks the server; gives the response, or throws an error that says why not.
export const ask = async (method, path, body) => {
  const headers = { "x-csrf-token": csrf() };
  if (body !== undefined) headers["content-type"] = "application/json";
  let response;
  try {
    response = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new Error("the server cannot be reached");
  }
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  const error = new Error(problem.error?.message ?? `the server said ${response.status}`);
  error.status = response.status;
  throw error;
};

export const api = async (method, path, body) => (await ask(method, path, body)).json();

// Calls `each` with every line of JSON as it arrives.
export const eachLine = async (response, each) => {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    rest += value ?? "";
    const lines = rest.split("\n");
    rest = lines.pop();
    lines.filter((line) => line).forEach((line) => each(JSON.parse(line)));
    if (done) return;
  }
};

// An element with attributes, listeners (onclick: …) and children; text is text, never markup.
export const el = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
};

let fading;
export const say = (text) => {
  const toast = document.querySelector("#toast");
  toast.textContent = text;
  toast.classList.add("on");
  clearTimeout(fading);
  fading = setTimeout(() => toast.classList.remove("on"), 4000);
};

// Runs `work` when the form is sent; its button waits, and what goes wrong is said.
export const onSend = (form, work) => form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  await busy(event.submitter, work);
});

export const busy = async (button, work) => {
  if (button) button.disabled = true;
  try {
    return await work();
  } catch (error) {
    say(error.message);
    return undefined;
  } finally {
    if (button) button.disabled = false;
  }
};

export const download = (name, text, type = "text/plain") => {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  URL.revokeObjectURL(url);
};

export const copy = async (text) => {
  await navigator.clipboard.writeText(text);
  say("Copied");
};

export const pageData = (id = "data") => JSON.parse(document.getElementById(id).textContent);

document.querySelector("#logout")?.addEventListener("click", async () => {
  await ask("POST", "/v1/logout");
  location.assign("/");
});
for (const time of document.querySelectorAll("time[data-seconds]")) {
  time.textContent = new Date(Number(time.dataset.seconds) * 1000).toLocaleString();
}

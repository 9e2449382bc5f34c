// Logging in, and tokens for programs.
import { api, ask, busy, el, onSend } from "./app.js";

const login = document.querySelector("#login");
login?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const alert = login.querySelector("[role=alert]");
  try {
    await ask("POST", "/v1/login", { password: login.password.value });
    location.assign("/");
  } catch (error) {
    alert.textContent = `${error.message}.`;
    alert.hidden = false;
  }
});

const list = document.querySelector("#tokens");
const show = async () => {
  const { tokens } = await api("GET", "/v1/tokens");
  list.replaceChildren(...tokens.map((token) => el("li", {}, `${token.name} `,
    el("button", { type: "button", class: "small", "aria-label": `Take back the token ${token.name}`, onclick: (event) =>
      busy(event.target, async () => { await ask("DELETE", `/v1/tokens/${token.id}`); await show(); }) }, "Take back"))));
  if (!tokens.length) list.append(el("li", { class: "soft" }, "None yet."));
};
const form = document.querySelector("#token");
if (form) {
  onSend(form, async () => {
    const { token } = await api("POST", "/v1/tokens", { name: form.elements.name.value });
    const made = document.querySelector("#made");
    made.hidden = false;
    made.querySelector("code").textContent = token;
    form.reset();
    await show();
  });
  show();
}

// Going in by a link.
import { ask, busy } from "./app.js";

const button = document.querySelector("#join");
button.addEventListener("click", () => busy(button, async () => {
  await ask("POST", "/v1/join", { token: button.dataset.token });
  location.assign("/work");
}));

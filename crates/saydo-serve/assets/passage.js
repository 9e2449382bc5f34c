// A passage in which pieces can be chosen by mouse, touch or keyboard.
import { el } from "./app.js";

const OPENING = /^[("'“‘[]+/u;
const CLOSING = /[)"'”’\].,;:!?]+$/u;

// Words with their places, counted in characters (not UTF-16 units).
const words = (text) => {
  const characters = Array.from(text);
  const found = [];
  let start = null;
  for (let at = 0; at <= characters.length; at += 1) {
    const isSpace = at === characters.length || /\s/u.test(characters[at]);
    if (!isSpace && start === null) start = at;
    if (isSpace && start !== null) { found.push({ start, end: at }); start = null; }
  }
  return { characters, found };
};

export class Passage {
  // `chosen` is called with each piece: { start, end, text }.
  constructor(text, chosen) {
    const { characters, found } = words(text);
    Object.assign(this, { characters, found, chosen, cursor: 0, anchor: null, tapped: null });
    this.parts = found.map((word, number) => el("span", { class: "w", "data-word": number }, characters.slice(word.start, word.end).join("")));
    const children = [];
    let at = 0;
    found.forEach((word, number) => {
      children.push(characters.slice(at, word.start).join(""), this.parts[number]);
      at = word.end;
    });
    children.push(characters.slice(at).join(""));
    this.live = el("p", { class: "unseen", "aria-live": "polite" });
    this.box = el("div", { class: "passage text choosable", tabindex: 0, role: "group", "aria-label": "Passage",
      "aria-describedby": "passage-help" }, children);
    this.again = el("button", { type: "button", class: "small", onclick: () => this.clear() }, "Choose another first word");
    this.begun = el("p", { class: "row", hidden: true }, "Now the last word, or the same one again.", this.again);
    this.element = el("div", {}, this.box, this.begun, this.live, el("p", { class: "note", id: "passage-help" },
      "Drag over the words, or tap the first and the last. With keys: arrows move, Shift+arrows extend, Enter takes the words, Escape drops them."));
    this.listen();
  }

  wordAt(event) {
    const target = document.elementFromPoint(event.clientX, event.clientY)?.closest(".w");
    return target && this.box.contains(target) ? Number(target.dataset.word) : null;
  }

  listen() {
    this.box.addEventListener("pointerdown", (event) => {
      const word = this.wordAt(event);
      if (word === null) return;
      this.anchor = word;
      this.moved = false;
      if (event.pointerType === "mouse") event.preventDefault();
      this.box.focus({ preventScroll: true });
    });
    this.box.addEventListener("pointermove", (event) => {
      if (this.anchor === null || !(event.buttons & 1)) return;
      const word = this.wordAt(event);
      if (word !== null && word !== this.anchor) this.moved = true;
      if (word !== null) this.paint(this.anchor, word);
    });
    this.box.addEventListener("pointerup", (event) => {
      const word = this.wordAt(event);
      if (this.anchor === null || word === null) return;
      if (this.moved) this.take(this.anchor, word);
      else if (this.tapped === null) this.begin(word);
      else this.take(this.tapped, word);
      this.anchor = null;
    });
    this.box.addEventListener("pointercancel", () => { this.anchor = null; });
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.box.addEventListener("blur", () => { if (this.tapped === null) this.paint(null); });
  }

  key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 8, ArrowUp: -8 }[event.key];
    if (step && this.found.length) {
      event.preventDefault();
      event.stopPropagation();
      if (event.shiftKey && this.from === undefined) this.from = this.cursor;
      if (!event.shiftKey) this.from = undefined;
      this.cursor = Math.min(this.found.length - 1, Math.max(0, this.cursor + step));
      this.paint(this.from ?? this.cursor, this.cursor);
      this.parts[this.cursor].scrollIntoView({ block: "nearest" });
      this.say(this.piece(this.from ?? this.cursor, this.cursor)?.text ?? "");
    } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      this.take(this.from ?? this.cursor, this.cursor);
    } else if (event.key === "Escape") {
      this.clear();
    }
  }

  // A first word; the next tap says which is the last.
  begin(word) {
    this.tapped = word;
    this.begun.hidden = false;
    this.paint(word, word);
    this.say("Tap the last word, or the same one again.");
  }

  clear() {
    this.tapped = null;
    this.from = undefined;
    this.begun.hidden = true;
    this.paint(null);
  }

  // The piece between two words, without the punctuation around it.
  piece(one, other) {
    let start = this.found[Math.min(one, other)].start;
    let end = this.found[Math.max(one, other)].end;
    const text = () => this.characters.slice(start, end).join("");
    const before = Array.from(text().match(OPENING)?.[0] ?? "").length;
    if (before < end - start) start += before;
    const after = Array.from(text().match(CLOSING)?.[0] ?? "").length;
    if (after < end - start) end -= after;
    return start < end ? { start, end, text: text() } : null;
  }

  take(one, other) {
    this.clear();
    const piece = this.piece(one, other);
    if (piece) { this.say(`Taken: ${piece.text}`); this.chosen(piece); }
  }

  paint(one, other = one) {
    const [from, to] = one === null ? [1, 0] : [Math.min(one, other), Math.max(one, other)];
    this.parts.forEach((part, number) => part.classList.toggle("picking", number >= from && number <= to));
  }

  // Marks the pieces that are part of the answer.
  mark(pieces) {
    this.parts.forEach((part, number) => {
      const word = this.found[number];
      part.classList.toggle("picked", pieces.some((piece) => word.start < piece.end && word.end > piece.start));
    });
  }

  say(text) { this.live.textContent = text; }
}

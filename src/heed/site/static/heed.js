// The form of an item: keys, drafts, questions that depend on others, and how long one was at it.
// Without it the form works all the same; nothing is decided here.
"use strict";

const form = document.getElementById("task");
const status = document.getElementById("draft");
const IDLE_MILLISECONDS = 30000;  // longer pauses do not count as work
const WAIT_MILLISECONDS = 600;

const fieldsets = () => [...form.querySelectorAll("fieldset:not(.tagging)")].filter((set) => !set.hidden);
const isAnswered = (set) => set.querySelector("input:checked") !== null;

function showOpenQuestions() {
  for (const set of form.querySelectorAll("fieldset[data-when]")) {
    const chosen = form.querySelector(`input[name="${set.dataset.when}"]:checked`);
    set.hidden = !(chosen && set.dataset.values.split(" ").includes(chosen.value));
    set.disabled = set.hidden;
  }
}

function choose(digit) {
  const focused = document.activeElement.closest("fieldset");
  if (focused && focused.matches(".tagging")) return focused.querySelectorAll("input[type=checkbox]")[digit - 1]?.click();
  const sets = fieldsets();
  // When all is answered, a digit corrects the last question: the one above the button, in sight.
  const set = focused && form.contains(focused) ? focused : sets.find((each) => !isAnswered(each)) || sets.at(-1);
  const input = set && set.querySelectorAll("input[type=radio]")[digit - 1];
  if (!input) return;
  input.click();
  const next = fieldsets().find((each) => !isAnswered(each));
  const target = next ? next.querySelector("input") : form.querySelector(".send button");
  target.focus();
}

// Marks: the words that were selected last in one of the texts go into the first mark that is empty.
const marks = [...form.querySelectorAll("fieldset.tagging")];
const isEmpty = (mark) => !mark.querySelector("input:checked") &&
  [...mark.querySelectorAll("textarea")].every((field) => !field.value.trim());
let selected = null;

function showMarks() {
  const free = marks.find(isEmpty);
  for (const mark of marks) mark.hidden = mark !== free && isEmpty(mark);
}

function remember() {
  const selection = document.getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return;
  const range = selection.getRangeAt(0);
  const text = [...document.querySelectorAll(".texts .text")].find((each) => each.contains(range.startContainer));
  if (!text || !text.contains(range.endContainer)) return;
  const before = range.cloneRange();
  before.setStart(text, 0);
  before.setEnd(range.startContainer, range.startOffset);
  // The server counts characters, not halves of them.
  selected = { words: range.toString(), start: [...before.toString()].length, text: text.id.replace("text-", "") };
}

function markSelected() {
  remember();  // the event for the newest selection may still be on its way
  const mark = marks.find(isEmpty);
  if (!mark) return;
  const set = (name, value) => { mark.querySelector(`[name$=_${name}]`).value = value; };
  mark.closest("details").open = true;
  if (selected) Object.entries(selected).forEach(([name, value]) => set(name, value));
  mark.querySelector(selected ? "input[type=checkbox]" : "textarea").focus();
  selected = null;
  form.dispatchEvent(new Event("input"));
}

if (marks.length) {
  document.addEventListener("selectionchange", remember);
  const marking = document.getElementById("marking");
  marking.hidden = false;
  marking.querySelector("button").addEventListener("click", markSelected);
  for (const mark of marks) {
    mark.querySelector("[name$=_words]").addEventListener("input", () => {
      for (const name of ["start", "text"]) mark.querySelector(`[name$=_${name}]`).value = "";
    });
  }
}

document.addEventListener("keydown", (event) => {
  const writes = event.target.closest("textarea, select, input:not([type=radio], [type=checkbox])");
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return form.requestSubmit();
  if (writes || event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^[1-9]$/.test(event.key)) {
    event.preventDefault();
    choose(Number(event.key));
  } else if (event.key === "m" && marks.length) {
    event.preventDefault();
    markSelected();
  } else if (event.key === "Enter" && !event.target.closest("a, button, summary")) {
    event.preventDefault();
    form.requestSubmit();
  }
});

let active = 0;
let last = performance.now();
for (const name of ["keydown", "pointermove", "pointerdown", "scroll", "touchstart"]) {
  document.addEventListener(name, () => {
    const now = performance.now();
    active += Math.min(now - last, IDLE_MILLISECONDS);
    last = now;
  }, { passive: true, capture: true });
}

let timer = null;
let sent = false;
const answers = () => new URLSearchParams(new FormData(form));

async function keepDraft() {
  timer = null;
  const answer = await fetch(form.dataset.draft, { method: "POST", body: answers() }).catch(() => null);
  if (timer !== null) return;  // something was typed since, and is not kept yet
  status.textContent = answer && answer.ok ? "Draft kept." : "The draft could not be kept.";
}

form.addEventListener("input", () => {
  showOpenQuestions();
  showMarks();
  if (!form.dataset.draft) return;
  status.textContent = "";  // until what is there now is kept
  clearTimeout(timer);
  timer = setTimeout(keepDraft, WAIT_MILLISECONDS);
});

window.addEventListener("pagehide", () => {
  if (timer !== null && !sent) navigator.sendBeacon(form.dataset.draft, answers());
});

form.addEventListener("submit", () => {
  sent = true;
  clearTimeout(timer);
  form.elements.seconds.value = (active / 1000).toFixed(1);
});

// A page that came as the answer to a sent form would be sent again by a reload, and forget what was typed since.
if (form.dataset.draft) history.replaceState(null, "", location.href);
showOpenQuestions();
showMarks();

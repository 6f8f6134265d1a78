// Comfort only: every page works without it. Keys, questions that depend on answers, time in sight, shading.
"use strict";
(() => {
  const form = document.getElementById("answer");
  // the key's place on the board, so that an Arabic layout serves as well; keyboards on the screen and
  // remote desks tell no place: there the letter counts, and a digit in either script
  const digit = (event) => {
    if (event.code) { return /^(Digit|Numpad)[0-9]$/.test(event.code) ? event.code.slice(-1) : ""; }
    const place = /^[0-9٠-٩۰-۹]$/.test(event.key) ? event.key.charCodeAt(0) & 15 : -1;
    return place < 0 ? "" : String(place);
  };
  const letter = (event) => {
    if (event.code) { return /^Key[A-Z]$/.test(event.code) ? event.code.slice(3).toLowerCase() : ""; }
    return /^[a-z]$/i.test(event.key) ? event.key.toLowerCase() : "";
  };
  const pressed = (event) => digit(event) || letter(event);
  const typing = (node) => node.matches("textarea, select, input:not([type=radio]):not([type=checkbox])");

  // time that the page was in sight: the server takes it only where it is shorter than its own
  let active = 0;
  let since = document.hidden ? null : performance.now();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden && since !== null) { active += performance.now() - since; since = null; }
    else if (!document.hidden && since === null) { since = performance.now(); }
  });
  for (const timed of document.querySelectorAll("form[data-timed]")) {
    timed.addEventListener("submit", (event) => {
      if (timed.dataset.sent || timed.dataset.preview !== undefined) { event.preventDefault(); return; }
      timed.dataset.sent = "1";
      const total = active + (since === null ? 0 : performance.now() - since);
      const field = timed.elements.namedItem("active");
      if (field) { field.value = (total / 1000).toFixed(1); }
    });
  }
  // a page brought back by the browser's own button may be sent again
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) { document.querySelectorAll("form[data-timed]").forEach((f) => delete f.dataset.sent); }
  });

  const shading = document.getElementById("similar");
  const shade = () => document.body.classList.toggle("no-similar", !shading.checked);
  if (shading) {
    try { shading.checked = localStorage.getItem("dalil-similar") !== "off"; } catch { /* kept for this page only */ }
    shade();
    shading.addEventListener("change", () => {
      shade();
      try { localStorage.setItem("dalil-similar", shading.checked ? "on" : "off"); } catch { /* as above */ }
    });
  }

  if (form) {
    const questions = [...form.querySelectorAll("fieldset[data-question]")];
    const chosen = (name) => {
      const found = questions.find((q) => q.dataset.question === name);
      if (!found || found.disabled) { return ""; }
      const radio = found.querySelector("input[type=radio]:checked");
      const text = found.querySelector("textarea");
      return radio ? radio.value : text ? text.value.trim() : "";
    };
    let answered = null;
    const update = () => {
      const first = chosen("label");
      for (const question of questions) {
        if (question.dataset.when === undefined) { continue; }
        const when = JSON.parse(question.dataset.when);
        const asked = Object.entries(when).every(([name, values]) => values.includes(chosen(name)));
        question.hidden = !asked;
        question.disabled = !asked;
        if (question.dataset.kind !== "label") { continue; }
        for (const radio of question.querySelectorAll("input[type=radio]")) {
          const same = radio.value === first;
          radio.disabled = same;
          radio.closest(".choice").hidden = same;
          if (same) { radio.checked = false; }
        }
      }
      // keys go to the first question that has no answer; while all have one (a judgement that is looked at
      // again), to the first, then to the one behind what was answered last
      const open = questions.filter((q) => !q.hidden && q.querySelector("input[type=radio]"));
      const turn = open.find((q) => !q.querySelector("input:checked"))
        || open[Math.min(open.indexOf(answered) + 1, open.length - 1)];
      for (const question of questions) { question.classList.toggle("active", question === turn); }
      return turn;
    };
    const pick = (radio) => {
      if (!radio || radio.disabled) { return false; }
      radio.checked = true;
      radio.dispatchEvent(new Event("change", { bubbles: true }));
      radio.focus({ preventScroll: true });
      const next = form.querySelector(".question.active");
      if (next && !next.contains(radio)) { next.scrollIntoView({ block: "nearest" }); }
      return true;
    };
    form.addEventListener("change", (event) => {
      answered = event.target.closest("fieldset[data-question]") || answered;
      update();
    });
    update();

    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) { return; }
      if (event.key === "Escape" && typing(event.target)) { event.target.blur(); return; }
      if (typing(event.target)) { return; }
      const key = pressed(event);
      if (event.key === "Enter" && !event.target.matches("a, button, summary")) {
        event.preventDefault();
        form.requestSubmit(document.getElementById("submit"));
      } else if (event.key === "Backspace") {
        event.preventDefault();
        for (const radio of form.querySelectorAll("input[type=radio]:checked")) { radio.checked = false; }
        answered = null;
        update();
      } else if (key) {
        const turn = form.querySelector(".question.active");
        const own = turn && turn.dataset.question !== "label" && digit(event)
          ? [...turn.querySelectorAll("input[type=radio]")].find((radio, place) =>
            (turn.dataset.kind === "scale" ? radio.value : String(place + 1)) === key)
          : form.querySelector(`input[data-key="${key}"]`);
        if (own && pick(own)) { event.preventDefault(); return; }
        const note = form.querySelector("details.note");
        const skip = document.getElementById("skip");
        const undo = document.getElementById("undo");
        if (key === "n" && note) { event.preventDefault(); note.open = true; note.querySelector("textarea").focus(); }
        else if (key === "k" && skip) { event.preventDefault(); skip.open = true; skip.querySelector("select").focus(); }
        else if (key === "z" && undo) { event.preventDefault(); undo.click(); }
        else if (key === "h" && shading) { event.preventDefault(); shading.click(); }
      }
    });
  } else {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) { return; }
      const undo = document.getElementById("undo");
      const go = document.getElementById("go");
      if (pressed(event) === "z" && undo) { undo.click(); }
      else if (event.key === "Enter" && go && !event.target.matches("a, button, summary")) { go.click(); }
    });
  }
})();

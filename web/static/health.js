// The health page keeps itself fresh while somebody looks at it.
// @ts-check

import { $, data, el, mark, put, say } from "./dom.js";

/** @import { Fact, HealthView } from "../types/api.d.ts" */

const PAUSE = 5000;
let shown = "";

async function look() {
  if (document.visibilityState === "visible") {
    try {
      const answer = await fetch("/api/health", { signal: AbortSignal.timeout(15000) });
      if (answer.status === 403) location.reload();
      else if (answer.ok) paint(await answer.json());
      put($("asked"), say(answer.ok ? "health.fresh" : "health.stale"));
    } catch {
      put($("asked"), say("health.stale"));
    }
  }
  setTimeout(look, PAUSE);
}

/** @param {HealthView} view */
function paint({ facts, settles }) {
  mark($("settle"), "hidden", settles ? null : true);
  const key = JSON.stringify(facts);
  if (key === shown) return;
  shown = key;
  const bad = facts.filter((fact) => fact.state === "wrong").length;
  put($("sum"), bad ? say("health.bad", { n: bad }) : say("health.good"));
  $("facts").replaceChildren(...facts.map(line));
}

/** @param {Fact} fact */
function line(fact) {
  const head = el("h2", {}, `${fact.name} `, el("span.said", {}, say(`health.${fact.state}`)));
  const todo = fact.todo ? el("p.todo", {}, fact.todo) : null;
  return el(
    `li.fact.${fact.state}`,
    {},
    el("i.sign", { "aria-hidden": "true" }),
    el("div", {}, head, el("p", {}, fact.text), todo),
  );
}

document.documentElement.lang = data.language;
setTimeout(look, PAUSE);
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && (shown = ""));

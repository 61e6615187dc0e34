// Calls as they arrive, newest first. Their messages are loaded when a call is opened.
import { api } from "./api.js";
import { element, jsonView } from "./element.js";
import { outcomeClass, sendAgain } from "./send-form.js";
import { operationOf } from "./state.js";
import { announce } from "./announce.js";
import { draftStubOf } from "./stubs.js";

const mostShown = 200;
const all = "";
const nameless = "(none)";

const at = (id) => document.getElementById(id);
const nameOf = (session) => (session === "" ? nameless : session);

function detailsOf(call) {
  const { operation, requests, responses, message, details, omittedMessages } = call;
  const known = operationOf(operation);
  const request = known?.kind === "client_streaming" || known?.kind === "bidi_streaming" ? requests : requests[0];
  const stub = () => draftStubOf(call).catch((refusal) => announce(refusal.message));
  return [
    message !== "" && element("p", { class: "fault" }, message),
    ...requests.map((one) => jsonView(one, "Request")),
    ...responses.map((one) => jsonView(one, "Answer")),
    Object.keys(details).length > 0 && jsonView(details, "Details"),
    omittedMessages > 0 && element("p", { class: "muted" }, `${omittedMessages} messages were not kept.`),
    known !== undefined &&
      element(
        "div",
        { class: "bar" },
        element(
          "button",
          { type: "button", class: "quiet", onclick: () => sendAgain(operation, request) },
          "Send again",
        ),
        element("button", { type: "button", class: "quiet", onclick: stub }, "Make a stub"),
      ),
  ].filter(Boolean);
}

function row(call) {
  const { index, session, operation, outcome, startedAt, durationMs } = call;
  const time = new Date(startedAt);
  const body = element("div", { class: "details" });
  const open = async ({ target }) => {
    if (!target.open || body.hasChildNodes()) return;
    const [whole] = await api.get(`calls?session=${encodeURIComponent(session)}&index=${index}`);
    body.replaceChildren(
      ...(whole === undefined ? [element("p", {}, "This call is no longer in the log.")] : detailsOf(whole)),
    );
  };
  return element(
    "li",
    {},
    element(
      "details",
      { ontoggle: open },
      element(
        "summary",
        {},
        element("span", { class: `dot ${outcomeClass(outcome)}` }),
        element("span", { class: "name", title: operation }, operation.split(".").at(-1)),
        outcome !== "OK" && element("span", { class: "code" }, outcome),
        session !== "" && element("span", { class: "session" }, session),
        element("span", { class: "took" }, `${durationMs.toFixed(1)} ms`),
        element("time", { datetime: time.toISOString() }, time.toLocaleTimeString([], { hourCycle: "h23" })),
      ),
      body,
    ),
  );
}

let session = all;
const known = new Set();

function showSessions() {
  const select = at("session");
  select.replaceChildren(
    element("option", { value: all }, "all"),
    ...[...known]
      .toSorted((one, other) => one.localeCompare(other))
      .map((name) => element("option", { value: `=${name}` }, nameOf(name))),
  );
  select.value = session;
}

const isShown = (call) => session === all || session === `=${call.session}`;
const query = () => (session === all ? "" : `session=${encodeURIComponent(session.slice(1))}`);

function showEmpty() {
  at("no-calls").hidden = at("calls").hasChildNodes();
}

function add(call) {
  if (!known.has(call.session)) {
    known.add(call.session);
    showSessions();
  }
  if (!isShown(call)) return;
  const list = at("calls");
  list.prepend(row(call));
  while (list.childElementCount > mostShown) list.lastElementChild.remove();
}

async function showAll() {
  const calls = await api.get(`calls?summary&limit=${mostShown}&${query()}`);
  at("calls").replaceChildren();
  for (const call of calls) add(call);
  showEmpty();
}

async function readAll() {
  for (const name of await api.get("sessions")) known.add(name);
  showSessions();
  await showAll();
}

async function forget(what) {
  await api.remove(`${what}?${query()}`);
  await showAll();
}

/** Shows the existing calls, and new ones as they arrive. */
export function startCalls(events) {
  // Many may arrive at once; the list is drawn once for all of them.
  let waiting = [];
  const draw = () => {
    for (const call of waiting.slice(-mostShown)) add(call);
    waiting = [];
    showEmpty();
  };
  events.addEventListener("call", ({ data }) => {
    if (waiting.length === 0) requestAnimationFrame(draw);
    waiting.push(JSON.parse(data));
  });
  events.addEventListener("open", () => void readAll());
  at("session").addEventListener("change", ({ target }) => {
    session = target.value;
    void showAll();
  });
  at("clear").addEventListener("click", () => void forget("calls"));
  at("reset").addEventListener("click", () => void forget("sessions"));
}

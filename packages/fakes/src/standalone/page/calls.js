// Calls as they arrive, newest first. Their messages are loaded when a call is opened.
import { api, operationOf, state } from "./state.js";
import { announce, element, jsonView } from "./element.js";
import { outcomeClass, sendAgain } from "./send-form.js";
import { draftStubOf } from "./stubs.js";

const mostShown = 200;
const all = "";
const nameless = "(none)";

const at = (id) => document.getElementById(id);
const nameOf = (session) => (session === "" ? nameless : session);

const shown = (value) => (value === undefined || value === null ? "nothing" : JSON.stringify(value));

/** Why a stub of the operation did not answer the call. */
function nearStub({ position, differences }) {
  return element(
    "div",
    { class: "near" },
    element("p", {}, `Stub ${position} did not match:`),
    element(
      "ul",
      {},
      ...differences.map(({ path, expected, got }) =>
        element(
          "li",
          {},
          element("code", {}, path === "" ? "the request" : path),
          ` expected ${shown(expected)}, got ${shown(got)}`,
        ),
      ),
    ),
  );
}

/** Headers are often many, and seldom looked at. */
function headersView(headers, label) {
  return element("details", { class: "headers" }, element("summary", {}, label), jsonView(headers, label));
}

const isEmpty = (object) => Object.keys(object).length === 0;

function detailsOf(call) {
  const { operation, headers, requests, responses, answerHeaders, nearStubs, message, details, omittedMessages } = call;
  const known = operationOf(operation);
  const request = known?.kind === "client_streaming" || known?.kind === "bidi_streaming" ? requests : requests[0];
  const stub = () => draftStubOf(call).catch((refusal) => announce(refusal.message));
  return [
    message !== "" && element("p", { class: "fault" }, message),
    call.cause !== "" && element("pre", { class: "fault" }, call.cause),
    ...nearStubs.map(nearStub),
    !isEmpty(headers) && headersView(headers, "Headers"),
    ...requests.map((json) => jsonView(json, "Request")),
    !isEmpty(answerHeaders) && headersView(answerHeaders, "Headers of the answer"),
    ...responses.map((json) => jsonView(json, "Answer")),
    !isEmpty(details) && jsonView(details, "Details"),
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

function timeOf(milliseconds) {
  const time = new Date(milliseconds);
  return element("time", { datetime: time.toISOString() }, time.toLocaleTimeString([], { hourCycle: "h23" }));
}

/** The title of a style that serves; its name for another, such as `memory`. */
const titleOf = (style) => state.servers.find((server) => server.style === style)?.title ?? style;

/** A request that was refused before it reached an operation. */
function refusalRow({ session, server, style, client, request, outcome, message, nearest, nearestField, at: time }) {
  const link =
    nearest &&
    element(
      "p",
      {},
      "Nearest: ",
      element("a", { href: `#/operations/${nearest.operation}` }, element("code", {}, nearest.address)),
      nearestField && element("span", {}, ", field ", element("code", {}, nearestField)),
    );
  return element(
    "li",
    { class: "refusal" },
    element(
      "details",
      {},
      element(
        "summary",
        {},
        element("span", { class: "dot failed" }),
        element("span", { class: "name", title: `${style} (${server})` }, request),
        element("span", { class: "style" }, style),
        element("span", { class: "code" }, "refused"),
        session !== "" && element("span", { class: "session" }, session),
        timeOf(time),
      ),
      element(
        "div",
        { class: "details" },
        element("p", { class: "fault" }, `${outcome}${message === "" ? "" : `: ${message}`}`),
        element(
          "p",
          { class: "muted" },
          `${style}, by ${server}${client && `, from ${client}`}. The request reached no operation.`,
        ),
        link,
      ),
    ),
  );
}

function row(call) {
  const { index, session, style, operation, outcome, ignoredFields, startedAt, durationMs } = call;
  const ignoredText = ignoredFields.length === 0 ? "" : `ignored: ${ignoredFields.join(", ")}`;
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
        element("span", { class: "style" }, titleOf(style)),
        outcome !== "OK" && element("span", { class: "code", title: outcome }, outcome),
        ignoredText !== "" && element("span", { class: "code", title: ignoredText }, ignoredText),
        session !== "" && element("span", { class: "session" }, session),
        element("span", { class: "took" }, `${durationMs.toFixed(1)} ms`),
        timeOf(startedAt),
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
      .toSorted((name, next) => name.localeCompare(next))
      .map((name) => element("option", { value: `=${name}` }, nameOf(name))),
  );
  select.value = session;
}

const isShown = (call) => session === all || session === `=${call.session}`;
const query = () => (session === all ? "" : `session=${encodeURIComponent(session.slice(1))}`);

function showEmpty() {
  at("no-calls").hidden = at("calls").hasChildNodes();
}

const begunAt = ({ at: refusedAt, startedAt }) => refusedAt ?? startedAt;
const listed = new Set();

/** Adds a call, or a refused request, which has the time `at`. */
function add(call) {
  if (!known.has(call.session)) {
    known.add(call.session);
    showSessions();
  }
  // One that arrives while the list is read is in both.
  const key = `${call.session} ${call.index} ${begunAt(call)}`;
  if (!isShown(call) || listed.has(key)) return;
  listed.add(key);
  const list = at("calls");
  list.prepend("at" in call ? refusalRow(call) : row(call));
  while (list.childElementCount > mostShown) list.lastElementChild.remove();
}

// Arrived and not shown yet. Many may arrive at once; they are drawn together, and not while the list is read, which may lack them.
let arrived = [];
let latestRead;

function draw() {
  if (latestRead !== undefined) return;
  for (const call of arrived.slice(-mostShown)) add(call);
  arrived = [];
  showEmpty();
}

function drawLater({ data }) {
  if (arrived.length === 0) requestAnimationFrame(draw);
  arrived.push(JSON.parse(data));
}

async function showAll() {
  const read = {};
  latestRead = read;
  try {
    const [calls, refusals] = await Promise.all(
      ["calls?summary", "refusals?"].map((path) => api.get(`${path}&limit=${mostShown}&${query()}`)),
    );
    if (read !== latestRead) return;
    const both = [...calls, ...refusals].toSorted((call, next) => begunAt(call) - begunAt(next));
    at("calls").replaceChildren();
    listed.clear();
    for (const call of both.slice(-mostShown)) add(call);
  } finally {
    if (read === latestRead) {
      latestRead = undefined;
      draw();
    }
  }
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
  events.addEventListener("call", drawLater);
  events.addEventListener("refusal", drawLater);
  events.addEventListener("open", () => void readAll());
  at("session").addEventListener("change", ({ target }) => {
    session = target.value;
    void showAll();
  });
  at("clear").addEventListener("click", () => void forget("calls"));
  at("reset").addEventListener("click", () => void forget("sessions"));
}

// A form that sends a call to the fake, as a client would, and shows its outcome.
import { api, state } from "./state.js";
import { element, jsonView } from "./element.js";
import { draftStubOf } from "./stubs.js";

/** The last text typed for each operation, until the page is closed. */
const typed = new Map();
/** The settings of the last call, which the next call starts from. */
const last = { stack: undefined, session: "" };

const mostRows = 24;

export const outcomeClass = (outcome) => (outcome === "OK" ? "ok" : "failed");

/** The members of an error that are not empty. */
function presentDetails(details = {}) {
  return Object.fromEntries(Object.entries(details).filter(([, value]) => Object.keys(value).length > 0));
}

function resultOf({ id }, requests, result, refused) {
  const { outcome, message, responses, isCut, durationMs, details } = result;
  const present = presentDetails(details);
  const call = { operation: id, requests, responses, outcome, message, details: present };
  const stub = () => draftStubOf(call).catch(refused);
  return [
    element(
      "p",
      { class: "outcome" },
      element("strong", { class: outcomeClass(outcome) }, outcome),
      ` ${durationMs.toFixed(1)} ms `,
      message,
    ),
    ...responses.map((response) => jsonView(response, "Answer")),
    isCut && element("p", { class: "muted" }, "Only the first answers are shown."),
    Object.keys(present).length > 0 && jsonView(present, "Details"),
    element("button", { type: "button", class: "quiet", onclick: stub }, "Make a stub of this"),
  ].filter(Boolean);
}

/** The requests to send: one, or a list for a stream. */
function readRequest(text, takesStream) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Error(`The request is not valid JSON: ${cause.message}`, { cause });
  }
  return { requests: takesStream && Array.isArray(value) ? value : [value] };
}

/** The stacks that support the operation; the last used one is selected. */
function stackChoice({ styles }) {
  const cannot = new Set(styles.filter(({ signature }) => signature === "").map(({ stack }) => stack));
  const stacks = state.servers.filter(({ stack }) => !cannot.has(stack));
  const options = stacks.map((server) => element("option", { value: server.stack }, server.title));
  const choice = element("select", { id: "stack" }, ...options);
  choice.value = (stacks.find((server) => server.stack === last.stack) ?? stacks[0])?.stack ?? "";
  return choice;
}

/** The text of the request, kept per operation, and a button that restores the example. */
function requestText(id, example) {
  const text = element("textarea", { id: "request", spellcheck: "false" });
  const again = element("button", { type: "button", class: "quiet" }, "Start over");
  const write = (written) => {
    text.value = written;
    text.rows = Math.min(mostRows, written.split("\n").length + 1);
    again.hidden = written === example;
  };
  const keep = () => {
    again.hidden = text.value === example;
    if (again.hidden) typed.delete(id);
    else typed.set(id, text.value);
  };
  again.addEventListener("click", () => {
    typed.delete(id);
    write(example);
    text.focus();
  });
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) text.form.requestSubmit();
  });
  write(typed.get(id) ?? example);
  return { text, again, keep };
}

export function sendForm(operation) {
  const { id, kind, request } = operation;
  const takesStream = kind === "client_streaming" || kind === "bidi_streaming";
  const example = JSON.stringify(takesStream ? [request] : request, undefined, 2);
  const { text, again, keep: keepText } = requestText(id, example);
  const stack = stackChoice(operation);
  const session = element("input", { id: "as-session", value: last.session, placeholder: "none", size: "6" });
  const result = element("div", { class: "result", "aria-live": "polite" });
  const button = element("button", { type: "submit", title: "Ctrl+Enter" }, "Send");
  const keep = () => {
    keepText();
    Object.assign(last, { stack: stack.value, session: session.value });
  };
  const refused = ({ message }) => {
    result.replaceChildren(element("p", { class: "fault", role: "alert" }, message));
  };
  const send = async (event) => {
    event.preventDefault();
    keep();
    button.disabled = true;
    try {
      const asked = readRequest(text.value, takesStream);
      const sent = await api.post("send", { stack: stack.value, operation: id, session: session.value, ...asked });
      result.replaceChildren(...resultOf(operation, asked.requests, sent, refused));
    } catch (refusal) {
      refused(refusal);
    } finally {
      button.disabled = false;
    }
  };
  const over = [element("label", { for: "stack" }, "over"), stack];
  const as = [element("label", { for: "as-session" }, "in session"), session];
  return element(
    "form",
    { class: "card", "aria-labelledby": "send-heading", onsubmit: send, oninput: keep },
    element("h3", { id: "send-heading" }, "Send a call"),
    element("label", { for: "request" }, takesStream ? "Requests, a list in JSON" : "Request in JSON"),
    text,
    element("div", { class: "bar" }, ...over, ...as, again, button),
    result,
  );
}

/** Fills the form of an operation with a request of an earlier call. */
export function sendAgain(id, request) {
  typed.set(id, JSON.stringify(request, undefined, 2));
  location.hash = `#/operations/${id}`;
  dispatchEvent(new HashChangeEvent("hashchange"));
}

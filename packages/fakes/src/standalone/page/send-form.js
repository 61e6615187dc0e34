// A call to send to the fake, as a client would, and what it ended with.
import { api } from "./api.js";
import { element, jsonView } from "./element.js";
import { state } from "./state.js";
import { draftStub, stubFrom } from "./stubs.js";

/** What was last typed for each operation, for as long as the page is open. */
const typed = new Map();

export const outcomeClass = (outcome) => (outcome === "OK" ? "ok" : "failed");

function resultOf({ id, kind }, request, result) {
  const { outcome, message, responses, isCut, durationMs, details } = result;
  const stub = () => draftStub(stubFrom(id, kind, request, result));
  return [
    element(
      "p",
      { class: "outcome" },
      element("strong", { class: outcomeClass(outcome) }, outcome),
      ` ${durationMs.toFixed(1)} ms `,
      message,
    ),
    ...responses.map((response) => jsonView(response, "Answer")),
    isCut && element("p", { class: "muted" }, "More answers came than are shown here."),
    details !== undefined && (details.reason !== "" || details.violations.length > 0) && jsonView(details, "Details"),
    element("button", { type: "button", class: "quiet", onclick: stub }, "Make a stub of this"),
  ].filter(Boolean);
}

/** What is to be sent: one request, or a list of them for a stream. */
function readRequest(text, takesStream) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Error(`The request is no JSON: ${cause.message}`, { cause });
  }
  if (!takesStream) return { request: value };
  return { requests: Array.isArray(value) ? value : [value] };
}

export function sendForm(operation) {
  const { id, kind, request } = operation;
  const takesStream = kind === "client_streaming" || kind === "bidi_streaming";
  const before = typed.get(id) ?? { text: JSON.stringify(takesStream ? [request] : request, undefined, 2) };
  const stacks = state.servers.filter(({ stack }) => stack !== undefined);
  const stack = element(
    "select",
    { id: "stack" },
    ...stacks.map((one) => element("option", { value: one.stack }, one.title)),
  );
  stack.value = before.stack ?? stacks[0]?.stack ?? "";
  const session = element("input", { id: "as-session", value: before.session ?? "", placeholder: "none", size: "10" });
  const text = element("textarea", { id: "request", rows: "6", spellcheck: "false", value: before.text });
  const result = element("div", { class: "result", "aria-live": "polite" });
  const button = element("button", { type: "submit", title: "Ctrl+Enter" }, "Send");
  const keep = () => typed.set(id, { text: text.value, stack: stack.value, session: session.value });
  const send = async (event) => {
    event.preventDefault();
    keep();
    button.disabled = true;
    try {
      const asked = readRequest(text.value, takesStream);
      const sent = await api.post("send", { stack: stack.value, operation: id, session: session.value, ...asked });
      result.replaceChildren(...resultOf(operation, asked.request ?? asked.requests[0], sent));
    } catch ({ message }) {
      result.replaceChildren(element("p", { class: "fault", role: "alert" }, message));
    } finally {
      button.disabled = false;
    }
  };
  const form = element(
    "form",
    { class: "card", "aria-labelledby": "send-heading", onsubmit: send, oninput: keep },
    element("h3", { id: "send-heading" }, "Send a call"),
    element("label", { for: "request" }, takesStream ? "Requests, a list in JSON" : "Request in JSON"),
    text,
    element(
      "div",
      { class: "bar" },
      element("label", { for: "stack" }, "over"),
      stack,
      element("label", { for: "as-session" }, "in session"),
      session,
      button,
    ),
    result,
  );
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  return form;
}

/** Fills the form of an operation with a request that was made before. */
export function sendAgain(id, request) {
  typed.set(id, { ...typed.get(id), text: JSON.stringify(request, undefined, 2) });
  location.hash = `#/operations/${id}`;
  dispatchEvent(new HashChangeEvent("hashchange"));
}

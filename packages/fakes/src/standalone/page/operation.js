// One operation: what it is on every style, a call to send, and its stubs.
import { element } from "./element.js";
import { sendForm } from "./send-form.js";
import { stubCards } from "./stubs.js";

const kinds = {
  unary: "one request, one answer",
  server_streaming: "one request, a stream of answers",
  client_streaming: "a stream of requests, one answer",
  bidi_streaming: "streams both ways",
};

function styleRow({ title, signature, lost }) {
  return element(
    "div",
    {},
    element("dt", {}, title),
    element("dd", {}, element("code", {}, signature), ...lost.map((why) => element("p", { class: "lost" }, why))),
  );
}

export function operationView(operation) {
  const { id, name, service, kind, comment, styles } = operation;
  return element(
    "article",
    {},
    element("p", { class: "crumb" }, service),
    element("h2", {}, name),
    element("p", { class: "muted" }, kinds[kind]),
    comment !== "" && element("p", { class: "comment" }, comment),
    element("dl", { class: "styles" }, ...styles.map(styleRow)),
    sendForm(operation),
    stubCards(id),
  );
}

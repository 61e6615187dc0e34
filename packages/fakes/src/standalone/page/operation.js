// One operation: its form in every style, a call to send, and its stubs.
import { element } from "./element.js";
import { proseView } from "./prose.js";
import { sendForm } from "./send-form.js";
import { stubCards } from "./stubs.js";

const kinds = {
  unary: "one request, one answer",
  server_streaming: "one request, a stream of answers",
  client_streaming: "a stream of requests, one answer",
  bidi_streaming: "streams both ways",
};

/** What a style cannot carry is collapsed, because few readers need it. */
function losses({ title, signature, lost }) {
  if (lost.length === 0) return undefined;
  if (signature === "") return element("p", { class: "muted" }, `${title} cannot carry it: ${lost.join("; ")}`);
  const what = lost.length === 1 ? "one thing" : `${lost.length} things`;
  return element(
    "details",
    { class: "lost" },
    element("summary", {}, `${title} cannot carry ${what} of it`),
    element("ul", {}, ...lost.map((why) => element("li", {}, why))),
  );
}

function styleRow(style) {
  const { title, signature } = style;
  const code = signature !== "" && element("code", {}, signature);
  return element("div", {}, element("dt", {}, title), element("dd", {}, code, losses(style)));
}

export function operationView(operation) {
  const { id, name, service, kind, comment, styles } = operation;
  return element(
    "article",
    {},
    element("p", { class: "crumb" }, service),
    element("h2", {}, name),
    element("p", { class: "muted" }, kinds[kind]),
    comment.trim() !== "" && proseView(comment),
    element("dl", { class: "styles" }, ...styles.map(styleRow)),
    sendForm(operation),
    stubCards(id),
  );
}

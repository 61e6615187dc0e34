// The page of a SOAP server: the requests of the examples as curl commands with an indented envelope.
import type { Message } from "@bufbuild/protobuf";
import type { Operation } from "@roundtrip/contract";
import type { Describe } from "../shared/http/description-answer.ts";
import { html } from "../shared/pages/html.ts";
import { operationsPage, type PageContent, shellWord } from "../shared/pages/operations-page.ts";
import { soap11, soap12 } from "./envelope.ts";
import { requestElement, serviceNamespace, soapPath } from "./schema/names.ts";
import { messageWriter } from "./values/message-writer.ts";
import { viewOf } from "./index.ts";

/** An element that contains text or nothing, or the begin or end of another. Text has no angle bracket. */
const element = /<([^/>]+)>[^<]*<\/\1>|<\/?[^>]+>/g;

/** The elements of written XML without attributes, one a line. */
function indentedLines(xml: string): readonly string[] {
  let depth = 0;
  return [...xml.matchAll(element)].map(([text, leaf]) => {
    if (text.startsWith("</")) depth -= 1;
    const line = "  ".repeat(depth) + text;
    if (leaf === undefined && !text.startsWith("</") && !text.endsWith("/>")) depth += 1;
    return line;
  });
}

function envelopeOf(operation: Operation, request: Message): string {
  const name = requestElement(operation);
  const tag = `m:${name} xmlns:m="${serviceNamespace(operation)}"`;
  const lines = indentedLines(messageWriter(operation.input)(request, 1));
  // An element of an empty message must not have even white space.
  const content =
    lines.length === 0 ? [`<${tag}/>`] : [`<${tag}>`, ...lines.map((line) => `  ${line}`), `</m:${name}>`];
  return [
    `<s:Envelope xmlns:s="${soap11.namespace}">`,
    "  <s:Body>",
    ...content.map((line) => `    ${line}`),
    "  </s:Body>",
    "</s:Envelope>",
  ].join("\n");
}

export const soapPage: Describe = (about, origin, metadata) => {
  const location = `${origin}${soapPath}`;
  const content: PageContent = {
    title: "SOAP API",
    intro: html`<p>
      The endpoint <code>${location}</code> answers SOAP 1.1 (<code>${soap11.mediaType}</code>) and SOAP 1.2
      (<code>${soap12.mediaType}</code>), in the version of the request. Types and actions are in
      <a href="${location}?wsdl">the WSDL</a>. Elements are optional unless the service requires them, and come in the
      order shown.
    </p>`,
    view: viewOf,
    commandsOf: (operation, request) => {
      const type = `-H 'Content-Type: ${soap11.contentType}'`;
      const envelope = envelopeOf(operation, request);
      return [`curl ${shellWord(location)} ${type} --data-binary @- <<'EOF'\n${envelope}\nEOF`];
    },
  };
  return operationsPage(about, content, metadata);
};

// The page of a SOAP server: each operation with a request to copy, an answer, and its action. Plain HTML without scripts or external resources.
import { commentAbove, type Contract, type ExampleOf, type Operation } from "@roundtrip/contract";
import { html, prose, type Html } from "../../shared/pages/html.ts";
import { style } from "../../shared/pages/style.ts";
import { soap11, soap12, type SoapDialect } from "../envelope/soap-version.ts";
import { actionOf, answerElement, requestElement, serviceNamespace } from "../schema/names.ts";
import { sampleLines } from "../schema/sample.ts";
import { messageWriter } from "../values/message-writer.ts";

/** An envelope for people. @param name of the body's element. @param lines the elements in it */
function envelopeOf(operation: Operation, name: string, lines: readonly string[], dialect: SoapDialect): string {
  const tag = `m:${name} xmlns:m="${serviceNamespace(operation)}"`;
  // An element of an empty message must not have even white space.
  const content =
    lines.length === 0 ? [`<${tag}/>`] : [`<${tag}>`, ...lines.map((line) => `  ${line}`), `</m:${name}>`];
  return [
    `<s:Envelope xmlns:s="${dialect.namespace}">`,
    "  <s:Body>",
    ...content.map((line) => `    ${line}`),
    "  </s:Body>",
    "</s:Envelope>",
  ].join("\n");
}

/** A sample envelope. @param name of the body's element */
export function sampleEnvelope(operation: Operation, name: string, dialect: SoapDialect): string {
  const message = name === requestElement(operation) ? operation.input : operation.output;
  return envelopeOf(operation, name, sampleLines(message), dialect);
}

/** An element that holds text or nothing, or the begin or end of another. Text has no angle bracket. */
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

/** The envelope of the example request; undefined without one, or if XML cannot express it. */
function exampleEnvelope(operation: Operation, exampleOf: ExampleOf): string | undefined {
  const request = exampleOf(operation);
  try {
    const lines = request && indentedLines(messageWriter(operation.input)(request, 1));
    return lines && envelopeOf(operation, requestElement(operation), lines, soap11);
  } catch {
    return undefined;
  }
}

function operationView(operation: Operation, location: string, exampleOf: ExampleOf): Html {
  const { name } = operation.method;
  const request = exampleEnvelope(operation, exampleOf) ?? sampleEnvelope(operation, requestElement(operation), soap11);
  const command = `curl '${location}' -H 'Content-Type: ${soap11.contentType}' --data-binary @- <<'EOF'\n${request}\nEOF`;
  return html`<details id="${operation.id}">
    <summary><code>${name}</code></summary>
    <div>
      ${prose(commentAbove(operation.method))}
      <h3>Action</h3>
      <pre>${actionOf(operation)}</pre>
      <h3>Request, SOAP 1.1</h3>
      <pre>${command}</pre>
      <h3>Answer</h3>
      <pre>${sampleEnvelope(operation, answerElement(operation), soap11)}</pre>
    </div>
  </details>`;
}

/** The page of a contract. @param location the address of the endpoint */
export function servicePage(contract: Contract, location: string, exampleOf: ExampleOf): string {
  const unary = contract.operations.filter(({ kind }) => kind === "unary");
  const services = Map.groupBy(unary, ({ method }) => method.parent);
  const sections = [...services].map(
    ([service, operations]) =>
      html`<h2>${service.typeName}</h2>
        ${prose(commentAbove(service))} ${operations.map((operation) => operationView(operation, location, exampleOf))}`,
  );
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>SOAP services</title>
        <style>
          ${{ markup: style }}
        </style>
      </head>
      <body>
        <h1>SOAP services</h1>
        <p>
          The endpoint <code>${location}</code> answers SOAP 1.1 (<code>${soap11.mediaType}</code>) and SOAP 1.2
          (<code>${soap12.mediaType}</code>), in the version of the request. Its description is
          <a href="${location}?wsdl">the WSDL</a>. Elements are optional unless the service requires them, and stand in
          this order.
        </p>
        ${sections}
      </body>
    </html>`;
  return page.markup;
}

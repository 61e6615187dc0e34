// The page of a JSON-RPC server, built from the OpenRPC document: plain HTML without scripts or external resources.
import type { JsonObject } from "@bufbuild/protobuf";
import type { Contract, ExampleOf, Operation } from "@roundtrip/contract";
import type { JsonSchema, JsonSchemaValue } from "../../shared/json-schema/json-schema.ts";
import { html, prose, type Html } from "../../shared/pages/html.ts";
import {
  aboutView,
  listOf,
  nameView,
  objectOf,
  schemaView,
  table,
  textOf,
  typeView,
} from "../../shared/pages/schema-view.ts";
import { shellWord } from "../../shared/pages/shell-word.ts";
import { style } from "../../shared/pages/style.ts";
import { jsonWriter } from "../../shared/proto-json/exact-json.ts";
import { openRpcPath } from "../endpoint.ts";
import { discoverMethod, methodName } from "../method-name.ts";
import { openRpc } from "../openrpc/openrpc.ts";
import { paramsWriter } from "../params.ts";

function paramsView(params: readonly JsonSchema[]): Html {
  if (params.length === 0) return html`<p>none</p>`;
  return table(
    params.map(({ name, required, description, schema }) => ({
      name: nameView(textOf(name), required === true),
      type: typeView(objectOf(schema)),
      about: html`${prose(description)}${aboutView({ ...objectOf(schema), description: "" })}`,
    })),
  );
}

function errorsView(errors: readonly JsonSchema[]): Html | undefined {
  if (errors.length === 0) return undefined;
  return html`<h3>Errors</h3>
    ${errors.map(({ code, message }) => html`<p><strong>${textOf(code)}</strong> ${textOf(message)}</p>`)}`;
}

/** A value of a parameter to begin with. */
function sampleOf(schema: JsonSchema): JsonSchemaValue {
  const [example] = listOf(schema["examples"]);
  if (example !== undefined) return example;
  switch (schema["type"]) {
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    case "array":
      return [];
    case "string":
      return listOf(schema["enum"])[0] ?? "…";
    default:
      return {};
  }
}

/** The required parameters, with a value of their type. */
function sampleParams(params: readonly JsonSchema[]): JsonObject {
  const required = params.filter((param) => param["required"] === true);
  return Object.fromEntries(
    required.map(({ name, schema }) => [textOf(name), sampleOf(objectOf(schema))]),
  ) as JsonObject;
}

/** The parameters of the example request; undefined without one, or if JSON cannot express it. */
function exampleParams(contract: Contract, operation: Operation, exampleOf: ExampleOf): JsonObject | undefined {
  const request = exampleOf(operation);
  try {
    return request && paramsWriter(contract, operation)(request);
  } catch {
    return undefined;
  }
}

/** A method of the document, with what its command needs. */
interface ShownMethod {
  readonly method: JsonSchema;
  readonly params: readonly JsonSchema[];
  readonly command: string;
}

/** @param location the address for calls */
function shownMethods(
  contract: Contract,
  methods: readonly JsonSchema[],
  location: string,
  exampleOf: ExampleOf,
): readonly ShownMethod[] {
  const operations = new Map(contract.operations.map((operation) => [methodName(operation), operation]));
  return methods.map((method) => {
    const params = listOf(method["params"]).map(objectOf);
    const name = textOf(method["name"]);
    const operation = operations.get(name);
    const example = operation && exampleParams(contract, operation, exampleOf);
    const call = { jsonrpc: "2.0", id: 1, method: name, params: example ?? sampleParams(params) };
    const text = operation === undefined ? JSON.stringify(call) : jsonWriter(operation.input)(call);
    const command = `curl '${location}' -H 'content-type: application/json' \\\n  -d ${shellWord(text)}`;
    return { method, params, command };
  });
}

function methodView({ method, params, command }: ShownMethod): Html {
  const name = textOf(method["name"]);
  return html`<details id="${name}">
    <summary><code>${name}</code> <span class="about">${textOf(method["summary"])}</span></summary>
    <div>
      ${prose(method["description"])}
      <h3>Params</h3>
      ${paramsView(params)}
      <h3>Result</h3>
      ${schemaView(objectOf(objectOf(method["result"])["schema"]))}
      ${errorsView(listOf(method["errors"]).map(objectOf))}
      <h3>Try it</h3>
      <pre>${command}</pre>
    </div>
  </details>`;
}

/** The page of a contract. @param location the address for calls */
export function methodsPage(contract: Contract, location: string, exampleOf: ExampleOf): string {
  const document = openRpc(contract);
  const { title, description } = objectOf(document["info"]);
  const methods = shownMethods(contract, listOf(document["methods"]).map(objectOf), location, exampleOf);
  const schemas = Object.entries(objectOf(objectOf(document["components"])["schemas"]));
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${textOf(title)}</title>
        <style>
          ${{ markup: style }}
        </style>
      </head>
      <body>
        <h1>${textOf(title)}</h1>
        ${prose(description)}
        <p>
          This page is also there for programs, as <a href="${openRpcPath}">an OpenRPC document</a> and as the result of
          <code>${discoverMethod}</code>.
        </p>
        <h2>Methods</h2>
        ${methods.map(methodView)}
        <h2>Schemas</h2>
        ${schemas.map(
          ([name, schema]) =>
            html`<details id="schema-${name}">
              <summary><code>${name}</code></summary>
              <div>${prose(objectOf(schema)["description"])}${schemaView(objectOf(schema))}</div>
            </details>`,
        )}
      </body>
    </html>`;
  return page.markup;
}

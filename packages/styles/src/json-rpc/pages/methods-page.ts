// The page of a JSON-RPC server, built from the OpenRPC document: plain HTML without scripts or external resources.
import type { Contract } from "@roundtrip/contract";
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
import { style } from "../../shared/pages/style.ts";
import { openRpcPath } from "../endpoint.ts";
import { discoverMethod } from "../method-name.ts";
import { openRpc } from "../openrpc/openrpc.ts";

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

/** A curl command that calls the method with its required parameters. */
function curlOf(method: string, params: readonly JsonSchema[], location: string): string {
  const required = params.filter((param) => param["required"] === true);
  const samples = required.map(({ name, schema }) => [textOf(name), sampleOf(objectOf(schema))] as const);
  const call = { jsonrpc: "2.0", id: 1, method, params: Object.fromEntries(samples) };
  return `curl '${location}' -H 'content-type: application/json' \\\n  -d '${JSON.stringify(call)}'`;
}

function methodView(method: JsonSchema, location: string): Html {
  const params = listOf(method["params"]).map(objectOf);
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
      <pre>${curlOf(name, params, location)}</pre>
    </div>
  </details>`;
}

/** The page of a contract. @param location the address for calls */
export function methodsPage(contract: Contract, location: string): string {
  const document = openRpc(contract);
  const { title, description } = objectOf(document["info"]);
  const methods = listOf(document["methods"]).map(objectOf);
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
        ${methods.map((method) => methodView(method, location))}
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

// The API page, built from the OpenAPI document: plain HTML without scripts or external resources.
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
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

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly about: JsonSchema;
}

function operationsOf(document: JsonSchema): readonly Operation[] {
  return Object.entries(objectOf(document["paths"])).flatMap(([path, item]) =>
    Object.entries(objectOf(item)).flatMap(([method, about]) =>
      method === "parameters" ? [] : [{ method, path, about: objectOf(about) }],
    ),
  );
}

function parametersView({ about }: Operation): Html | undefined {
  const parameters = listOf(about["parameters"]).map(objectOf);
  if (parameters.length === 0) return undefined;
  const rows = parameters.map((parameter) => ({
    name: nameView(textOf(parameter["name"]), parameter["required"] === true),
    type: typeView(objectOf(parameter["schema"])),
    about: html`${prose(parameter["description"])}${aboutView({ ...objectOf(parameter["schema"]), description: "" })}`,
  }));
  return html`<h3>Parameters</h3>
    ${table(rows)}`;
}

function contentView(holder: JsonSchema): Html {
  return html`${Object.entries(objectOf(holder["content"])).map(([type, content]) => {
    const schema = objectOf(objectOf(content)["schema"]);
    const message = objectOf(objectOf(schema["contentSchema"])["items"]);
    const shown = Object.keys(message).length === 0 ? schema : message;
    return html`<p><code>${type}</code></p>
      ${shown === schema ? undefined : prose(schema["description"])}${schemaView(shown)}`;
  })}`;
}

function bodyView({ about }: Operation): Html | undefined {
  const body = objectOf(about["requestBody"]);
  if (Object.keys(body).length === 0) return undefined;
  return html`<h3>Body</h3>
    ${prose(body["description"])}${contentView(body)}`;
}

function responsesView({ about }: Operation): Html {
  const responses = Object.entries(objectOf(about["responses"])).filter(([status]) => status !== "default");
  return html`<h3>Answers</h3>
    ${responses.map(([status, value]) => {
      const response = objectOf(value);
      const isProblem = response["$ref"] !== undefined;
      return html`<p><strong>${status}</strong> ${textOf(response["description"])}</p>
        ${isProblem ? undefined : contentView(response)}`;
    })}`;
}

/** A curl command that calls an operation without an example, with `…` for values. */
function curlOf({ method, path, about }: Operation, origin: string): string {
  const [type] = Object.keys(objectOf(objectOf(about["requestBody"])["content"]));
  const query = listOf(about["parameters"])
    .map(objectOf)
    .filter((parameter) => parameter["in"] === "query" && parameter["required"] === true)
    .map(({ name }) => `${textOf(name)}=…`);
  const url = `${origin}${path}${query.length === 0 ? "" : `?${query.join("&")}`}`;
  const verb = method === "get" ? "" : ` -X ${method.toUpperCase()}`;
  const stream = method === "get" && JSON.stringify(about["responses"]).includes("event-stream") ? " -N" : "";
  const body = type === undefined ? "" : ` \\\n  -H 'content-type: ${type}' -d '{…}'`;
  return `curl${verb}${stream} '${url}'${body}`;
}

function operationView(operation: Operation, command: string): Html {
  const { method, path, about } = operation;
  return html`<details id="${textOf(about["operationId"])}">
    <summary>
      <span class="method ${method}">${method.toUpperCase()}</span><code>${path}</code>
      <span class="about">${textOf(about["summary"])}</span>
    </summary>
    <div>
      ${prose(about["description"])}
      <pre>${command}</pre>
      ${parametersView(operation)}${bodyView(operation)}${responsesView(operation)}
    </div>
  </details>`;
}

/** Must have this exact text, because the content security policy contains its hash. */
const styleElement: Html = { markup: `<style>${style}</style>` };

/**
 * @param origin the address of the API, for the commands.
 * @param examples commands by operation, such as `get /v1/things/{id}`
 */
export function apiPage(document: JsonSchema, origin: string, examples: ReadonlyMap<string, string>): string {
  const info = objectOf(document["info"]);
  const title = textOf(info["title"]);
  const operations = operationsOf(document);
  const tags = listOf(document["tags"]).map(objectOf);
  const schemas = Object.entries(objectOf(objectOf(document["components"])["schemas"]));
  const sections = tags.map(
    ({ name, description }) =>
      html`<section>
        <h2 id="tag-${textOf(name)}">${textOf(name)}</h2>
        ${prose(description)}${operations
          .filter(({ about }) => listOf(about["tags"]).includes(name ?? ""))
          .map((operation) => {
            const { method, path } = operation;
            return operationView(operation, examples.get(`${method} ${path}`) ?? curlOf(operation, origin));
          })}
      </section>`,
  );
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${styleElement}
      </head>
      <body>
        <h1>${title} <small>${textOf(info["version"])}</small></h1>
        ${prose(info["description"])}
        <nav>
          ${tags.map(({ name }) => html`<a href="#tag-${textOf(name)}">${textOf(name)}</a>`)}
          <a href="#schemas">Schemas</a><a href="/openapi.yaml">openapi.yaml</a>
        </nav>
        <main>
          ${sections}
          <section>
            <h2 id="schemas">Schemas</h2>
            ${schemas.map(
              ([name, schema]) =>
                html`<details>
                  <summary><code>${name}</code></summary>
                  <div id="schema-${name}">
                    ${prose(objectOf(schema)["description"])}${schemaView(objectOf(schema))}
                  </div>
                </details>`,
            )}
          </section>
        </main>
      </body>
    </html>`;
  return `${page.markup}\n`;
}

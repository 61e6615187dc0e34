// Renders a schema of an OpenAPI or OpenRPC document: a type in words, and a table of properties.
import { isObject } from "@roundtrip/contract";
import type { JsonSchema, JsonSchemaValue } from "../json-schema/json-schema.ts";
import { html, prose, type Html } from "./html.ts";

/** Narrows a value to an object; empty for others. */
export function objectOf(value: JsonSchemaValue | undefined): JsonSchema {
  return isObject(value) ? value : {};
}

/** Narrows a value to a list; empty for others. */
export function listOf(value: JsonSchemaValue | undefined): readonly JsonSchemaValue[] {
  return Array.isArray(value) ? (value as readonly JsonSchemaValue[]) : [];
}

/** The value as text; empty if undefined. */
export function textOf(value: JsonSchemaValue | undefined): string {
  if (value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function wordOf(value: JsonSchemaValue | undefined): string {
  return Array.isArray(value) ? value.map((each) => textOf(each)).join(" or ") : typeof value === "string" ? value : "";
}

const figures = ["minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"] as const;
const more = ["exclusiveMinimum", "exclusiveMaximum", "pattern"] as const;

function limitsText(schema: JsonSchema): string {
  const keywords = [...figures, ...more].filter((name) => schema[name] !== undefined);
  return keywords.map((name) => `${name} ${textOf(schema[name])}`).join(", ");
}

/** For example `string (date-time)`, or `list of` and a link to the schema of its items. */
export function typeView(schema: JsonSchema): Html {
  const { $ref, type, items, format, additionalProperties } = schema;
  if (typeof $ref === "string") {
    const name = $ref.slice($ref.lastIndexOf("/") + 1);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (type === "array") return html`list of ${typeView(objectOf(items))}`;
  const values = Object.keys(objectOf(additionalProperties));
  if (values.length > 0) return html`map of ${typeView(objectOf(additionalProperties))}`;
  const allowed = listOf(schema["enum"]);
  if (allowed.length > 0)
    return html`${allowed.map((value, index) => html`${index === 0 ? "" : ", "}<code>${textOf(value)}</code>`)}`;
  const word = wordOf(type) || "any JSON";
  return html`${word}${typeof format === "string" ? ` (${format})` : undefined}`;
}

export function aboutView(schema: JsonSchema): Html {
  const [example] = listOf(schema["examples"]);
  const limits = limitsText(schema);
  return html`${prose(schema["description"])}${limits === "" ? undefined : html`<p><small>${limits}</small></p>`}${
    example === undefined
      ? undefined
      : html`<p>
          <small>for example <code>${textOf(example)}</code></small>
        </p>`
  }`;
}

export function table(rows: readonly { name: Html; type: Html; about: Html }[]): Html {
  const head = html`<thead>
    <tr>
      <th>Name</th>
      <th>Type</th>
      <th></th>
    </tr>
  </thead>`;
  return html`<table>
    ${head}
    <tbody>
      ${rows.map(
        ({ name, type, about }) =>
          html`<tr>
            <td>${name}</td>
            <td>${type}</td>
            <td>${about}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

export function nameView(name: string, isRequired: boolean): Html {
  return html`<code>${name}</code>${isRequired ? html` <span class="required">required</span>` : undefined}`;
}

export function schemaView(schema: JsonSchema): Html {
  const properties = Object.entries(objectOf(schema["properties"]));
  if (properties.length === 0) return html`<p>${typeView(schema)}</p>`;
  const required = listOf(schema["required"]);
  return table(
    properties.map(([name, value]) => ({
      name: nameView(name, required.includes(name)),
      type: typeView(objectOf(value)),
      about: aboutView(objectOf(value)),
    })),
  );
}

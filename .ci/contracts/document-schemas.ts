// Checks answers against the JSON schemas in a document, by ajv.
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { Ajv2020 } from "ajv/dist/2020.js";

/** What is wrong with a value. @param pointer the schema's place in the document, as a JSON pointer in a URL's fragment */
export type FaultsOf = (pointer: string, value: JsonValue) => readonly string[];

/** @param title of what the document is */
export function documentSchemas(title: string, document: JsonObject): FaultsOf {
  // Each schema checks one answer or few: code that runs so seldom is not worth being optimised.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, code: { optimize: false } });
  ajv.addSchema(document, "document");
  return (pointer, value) => {
    const place = `document#${pointer}`;
    const check = ajv.getSchema(place) ?? ajv.compile({ $ref: place });
    return check(value) === true ? [] : [`${title}: ${ajv.errorsText(check.errors, { dataVar: "answer" })}`];
  };
}

// The JSON schema for editors agrees with the reader of stub files.
import type { JsonValue } from "@bufbuild/protobuf";
import { builtInContract, canonicalCodes } from "@roundtrip/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parseStubs } from "../../src/stubs/read-stubs.ts";

const schema = JSON.parse(
  readFileSync(new URL("../../../../schema/stubs.v1.schema.json", import.meta.url), "utf8"),
) as { readonly $defs: { readonly error: { readonly properties: { readonly code: { readonly enum: string[] } } } } };
const isTaken = new Ajv2020({ allErrors: true }).compile(schema);

const operation = "GetCustomer";
const error = { code: "NOT_FOUND" };

function isRead(stubs: JsonValue): boolean {
  try {
    parseStubs(JSON.stringify(stubs), "stubs.json", builtInContract());
    return true;
  } catch {
    return false;
  }
}

it.each<readonly [boolean, JsonValue]>([
  [true, { operation, response: {} }],
  [
    true,
    [
      {
        operation,
        when: { id: 1 },
        error: { ...error, message: "gone", details: { reason: "GONE", metadata: { a: "b" } } },
      },
    ],
  ],
  [
    true,
    {
      operation,
      error: { ...error, details: { domain: "d", violations: [{ field: "id", description: "x", reason: "y" }] } },
    },
  ],
  [true, { operation, "made-up": true }],
  [true, { operation, answers: [{ error }, { response: { id: 1 } }, { "made-up": true }] }],
  [true, { operation: "Download", responses: [{}, {}], error }],
  [true, { operation: "Download", answers: [{ responses: [], error }, { error }] }],
  [true, []],
  [false, { response: {} }],
  [false, { operation }],
  [false, { operation: 1, response: {} }],
  [false, { operation, response: {}, error }],
  [false, { operation, response: {}, "made-up": true }],
  [false, { operation, responses: [{}], response: {} }],
  [false, { operation, reponse: {} }],
  [false, { operation, "made-up": false }],
  [false, { operation, answers: [] }],
  [false, { operation, answers: [{}] }],
  [false, { operation, answers: [{ response: {}, when: {} }] }],
  [false, { operation, answers: [{ response: {} }], response: {} }],
  [false, { operation, error: {} }],
  [false, { operation, error: "NOT_FOUND" }],
  [false, { operation, error: { code: "GONE" } }],
  [false, { operation, error: { ...error, details: { why: "" } } }],
  [false, { operation, error: { ...error, details: { metadata: { a: 1 } } } }],
  [false, { operation, error: { ...error, details: { violations: [{ path: "id" }] } } }],
  [false, "GetCustomer"],
])("agrees with the reader: %s for %j", (isRight, stubs) => {
  expect({ schema: isTaken(stubs), reader: isRead(stubs) }).toEqual({ schema: isRight, reader: isRight });
});

it("contains every error code", () => {
  expect(schema.$defs.error.properties.code.enum).toEqual(Object.keys(canonicalCodes));
});

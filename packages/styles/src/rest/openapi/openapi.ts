// The contract as an OpenAPI 3.1 document.
import type { Contract } from "@roundtrip/contract";
import { Document, isMap, isScalar, visit } from "yaml";
import { type JsonSchema, Schemas } from "../../shared/json-schema/schemas.ts";
import { openApiOperation, operationIdOf, tag, tagOf } from "./operations.ts";
import { Paths } from "./paths.ts";
import { type RestDialect, standard } from "../dialects.ts";
import { errorSchemas, problemName, problemResponse, timeoutParameter } from "./answers.ts";
import { titleAndVersion } from "../../shared/json-schema/prose.ts";

const documentedMethods: ReadonlySet<string> = new Set([
  "GET",
  "PUT",
  "POST",
  "DELETE",
  "OPTIONS",
  "HEAD",
  "PATCH",
  "TRACE",
]);
const timeout: JsonSchema = { $ref: "#/components/parameters/timeout" };

const shortAnswers = "A field that has its default value (empty, zero or false) is left out of answers. ";
const failedAnswers: Readonly<Record<RestDialect["name"], string>> = {
  standard: "A request that fails is answered with problem details (RFC 9457) that carry a canonical code.",
  "grpc-gateway": "A request that fails is answered with a google.rpc.Status, as by grpc-gateway.",
  google: "A request that fails is answered with an error of Google's APIs (AIP-193).",
};

/**
 * An unused name: the given one, or one with the tag as prefix or a number as suffix.
 * @param used each name with the number to try behind it; the function adds its own.
 */
function unique(used: Map<string, number>, wanted: string, tagName: string): string {
  const tagged =
    tagName.slice(0, 1).toLowerCase() + tagName.slice(1) + wanted.slice(0, 1).toUpperCase() + wanted.slice(1);
  let name = used.has(wanted) ? tagged : wanted;
  for (let number = used.get(tagged) ?? 2; used.has(name); number++) {
    name = `${tagged}${number}`;
    used.set(tagged, number + 1);
  }
  used.set(name, 2);
  return name;
}

/** The document as a value, without bidirectional streams, which REST does not support. */
export function openApiDocument(contract: Contract, dialect: RestDialect = standard): JsonSchema {
  const operations = contract.operations.filter(({ kind }) => kind !== "bidi_streaming");
  const { hasContractNames, hasUnsetFields } = dialect.form;
  const schemas = new Schemas([problemName], ({ name, jsonName }) => (hasContractNames ? name : jsonName));
  const paths = new Paths();
  const items: Record<string, Record<string, JsonSchema | JsonSchema[]>> = {};
  const operationIds = new Map<string, number>();
  for (const operation of operations) {
    for (const binding of operation.bindings) {
      if (!documentedMethods.has(binding.method)) continue;
      const path = paths.of(operation.input, binding.path);
      const operationId = unique(operationIds, operationIdOf(operation), tagOf(operation));
      const item = (items[path.text] ??= { parameters: [timeout] });
      item[binding.method.toLowerCase()] = openApiOperation(
        schemas,
        { contract, operation, binding, dialect },
        path,
        operationId,
      );
    }
  }
  const description = (hasUnsetFields ? "" : shortAnswers) + failedAnswers[dialect.name];
  const tags = new Map(operations.map((operation) => [tagOf(operation), tag(operation)]));
  return {
    openapi: "3.1.1",
    info: { ...titleAndVersion(operations[0]?.method.parent.file.proto.package ?? ""), description },
    // Relative to the address of the document.
    servers: [{ url: "/" }],
    security: [],
    tags: [...tags.values()],
    paths: items,
    components: {
      parameters: { timeout: timeoutParameter },
      responses: { problem: problemResponse(dialect) },
      schemas: { ...schemas.components(), [problemName]: errorSchemas[dialect.name] },
    },
  };
}

export function openApi(contract: Contract, dialect: RestDialect = standard): string {
  // Readers of YAML 1.1 take the names `no` and `on` for booleans.
  const options = { aliasDuplicateObjects: false, compat: "yaml-1.1" } as const;
  const document = new Document(openApiDocument(contract, dialect), options);
  document.commentBefore = " Made by Roundtrip from the contract's .proto files: change those, not this one.";
  // Blank lines between the entries, for readers.
  for (const path of [["paths"], ["components", "schemas"]]) {
    const map = document.getIn(path);
    if (!isMap<{ spaceBefore?: boolean }>(map)) continue;
    for (const { key } of map.items.slice(1)) key.spaceBefore = true;
  }
  if (isMap<{ spaceBefore?: boolean }>(document.contents)) {
    for (const { key } of document.contents.items.slice(1)) key.spaceBefore = true;
  }
  visit(document, {
    Seq(_key, list) {
      if (list.items.every((item) => isScalar(item))) list.flow = true;
    },
  });
  return document.toString({ lineWidth: 120, blockQuote: "folded", flowCollectionPadding: false });
}

// Requests that GraphQL refuses before they reach an operation: invalid documents and variables, and what is no request of GraphQL.
import { CallError, codeFromHttp, isObject, jsonIn } from "@roundtrip/contract";
import { nearestName } from "@roundtrip/contract/text";
import { Kind, parse } from "graphql";
import type { Refusals } from "../basics/refusals.ts";
import { maxTokens } from "./documents/document-limits.ts";
import { callErrorOf, type ErrorJson } from "./errors.ts";
import { graphqlModel } from "./schema/model.ts";

/** The document of a request, in its body or its query. */
function documentIn(body: string, target: string): string | undefined {
  const json = jsonIn(body);
  const query = isObject(json) ? json["query"] : URL.parse(target, "http://localhost")?.searchParams.get("query");
  return typeof query === "string" ? query : undefined;
}

/** The fields at the root of a document's operations. A document that cannot be parsed has the words before its first braces. */
function rootFields(document: string): readonly string[] {
  try {
    const { definitions } = parse(document, { maxTokens, noLocation: true });
    return definitions
      .filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
      .flatMap(({ selectionSet }) => selectionSet.selections)
      .flatMap((selection) => (selection.kind === Kind.FIELD ? [selection.name.value] : []));
  } catch {
    const [, field] = /\{\s*(?:\w+\s*:\s*)?(\w+)/.exec(document) ?? [];
    return field === undefined ? [] : [field];
  }
}

export const refusals: Refusals = {
  errorIn({ status, answer }) {
    const json = jsonIn(answer);
    const errors: unknown = isObject(json) ? json["errors"] : undefined;
    const [error] = Array.isArray(errors) ? (errors as readonly ErrorJson[]) : [];
    if (error !== undefined) return callErrorOf(error, status);
    return status < 400 ? undefined : new CallError(codeFromHttp(status), `HTTP ${status}`);
  },
  nearest({ body, target }, contract) {
    const document = documentIn(body, target);
    const fields = document === undefined ? [] : rootFields(document);
    const roots = [...graphqlModel(contract).rootOf];
    const names = roots.map(([, { name }]) => name);
    // A field that does not exist says more than those beside it.
    const asked = fields.find((field) => !names.includes(field)) ?? fields[0];
    const name = asked === undefined ? undefined : nearestName(asked, names);
    const found = roots.find(([, root]) => root.name === name);
    return found === undefined ? undefined : { operation: found[0], address: `${found[1].root} { ${found[1].name} }` };
  },
};

// One operation in a REST developer's notation, and the parts that REST cannot carry.
import type { DescField } from "@bufbuild/protobuf";
import { isOneJsonValue, type Contract, type HttpBinding, type Operation, memoize } from "@roundtrip/contract";
import { answersNothing } from "./response-codec.ts";
import { requiresValue } from "@roundtrip/contract/field-rules";
import { lostNames, lostStreams } from "../shared/limitations.ts";
import { lostRoutes } from "./router.ts";
import type { OperationView } from "../basics/style.ts";
import { linesType } from "./streams/lines.ts";
import { answerHttpBody, requestHttpBody, answerOctets, octetsType, requestOctets } from "./raw-bodies.ts";
import { Paths } from "./openapi/paths.ts";
import {
  dotted,
  fieldsAlong,
  listedQueryFields,
  maxListedQueryFields,
  queryFields,
  urlKindOf,
} from "./requests/url-field.ts";

function bodyText(operation: Operation, binding: HttpBinding): string {
  const { input } = operation;
  const { body, path } = binding;
  if (body === "") return "";
  if (requestHttpBody(operation, binding) !== undefined) return " (raw bytes)";
  if (body !== "*") {
    const field = input.fields.find(({ name }) => name === body);
    return ` ${field?.message?.name ?? field?.jsonName ?? body}`;
  }
  if (isOneJsonValue(input) && path.variables.length === 0) return ` ${input.name}`;
  const inPath = new Set(path.variables.map(({ fieldPath }) => fieldPath.join(".")));
  const names = input.fields.filter((field) => !inPath.has(field.name)).map((field) => field.jsonName);
  return ` {${names.join(", ")}}`;
}

/** The fields that cannot be query parameters, each with the reason. */
function notInQuery(fields: readonly DescField[]): readonly string[] {
  const { paths, isCut } = listedQueryFields(fields, []);
  const lost = paths.filter((path) => path.at(-1) !== undefined && urlKindOf(path.at(-1) as DescField) === "none");
  return [
    ...lost.map((path) => `${dotted(path)}: a URL has no notation for lists of messages, maps and dynamic values`),
    ...(isCut ? [`fields of the query behind the first ${maxListedQueryFields}: not listed here`] : []),
  ];
}

function nested(fields: readonly DescField[]): readonly DescField[] {
  return fields.filter((field) => urlKindOf(field) === "nested");
}

function besideBody(operation: Operation, { method, responseBody }: HttpBinding): readonly string[] {
  const { output } = operation;
  if (method === "HEAD") return answersNothing(operation) ? [] : [`${output.name}: an answer to HEAD has no body`];
  if (responseBody === "") return [];
  const others = output.fields.filter(({ name }) => name !== responseBody);
  return others.map(({ name }) => `${output.name}.${name}: the body of the answer is its ${responseBody} alone`);
}

function lostOf(operation: Operation, binding: HttpBinding, contract: Contract): readonly string[] {
  if (operation.kind === "bidi_streaming") return lostStreams(operation);
  const query = queryFields(operation, binding);
  const split = binding.path.variables.filter(({ fieldPath }) => {
    const [first] = fieldsAlong(operation.input, fieldPath) ?? [];
    return fieldPath.length > 1 && first !== undefined && !requiresValue(first);
  });
  const octets = requestOctets(operation, binding) ?? answerOctets(operation, binding);
  return [
    ...lostRoutes(operation, contract),
    ...lostNames(operation),
    ...(octets === undefined ? [] : [`how ${octets.name} was cut into messages: a body of bytes has no borders in it`]),
    ...lostOfRaw(operation, binding),
    ...besideBody(operation, binding),
    ...notInQuery(query),
    ...nested(query).map(({ name }) => `${name}: a URL cannot distinguish an empty one from a missing one`),
    ...split.map(({ fieldPath }) => `${fieldPath[0]}: cannot be left out, because part of it is in the path`),
  ];
}

/** What raw bytes with a content type do not have of a google.api.HttpBody. */
function lostOfRaw(operation: Operation, binding: HttpBinding): readonly string[] {
  const places = [requestHttpBody(operation, binding), answerHttpBody(operation, binding)];
  return places.flatMap((place) => {
    if (place === undefined) return [];
    const name = place.field === undefined ? place.body.name : place.field.name;
    return [
      `extensions of ${name}: a body of raw bytes has only its content type`,
      ...(place.field === undefined ? [] : [`${name}: a missing body is the same as an empty one`]),
      ...(operation.kind === "unary"
        ? []
        : [`how ${name} was cut into messages: a body of bytes has no borders in it`]),
    ];
  });
}

/** The words that mark a stream; empty without one. */
function streamText(operation: Operation, binding: HttpBinding): string {
  if (answerHttpBody(operation, binding) !== undefined) return " → raw bytes";
  if (requestHttpBody(operation, binding) !== undefined) return "";
  switch (operation.kind) {
    case "unary":
      return "";
    case "client_streaming":
      return requestOctets(operation, binding) === undefined ? `, one a line (${linesType})` : ` (${octetsType})`;
    default:
      return ` → ${answerOctets(operation, binding) === undefined ? linesType : octetsType}`;
  }
}

/** The main paths in the contract's OpenAPI document. The first operation of a path names its variables. */
const textsOf = memoize((contract: Contract): ReadonlyMap<Operation, string> => {
  const paths = new Paths();
  const texts = new Map<Operation, string>();
  for (const operation of contract.operations) {
    const [main = ""] = operation.bindings.map(({ path }) => paths.of(operation.input, path).text);
    texts.set(operation, main);
  }
  return texts;
});

/** For example `PATCH /v1/customers/{id}?updateMask= Customer`. */
export function viewOf(operation: Operation, contract: Contract): OperationView {
  const [binding] = operation.bindings;
  const query = queryFields(operation, binding).map(({ jsonName }) => `${jsonName}=`);
  const path = textsOf(contract).get(operation) ?? new Paths().of(operation.input, binding.path).text;
  const url = query.length === 0 ? path : `${path}?${query.join("&")}`;
  return {
    signature: `${binding.method} ${url}${bodyText(operation, binding)}${streamText(operation, binding)}`,
    lost: lostOf(operation, binding, contract),
  };
}

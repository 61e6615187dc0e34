// One call in a GraphQL document, and its answer. Its values are variables, never part of the text, because servers cache parsed documents by text.
import { create, type Message } from "@bufbuild/protobuf";
import { CallError, ClientSideError, codeFromHttp, fieldPaths, jsonIn, type Operation } from "@roundtrip/contract";
import { type Selection, selectionOf } from "./selection.ts";
import { callErrorOf, type ErrorJson } from "../errors.ts";
import { fieldName } from "../schema/field-name.ts";
import { type Model, type RootField, typeText } from "../schema/model.ts";
import type { Codec, JsonFields } from "../values/codec.ts";

/** The paths of a request's read mask; empty without a mask. */
export function pathsAsked({ readMask }: Operation, request: Message): readonly string[] {
  if (readMask === undefined) return [];
  const mask = (request as unknown as Record<string, { readonly paths: readonly string[] } | undefined>)[
    readMask.localName
  ];
  return mask?.paths ?? [];
}

/** A call in a document. `prefix` makes its names unique. */
export interface DocumentCall {
  readonly root: RootField;
  /** The field without its selection. */
  readonly head: string;
  /** The key of the answer in `data`. */
  readonly answerName: string;
  /** `$id: Int!` for each argument. */
  readonly variableDefinitions: string;
  /** A key of the read mask: equal keys have equal texts. */
  maskKey(request: Message): string;
  /** The field, such as `customer(id: $id) { id name }`, and its fragment definitions. */
  selection(request: Message): Pick<Selection, "text" | "fragments">;
  /** Throws INVALID_ARGUMENT for values that GraphQL cannot carry. */
  variables(request: Message): Record<string, unknown>;
  /** Converts an error of this call to the contract's field names. */
  restored(error: CallError): CallError;
  /** Throws INTERNAL for an answer that does not match the contract. */
  answer(data: JsonFields): Message;
}

interface Codecs {
  readonly input: Codec;
  readonly output: Codec;
}

/** A call among several in a document. */
export interface Alias {
  readonly alias: string;
  readonly calls: number;
}

/** @param aliased undefined for a single call. */
export function documentCallOf(
  root: RootField,
  model: Model,
  codecs: Codecs,
  aliased: Alias | undefined,
): DocumentCall {
  const alias = aliased?.alias;
  const { operation, name } = root;
  const { input, output, readMask } = operation;
  const prefix = alias === undefined ? "" : `${alias}_`;
  const variable = (argument: string): string => `${prefix}${argument}`;
  const answerName = alias ?? name;
  const given = root.arguments.map((argument) => `${argument.name}: $${variable(argument.name)}`).join(", ");
  const head = `${alias === undefined ? "" : `${alias}: `}${name}${given === "" ? "" : `(${given})`}`;
  const wrap =
    root.root === "mutation"
      ? (json: Record<string, unknown>) => (root.arguments.length === 0 ? {} : { [variable("input")]: json })
      : alias === undefined
        ? (json: Record<string, unknown>) => json
        : (json: Record<string, unknown>) =>
            Object.fromEntries(Object.entries(json).map(([key, value]) => [variable(key), value]));
  const { restored } = fieldPaths(input, fieldName, fieldName);
  return {
    root,
    head,
    answerName,
    restored,
    variableDefinitions: root.arguments.map(({ name: own, type }) => `$${variable(own)}: ${typeText(type)}`).join(", "),
    maskKey: (request) => pathsAsked(operation, request).join("\0"),
    selection(request) {
      if (root.isEmpty) return { text: head, fragments: "" };
      const wanted = { message: output, paths: pathsAsked(operation, request), maskName: readMask?.name ?? "", prefix };
      const { text, fragments } = selectionOf(model, { ...wanted, calls: aliased?.calls ?? 1 });
      return { text: `${head} ${text}`, fragments };
    },
    variables(request) {
      try {
        return wrap(codecs.input.encode(request));
      } catch (thrown) {
        if (thrown instanceof CallError) throw thrown;
        throw new CallError("INVALID_ARGUMENT", `${input.name}: ${(thrown as Error).message}`, {}, { cause: thrown });
      }
    },
    answer(data) {
      if (root.isEmpty) return create(output);
      const answer = data[answerName];
      try {
        if (typeof answer !== "object" || answer === null) throw new Error(`no answer as ${answerName}`);
        return codecs.output.decode(answer as JsonFields);
      } catch (thrown) {
        const message = `the answer does not fit the contract: ${(thrown as Error).message}`;
        throw new CallError("INTERNAL", message, {}, { cause: thrown });
      }
    },
  };
}

// Reads the response of a GraphQL server without trusting it: data, or the error of the first failed call.

export interface ResponseJson {
  readonly data?: JsonFields | null;
  readonly errors?: readonly ErrorJson[];
}

export function invalidResponse(status: number): ClientSideError {
  const code = status === 200 ? "UNKNOWN" : codeFromHttp(status);
  return new ClientSideError(code, `invalid GraphQL response (HTTP status ${status})`);
}

/** Parses a response body. Throws a CallError by the HTTP status for an invalid one. */
export function responseOf(status: number, body: string): ResponseJson {
  const json = jsonIn(body) ?? null;
  if (typeof json === "object" && json !== null && ("data" in json || "errors" in json)) return json;
  throw invalidResponse(status);
}

/** The data of a response. Throws the error of the first failed call. */
export function dataOf(
  { data, errors }: ResponseJson,
  status: number,
  documentCalls: readonly DocumentCall[],
): JsonFields {
  const [anyError] = errors ?? [];
  if (anyError !== undefined) {
    const names = documentCalls.map(({ answerName }) => answerName);
    const ranked = (errors ?? []).toSorted(
      (a, b) => names.indexOf(String(a.path?.[0])) - names.indexOf(String(b.path?.[0])),
    );
    const chosen = ranked[0] ?? anyError;
    const error = callErrorOf(chosen, status);
    // Errors of GraphQL itself have no path; nearly all documents have one call.
    const failed = documentCalls.find(({ answerName }) => answerName === chosen.path?.[0]) ?? documentCalls[0];
    throw failed?.restored(error) ?? error;
  }
  if (data === undefined || data === null) throw new CallError("INTERNAL", "the answer has neither data nor errors");
  return data;
}

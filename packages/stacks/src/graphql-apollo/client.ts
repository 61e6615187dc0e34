// Calls a contract over GraphQL: documents are built once per read mask, everything that varies travels as variables.
import type { Message } from "@bufbuild/protobuf";
import { CallError, codeFromHttp, type CallOptions, type Invoke, type Operation } from "@roundtrip/contract";
import { httpClient, type HttpResponse } from "../http-client.ts";
import { withDeadline } from "../http-deadline.ts";
import { noStreams } from "../refused.ts";
import type { Connect } from "../stack.ts";
import { codecsOf, type JsonFields } from "./codec.ts";
import { graphqlPath } from "./endpoint.ts";
import { callErrorOf, type ErrorJson } from "./errors.ts";
import { graphqlModel } from "./model.ts";
import { stack } from "./index.ts";
import { questionOf, type Question } from "./question.ts";

/** A response of GraphQL, as far as it can be trusted. */
interface ResponseJson {
  readonly data?: JsonFields | null;
  readonly errors?: readonly ErrorJson[];
}

const headers = {
  "content-type": "application/json",
  accept: "application/graphql-response+json, application/json;q=0.9",
} as const;

/** Read masks are the caller's: more documents than this are not kept. */
const maxDocuments = 1_000;

function responseOf({ status, body }: HttpResponse): ResponseJson {
  try {
    const json: unknown = JSON.parse(body.toString());
    if (typeof json === "object" && json !== null && ("data" in json || "errors" in json)) {
      return json as ResponseJson;
    }
  } catch {
    // Said below.
  }
  const code = status === 200 ? "UNKNOWN" : codeFromHttp(status);
  throw new CallError(code, `not an answer of a GraphQL server (HTTP status ${status})`);
}

/** The data of a response; throws the error of the first call that failed. */
function dataOf(response: HttpResponse, questions: readonly Question[]): JsonFields {
  const { data, errors } = responseOf(response);
  const [anyError] = errors ?? [];
  if (anyError !== undefined) {
    const names = questions.map(({ answerName }) => answerName);
    const ranked = (errors ?? []).toSorted(
      (a, b) => names.indexOf(String(a.path?.[0])) - names.indexOf(String(b.path?.[0])),
    );
    const chosen = ranked[0] ?? anyError;
    const error = callErrorOf(chosen, response.status);
    // What GraphQL refuses by itself has no path, and is about a call alone in nearly all documents.
    const asked = questions.find(({ answerName }) => answerName === chosen.path?.[0]) ?? questions[0];
    throw asked?.restored(error) ?? error;
  }
  if (data === undefined || data === null) throw new CallError("INTERNAL", "the answer has neither data nor errors");
  return data;
}

/** The body's text up to the variables, for each read mask asked for so far. */
function documentsOf(questions: readonly Question[]): (requests: readonly Message[]) => string {
  const [first] = questions;
  const { root } = first?.root ?? { root: "query" };
  const definitions = questions.map(({ variableDefinitions }) => variableDefinitions).filter((text) => text !== "");
  const name = questions.length === 1 ? first?.root.name : "together";
  const head = `${root} ${name}${definitions.length === 0 ? "" : `(${definitions.join(", ")})`}`;
  const known = new Map<string, string>();
  return (requests) => {
    const key = questions.map((question, index) => question.maskKey(requests[index] as Message)).join("\0\0");
    const document = known.get(key);
    if (document !== undefined) return document;
    const fields = questions.map((question, index) => question.field(requests[index] as Message));
    const made = `{"query":${JSON.stringify(`${head} { ${fields.join(" ")} }`)},"variables":`;
    if (known.size >= maxDocuments) known.clear();
    known.set(key, made);
    return made;
  };
}

function cannotCarry({ id }: Operation): CallError {
  return new CallError("UNIMPLEMENTED", `GraphQL cannot carry ${id}: it is not one message for one message`);
}

/** Calls at `url`; a url without a path means `/graphql`. */
// oxlint-disable-next-line require-await
export const connect: Connect = async (contract, options) => {
  const model = graphqlModel(contract);
  const codecOf = codecsOf(model);
  const http = httpClient(options);
  const { pathname, search } = new URL(options.url);
  const path = `${pathname === "/" ? graphqlPath : pathname}${search}`;

  function question(operation: Operation, alias: string | undefined): Question {
    const root = model.rootOf.get(operation.id);
    if (root === undefined) throw cannotCarry(operation);
    return questionOf(root, model, { input: codecOf(operation.input), output: codecOf(operation.output) }, alias);
  }

  function send(body: string, { timeoutMs, signal }: CallOptions): Promise<HttpResponse> {
    return http.send({ method: "POST", path, headers: withDeadline(headers, timeoutMs), body, timeoutMs, signal });
  }

  return {
    prepare(operation): Invoke {
      if (!model.rootOf.has(operation.id)) return () => Promise.reject(cannotCarry(operation));
      const asked = question(operation, undefined);
      const questions = [asked];
      const documentOf = documentsOf(questions);
      return async (request, callOptions = {}) => {
        const body = `${documentOf([request])}${JSON.stringify(asked.variables(request))}}`;
        return asked.answer(dataOf(await send(body, callOptions), questions));
      };
    },
    prepareStream: (operation) => noStreams(operation, stack.limitations),
    prepareTogether(operations) {
      const questions = operations.map((operation, index) => question(operation, `c${index}`));
      if (new Set(questions.map(({ root }) => root.root)).size > 1) {
        throw new CallError("UNIMPLEMENTED", "a GraphQL document has either queries or mutations, not both");
      }
      const documentOf = documentsOf(questions);
      return async (requests, callOptions = {}) => {
        if (requests.length !== questions.length) {
          throw new CallError("INVALID_ARGUMENT", `${questions.length} requests expected, ${requests.length} given`);
        }
        if (questions.length === 0) return [];
        const variables: Record<string, unknown> = {};
        for (const [index, asked] of questions.entries()) {
          Object.assign(variables, asked.variables(requests[index] as Message));
        }
        const response = await send(`${documentOf(requests)}${JSON.stringify(variables)}}`, callOptions);
        const data = dataOf(response, questions);
        return questions.map((asked) => asked.answer(data));
      };
    },
    close: () => http.close(),
  };
};

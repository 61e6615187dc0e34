// Stubs with their conditions and messages built before the first call; templates are filled for each call.
import { create, type JsonValue, type Message } from "@bufbuild/protobuf";
import { CallError, checkMetadata, type Contract, type Metadata, type Operation } from "@roundtrip/contract";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { checkFailure } from "./stub-form.ts";
import { readWholeMessage } from "./read-message.ts";
import type { Stub, StubAnswer, StubFailure } from "./stub.ts";
import { jsonTemplate, type Template, templateCall, textTemplate } from "./template.ts";
import { operationNamed } from "../basics/names.ts";
import { headerTests } from "./patterns.ts";
import { askedValue, isEveryRequest, requestPattern } from "./request-pattern.ts";
import type { Findable } from "./stub-index.ts";

/** An answer. Callers share its messages and must not change them. */
export interface BuiltAnswer {
  /** Undefined for the answer behind the stub. */
  readonly messages: readonly Message[] | undefined;
  readonly failure: StubFailure | undefined;
  readonly headers: Metadata;
}

export interface CompiledAnswer {
  /** Whether it takes parts of the request. */
  readonly looksAtRequest: boolean;
  /** Throws a CallError if a template makes an invalid answer of this call. */
  readonly build: (request: Message, metadata: Metadata) => BuiltAnswer;
}

const streamsAnswers: ReadonlySet<Operation["kind"]> = new Set(["server_streaming", "bidi_streaming"]);

/** An answer before its messages are read: their JSON, with their paths. */
interface WrittenAnswer {
  readonly messages: readonly { readonly json: JsonValue; readonly path: ValuePath }[] | undefined;
  readonly failure: StubFailure | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Throws a FakeError for an answer that the operation cannot return. */
function writtenAnswer({ id, kind }: Operation, answer: StubAnswer, path: ValuePath): WrittenAnswer {
  const isStream = streamsAnswers.has(kind);
  const { headers = {} } = answer;
  switch (answer.kind) {
    case "made-up":
      return { messages: undefined, failure: undefined, headers };
    case "error": {
      checkFailure(answer, [...path, "error"]);
      const { code, message, details } = answer;
      return { messages: [], failure: { code, message, details }, headers };
    }
    case "response": {
      const at = [...path, "response"];
      if (isStream) throw new FakeError("wrong-type", `${id} returns a stream: use "responses"`, { path: at });
      return { messages: [{ json: answer.response, path: at }], failure: undefined, headers };
    }
    case "responses": {
      const at = [...path, "responses"];
      if (!isStream) throw new FakeError("wrong-type", `${id} returns one message: use "response"`, { path: at });
      if (answer.failure !== undefined) checkFailure(answer.failure, [...path, "error"]);
      const messages = answer.responses.map((json, index) => ({ json, path: [...at, index] }));
      return { messages, failure: answer.failure, headers };
    }
  }
}

/** Reads the JSON of an answer. Throws a FakeError for invalid messages and headers. */
function builtAnswer(
  { output }: Operation,
  { messages, failure, headers }: WrittenAnswer,
  path: ValuePath,
  { registry }: Contract,
): BuiltAnswer {
  const metadata = new Map(Object.entries(headers));
  try {
    checkMetadata(metadata);
  } catch (cause) {
    const text = (cause as Error).message.replace(/^metadata: /, "");
    throw new FakeError("wrong-type", text, { path: [...path, "headers"], cause });
  }
  return {
    messages: messages?.map(({ json, path: at }) => readWholeMessage(output, json, at, registry)),
    failure,
    headers: metadata,
  };
}

/** Compiles the texts of an answer. Throws a FakeError for unknown fields. */
function answerTemplate({ input }: Operation, written: WrittenAnswer, path: ValuePath): Template<WrittenAnswer> {
  const { messages, failure, headers } = written;
  const fillMessages = messages?.map(({ json, path: at }) => ({ fill: jsonTemplate(json, input, at), path: at }));
  const fillMessage = textTemplate(failure?.message ?? "", input, [...path, "error", "message"]);
  const fillHeaders = Object.entries(headers).map(
    ([name, text]) => [name, textTemplate(text, input, [...path, "headers", name])] as const,
  );
  return (call) => ({
    messages: fillMessages?.map(({ fill, path: at }) => ({ json: fill(call) ?? {}, path: at })),
    failure: failure && { ...failure, message: fillMessage(call) },
    headers: Object.fromEntries(fillHeaders.map(([name, fill]) => [name, fill(call)])),
  });
}

/** Throws a FakeError for an answer that the operation cannot return. A template is tried with an empty request. */
function compileAnswer(operation: Operation, answer: StubAnswer, path: ValuePath, contract: Contract): CompiledAnswer {
  const written = writtenAnswer(operation, answer, path);
  if (answer.template !== true) {
    const built = builtAnswer(operation, written, path, contract);
    return { looksAtRequest: false, build: () => built };
  }
  const { input } = operation;
  const { registry } = contract;
  const fill = answerTemplate(operation, written, path);
  const build = (request: Message, metadata: Metadata): BuiltAnswer =>
    builtAnswer(operation, fill(templateCall(input, request, metadata, registry)), path, contract);
  build(create(input), new Map());
  return {
    looksAtRequest: true,
    build(request, metadata) {
      try {
        return build(request, metadata);
      } catch (cause) {
        if (cause instanceof CallError) throw cause;
        const text = `a stub's template does not fit this call: ${(cause as Error).message}`;
        throw new CallError("INTERNAL", text, {}, { cause });
      }
    },
  };
}

export interface CompiledStub extends Findable {
  readonly stub: Stub;
  /** Its number among all stubs, from 1. */
  readonly position: number;
  readonly operation: Operation;
  /** Whether every request matches, whatever conditions its headers must meet. */
  readonly takesEveryRequest: boolean;
  /** False if every call gets the same answer, so that a stream of requests need not be read. */
  readonly looksAtCall: boolean;
  /** The sequence of answers; at least one. */
  readonly answers: readonly [CompiledAnswer, ...CompiledAnswer[]];
}

/**
 * Checks a stub and builds its answers. Throws a FakeError for names that the contract does not have.
 * @param path the position of the stub among others, for error messages
 */
export function compileStub(contract: Contract, stub: Stub, path: ValuePath): CompiledStub {
  const { when, whenHeaders = {} } = stub;
  const { registry } = contract;
  const operation = operationNamed(contract, stub.operation, [...path, "operation"]);
  const [first, ...others] = stub.answers.map((answer, index) =>
    compileAnswer(operation, answer, [...path, "answers", index], contract),
  );
  if (first === undefined) throw new FakeError("wrong-type", "a stub needs at least one answer", { path });
  const answers = [first, ...others] as const;
  const requestMatches = requestPattern(operation.input, when, registry, [...path, "when"]);
  const headers = headerTests(whenHeaders, [...path, "when-headers"]);
  const takesEveryRequest = isEveryRequest(when);
  return {
    stub,
    position: Number(path.at(-1) ?? 0) + 1,
    operation,
    takesEveryRequest,
    looksAtCall: !takesEveryRequest || headers.length > 0 || answers.some(({ looksAtRequest }) => looksAtRequest),
    matches:
      headers.length === 0
        ? requestMatches
        : (request, metadata) => headers.every(({ name, test }) => test(metadata.get(name))) && requestMatches(request),
    asks: askedValue(operation.input, when, registry),
    answers,
  };
}

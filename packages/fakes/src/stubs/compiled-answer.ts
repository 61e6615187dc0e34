// The answers of a stub with their messages built before the first call, or filled for each call if they are templates.
import { create, type JsonValue, type Message } from "@bufbuild/protobuf";
import { CallError, checkMetadata, type Contract, type Metadata, type Operation } from "@roundtrip/contract";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { checkFailure } from "./failure-form.ts";
import { readWholeMessage } from "./read-message.ts";
import type { StubAnswer, StubFailure } from "./stub.ts";
import { jsonTemplate, templateCall, textTemplate, type Template } from "./template.ts";

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
export function compileAnswer(
  operation: Operation,
  answer: StubAnswer,
  path: ValuePath,
  contract: Contract,
): CompiledAnswer {
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

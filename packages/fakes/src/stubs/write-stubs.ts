// Writes stubs in the form of stub files, so that recorded and edited stubs can be read and edited again.
import type { JsonValue } from "@bufbuild/protobuf";
import { yaml } from "../files/located-documents.ts";
import { isEveryRequest } from "./request-pattern.ts";
import type { Stub, StubAnswer, StubFailure } from "./stub.ts";

function errorForm({ code, message, details }: StubFailure): object {
  return { code, message, ...(Object.keys(details).length === 0 ? {} : { details }) };
}

function optionsForm({ headers, template }: StubAnswer): object {
  return { ...(headers === undefined ? {} : { headers }), ...(template === undefined ? {} : { template }) };
}

function answerForm(answer: StubAnswer): object {
  return { ...messagesForm(answer), ...optionsForm(answer) };
}

function messagesForm(answer: StubAnswer): object {
  switch (answer.kind) {
    case "response":
      return { response: answer.response };
    case "responses": {
      const { responses, failure } = answer;
      return { responses, ...(failure === undefined ? {} : { error: errorForm(failure) }) };
    }
    case "error":
      return { error: errorForm(answer) };
    case "made-up":
      return { "made-up": true };
  }
}

export function stubForm({ operation, when, whenHeaders, answers }: Stub): JsonValue {
  const [only] = answers;
  const said = only !== undefined && answers.length === 1 ? answerForm(only) : { answers: answers.map(answerForm) };
  const headers = whenHeaders === undefined ? {} : { "when-headers": whenHeaders };
  return { operation, ...(isEveryRequest(when) ? {} : { when }), ...headers, ...said };
}

/** A text that {@link parseStubs} reads as these stubs. */
export function writeStubs(stubs: readonly Stub[]): string {
  return yaml().stringify(stubs.map(stubForm), { aliasDuplicateObjects: false, lineWidth: 120 });
}

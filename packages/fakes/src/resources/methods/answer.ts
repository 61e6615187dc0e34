// The answer of a method with a resource in it.
import { create, type DescField, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import type { Operation } from "@roundtrip/contract";
import { fieldOfPart, type Resource } from "@roundtrip/contract/resources";
import { copyField, sharedFields } from "../../answers/echoed.ts";
import type { SessionState } from "../session-state.ts";
import { linking } from "./linked.ts";
import type { MethodOf } from "./method.ts";

export type AnswerWith = (state: SessionState, resource: Message, request: Message) => Message;

/** The fields of an answer that the resource also has, by the same name or by another name of its key. */
function fieldsFrom({ message, key }: Resource, { output }: Operation): ReadonlyMap<DescField, DescField> {
  const shared = new Map<DescField, DescField>();
  for (const part of key) {
    const field = fieldOfPart(output, part);
    if (field !== undefined && part.field !== undefined) shared.set(field, part.field);
  }
  for (const [own, field] of sharedFields(message, output)) shared.set(field, own);
  return shared;
}

/** How an operation answers, determined once. Fields that the resource does not have are made up. */
export function answerWith({ model, resource, operation }: Omit<MethodOf, "kept">): AnswerWith {
  const { output } = operation;
  const { message: desc } = resource;
  if (output === desc) return (_state, message) => message;
  const makeUp = (request: Message): Message => {
    const answers = model.maker.of(operation);
    // A copy, which may be changed.
    return answers.answer(request, answers.hash(request), 0);
  };
  // An operation of its own kind, such as that of Compute Engine, has a name and times of its own.
  if (output.name === "Operation") return (_state, _message, request) => makeUp(request);
  const around = output.fields.find((field) => field.fieldKind === "message" && field.message === desc);
  if (around !== undefined) {
    const isAlone = output.fields.length === 1;
    const link = linking(model, resource, operation, [around]);
    return (state, message, request) => {
      const answer = isAlone ? create(output) : makeUp(request);
      reflect(output, answer, false).set(around, reflect(desc, message, false));
      link(state, message, request, answer);
      return answer;
    };
  }
  const shared = fieldsFrom(resource, operation);
  const isAll = shared.size === output.fields.length;
  const link = linking(model, resource, operation, [...shared.keys()]);
  return (state, message, request) => {
    const answer = isAll ? create(output) : makeUp(request);
    const reading = reflect(desc, message, false);
    const writing = reflect(output, answer, false);
    for (const [to, from] of shared) copyField(reading, from, writing, to);
    link(state, message, request, answer);
    return answer;
  };
}

// Streams resources: lists that arrive one by one, and watches. Every resource in a stream can also be read by another call.
import { create, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { onlyRequest } from "@roundtrip/contract";
import { keyReader } from "../keys.ts";
import { readMasks } from "../masks.ts";
import { nounAfter } from "../../basics/names.ts";
import type { SessionState } from "../session-state.ts";
import { paging, selecting } from "./list.ts";
import type { MethodOf, ResourceMethod } from "./method.ts";

/** A watch never ends by itself, so it ends after this many. */
const mostWatched = 10;

/** The only field of an answer that contains the resource, single or repeated. */
function holderOf({ fields }: DescMessage, desc: DescMessage): DescField | undefined {
  const found = fields.filter((field) => field.fieldKind !== "map" && field.message === desc);
  return found.length === 1 ? found[0] : undefined;
}

/** The resources of a request: the one that it names, a page of a list, or the first that it watches. */
function namedBy(method: MethodOf, isList: boolean): (state: SessionState, request: Message) => readonly Message[] {
  const { resource, operation } = method;
  const readKey = isList ? undefined : keyReader(operation.input, resource);
  const select = selecting(method);
  const pageOf = paging(operation.input);
  return (state, request) => {
    const key = readKey?.(request);
    // Zero and the empty text are not keys.
    if (key !== undefined && !/^0?$/.test(key.at(-1) ?? "")) return [state.storeOf(resource).get(key).message];
    const page = pageOf(select(state, request), request).page.map(({ message }) => message);
    return isList ? page : page.slice(0, mostWatched);
  };
}

function put(output: DescMessage, answer: Message, holder: DescField, message: Message): Message {
  if (holder.fieldKind === "list") (answer as unknown as Record<string, unknown>)[holder.localName] = [message];
  else reflect(output, answer, false).set(holder, reflect(holder.message as DescMessage, message, false));
  return answer;
}

export const streamMethod: ResourceMethod = (method) => {
  const { model, resource, operation } = method;
  const { output } = operation;
  const { message: desc } = resource;
  const holder = output === desc ? undefined : holderOf(output, desc);
  if (output !== desc && holder === undefined) return undefined;
  const masks = readMasks(operation, holder);
  const isList = nounAfter("list", operation.method.name) !== undefined;
  const named = namedBy(method, isList);
  const answers = model.maker.of(operation);
  // Fields beside the resource are made up, except those about pages.
  const around = (request: Message, index: number): Message =>
    isList ? create(output) : answers.answer(request, answers.hash(request), index);
  return (state) =>
    async function* (requests: AsyncIterable<Message>) {
      const request = await onlyRequest(requests);
      const read = masks(request);
      for (const [index, message] of named(state, request).entries()) {
        yield read(holder === undefined ? message : put(output, around(request, index), holder, message));
      }
    };
};

// Lists resources (AIP-132), page by page (AIP-158), and streams them: lists that arrive one by one, and watches.
import { create, type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import {
  bytesInMemory,
  type CallContext,
  listableCount,
  onlyRequest,
  type PathVariable,
  requireListable,
} from "@roundtrip/contract";
import { nounAfter, type Resource } from "@roundtrip/contract/resources";
import { noteIgnored, receiverOf } from "../../log/received-call.ts";
import { orderTimes } from "../../answers/times-between.ts";
import { keyReader, parentField } from "../keys.ts";
import {
  comparedFields,
  equalities,
  type Equality,
  filterOf,
  type Matches,
  matchesAll,
  matchesText,
  orderOf,
  splitTexts,
} from "../list-filter.ts";
import { readMasks } from "../masks.ts";
import { integerProperty, scalarField, textProperty } from "../request-properties.ts";
import { firstParent, type ResourceModel } from "../resource-model.ts";
import { invalid, keyText, parentKey } from "../resource.ts";
import type { Entry, SessionState } from "../session-state.ts";
import { ignoredFields, listNames } from "./list-request.ts";
import type { MethodOf, ResourceMethod } from "./method.ts";
import { crc32 } from "node:zlib";

export type PagePosition = Pick<Entry, "order" | "sequence">;

function tokenText({ order, sequence }: PagePosition, list: string): string {
  const position = `${order}:${sequence}`;
  return `${position}:${crc32(`${position} ${list}`).toString(36)}`;
}

/** @param list identifies the list: a token is valid for no other */
function pageTokenAfter(position: PagePosition, list: string): string {
  return Buffer.from(tokenText(position, list)).toString("base64url");
}

/** Undefined for the first page. Throws INVALID_ARGUMENT for a token of another list or service. */
function positionBefore(token: string, list: string, fieldName: string): PagePosition | undefined {
  if (token === "") return undefined;
  const [order = "", sequence = ""] = Buffer.from(token, "base64url").toString().split(":");
  const position = { order: Number(order), sequence: Number(sequence) };
  if (pageTokenAfter(position, list) !== token) throw invalid(fieldName, "not a token of this service");
  return position;
}

export const defaultPageSize = 50;
export const maxPageSize = 1_000;
/** The number of parents whose children are listed if no parent is given. */
const parentsAtOnce = 3;

/** The entries that a request asks for, before paging. */
interface Selection {
  readonly entries: readonly Entry[];
  /** Identifies the list: a page token is valid for one list only. */
  readonly list: string;
  /** Whether entries are in the store's order: then a position stays valid when its entry is deleted. */
  readonly isInOrder: boolean;
  /** The fields that the request sets and that select nothing, by name. */
  readonly ignored: readonly string[];
}

type Select = (state: SessionState, request: Message, call: CallContext) => Selection;

/** The parent; undefined for all parents. */
function parentReader({ model, resource, operation }: MethodOf): (request: Message) => string | undefined {
  const { pattern, key } = resource;
  if (pattern !== undefined) {
    const field = parentField(model.contract, operation, resource);
    const parent = field === undefined ? undefined : textProperty(operation.input, [field.name]);
    if (pattern.length <= 2) return parent ?? (() => "");
    return (request) => (parent?.(request) === "" ? undefined : parent?.(request));
  }
  if (key.length === 1) return () => "";
  const above = keyReader(operation.input, resource, key.slice(0, -1));
  return (request) => {
    const found = above?.(request);
    // Zero and the empty text are not keys: what the request leaves out is anything.
    const named = found?.map((part) => (/^0?$/.test(part) ? "-" : part)) ?? [];
    return named.every((part) => part === "-") ? undefined : keyText(named);
  };
}

/** Creates the initial resources of a kind below the first few parents, and those parents in the same way. */
function enterBelowFirst(model: ResourceModel, state: SessionState, resource: Resource): void {
  const store = state.storeOf(resource);
  const above = model.parentOf(resource);
  if (above === undefined) {
    // The parent is not a resource itself: the one of the example requests.
    if (store.sorted.length === 0) store.enter(firstParent(model, resource));
    return;
  }
  enterBelowFirst(model, state, above);
  const parents = state.storeOf(above).sorted.slice(0, parentsAtOnce);
  store.enterAll(parents.map(({ key }) => keyText(key)));
}

/** All children of a parent, of all parents that `-` matches, or of the first few parents. */
export function entriesBelow(
  { model, resource }: Pick<MethodOf, "model" | "resource">,
  state: SessionState,
  parent: string | undefined,
): readonly Entry[] {
  const store = state.storeOf(resource);
  const partsOf = (name: string): readonly string[] =>
    resource.pattern === undefined ? parentKey(resource, name) : name.split("/");
  const like = parent === undefined ? ["-"] : partsOf(parent);
  if (parent !== undefined && !like.includes("-")) {
    store.enter(parent);
    return parent === "" && resource.key.length === 1 && (resource.pattern?.length ?? 2) <= 2
      ? store.sorted
      : store.sorted.filter((entry) => entry.parent === parent);
  }
  enterBelowFirst(model, state, resource);
  if (parent === undefined) return store.sorted;
  return store.sorted.filter((entry) =>
    partsOf(entry.parent).every((part, at) => like[at] === "-" || like[at] === part),
  );
}

/** Throws NOT_FOUND if there is no resource with the key in the URL of a list: `/v1/customers/{customer_id}/invoices`. */
function ownerTest({
  model,
  operation: { bindings },
}: MethodOf): (state: SessionState, equal: readonly Equality[]) => void {
  const inPath = bindings[0].path.variables.map(({ fieldPath }) => fieldPath.join("."));
  return (state, equal) => {
    for (const { asked, wanted } of equal) {
      const owner = inPath.includes(asked.name) ? model.referred(asked) : undefined;
      const text = String(wanted[0]);
      if (owner !== undefined && text !== "-") state.storeOf(owner).get([text]);
    }
  };
}

/** The entries that a request asks for. */
function selecting(method: MethodOf): Select {
  const { model, resource, operation } = method;
  const { message: desc } = resource;
  const { input } = operation;
  const parentOf = parentReader(method);
  const compared = comparedFields(model.contract, operation, desc, parentField(model.contract, operation, resource));
  const wantedOf = equalities(input, compared);
  const ignoredOf = ignoredFields(method, compared);
  const filter = textProperty(input, listNames.filter);
  const query = textProperty(input, listNames.query);
  const orderBy = textProperty(input, listNames.orderBy);
  const requireOwner = ownerTest(method);
  return (state, request, call) => {
    const parent = parentOf(request);
    const asked = wantedOf(request);
    requireOwner(state, asked);
    const texts = [filter?.(request) ?? "", query?.(request) ?? "", orderBy?.(request) ?? ""] as const;
    const [filterText, queryText, orderText] = texts;
    const all = entriesBelow(method, state, parent);
    const wanted = receiverOf(call).style === "rest" ? splitTexts(desc, asked, all) : asked;
    const conditions: readonly Matches[] = [
      ...(wanted.length > 0 ? [matchesAll(desc, wanted)] : []),
      ...(filterText.trim() === "" ? [] : [filterOf(desc, filterText, "filter")]),
      ...(queryText === "" ? [] : [matchesText(desc, queryText)]),
    ];
    const sort = orderText.trim() === "" ? undefined : orderOf(desc, orderText, "order_by");
    const fit =
      conditions.length === 0 ? all : all.filter(({ message }) => conditions.every((matches) => matches(message)));
    const entries = sort === undefined ? fit : sort(fit);
    const narrowed = asked.map(({ field: { name }, wanted: values }) => [name, ...values.map(String)]);
    return {
      entries,
      list: JSON.stringify([desc.typeName, parent, texts, narrowed]),
      isInOrder: sort === undefined,
      ignored: ignoredOf(request),
    };
  };
}

function memoryOf({ message }: Entry): number {
  return bytesInMemory(message);
}

/** The first index after a position. */
function positionAfter({ entries, isInOrder }: Selection, position: PagePosition): number {
  if (!isInOrder) return entries.findIndex(({ sequence }) => sequence === position.sequence) + 1;
  const at = entries.findIndex(
    ({ order, sequence }) => order > position.order || (order === position.order && sequence > position.sequence),
  );
  return at === -1 ? entries.length : at;
}

const tokenTypes = [ScalarType.STRING];
const nextNames = ["next_page_token", "next_cursor", "next_page", "cursor"];

/**
 * The page of a list that a request asks for, and the token of the next page; empty for the last page.
 * @param output the answer with the whole page, which ends earlier than asked for if the answer would be too large: then the rest is behind its token,
 * or the list is refused. Undefined for a stream.
 */
function paging(
  input: DescMessage,
  output?: DescMessage,
): (selection: Selection, request: Message) => { readonly page: readonly Entry[]; readonly next: string } {
  const sizeOf = integerProperty(input, listNames.size);
  const sizeName = scalarField(input, listNames.size, [ScalarType.INT32, ScalarType.INT64])?.name ?? "page_size";
  const tokenOf = textProperty(input, listNames.token);
  const tokenName = scalarField(input, listNames.token, [ScalarType.STRING])?.name ?? "page_token";
  const skipOf = integerProperty(input, listNames.skip);
  const pageOf = integerProperty(input, listNames.page);
  const hasTokens =
    tokenOf !== undefined && output !== undefined && scalarField(output, nextNames, tokenTypes) !== undefined;
  return (selection, request) => {
    const sizeAsked = sizeOf?.(request) ?? 0;
    if (sizeAsked < 0) throw invalid(sizeName, "must not be below zero", "page_size");
    const size = Math.min(
      sizeAsked === 0 ? (sizeOf === undefined ? maxPageSize : defaultPageSize) : sizeAsked,
      maxPageSize,
    );
    const position = tokenOf === undefined ? undefined : positionBefore(tokenOf(request), selection.list, tokenName);
    const start =
      (position === undefined ? 0 : positionAfter(selection, position)) +
      Math.max(0, skipOf?.(request) ?? 0) +
      Math.max(0, (pageOf?.(request) ?? 0) - 1) * size;
    const asked = selection.entries.slice(start, start + size);
    if (output !== undefined && !hasTokens) requireListable(asked, memoryOf);
    const page = hasTokens ? asked.slice(0, listableCount(asked, memoryOf)) : asked;
    const last = page.at(-1);
    const hasMore = last !== undefined && start + page.length < selection.entries.length;
    return { page, next: hasMore ? pageTokenAfter(last, selection.list) : "" };
  };
}

const countTypes = [ScalarType.INT32, ScalarType.INT64, ScalarType.UINT32, ScalarType.UINT64];

/** Fields of a list's answer beside the list itself. */
function writers(output: DescMessage): (answer: Message, next: string, total: number) => void {
  const next = scalarField(output, nextNames, tokenTypes);
  const total = scalarField(
    output,
    ["total_size", "total_count", "total", "total_results", "total_items", "count"],
    countTypes,
  );
  const more = scalarField(output, ["has_more", "has_next", "has_next_page", "more"], [ScalarType.BOOL]);
  return (answer, token, count) => {
    const writing = reflect(output, answer, false);
    if (next !== undefined && token !== "") writing.set(next, token);
    if (more !== undefined) writing.set(more, token !== "");
    if (total === undefined) return;
    const isWide = total.scalar === ScalarType.INT64 || total.scalar === ScalarType.UINT64;
    writing.set(total, isWide ? BigInt(count) : count);
  };
}

/** Whether the URL names one resource: then the list belongs to it, such as its revisions. */
function isAboutOne({ resource: { pattern }, operation }: MethodOf): boolean {
  const { variables, segments } = operation.bindings[0].path;
  const isName = ({ fieldPath, start, end }: PathVariable): boolean =>
    end - start === pattern?.length &&
    fieldPath.at(-1) !== "parent" &&
    segments.slice(start, end).every((part, at) => part.kind !== "literal" || part.text === pattern[at]);
  return variables.some(isName);
}

export const listMethod: ResourceMethod = (method) => {
  const { resource, operation } = method;
  if (isAboutOne(method)) return undefined;
  const { input, output } = operation;
  const { message: desc } = resource;
  const select = selecting(method);
  const pageOf = paging(input, output);
  const holder = output.fields.find((field) => field.fieldKind === "list" && field.message === desc);
  if (holder === undefined) return undefined;
  const masks = readMasks(operation, holder);
  const write = writers(output);
  return (state) => (request: Message, call: CallContext) => {
    const read = masks(request);
    const selection = select(state, request, call);
    noteIgnored(call, selection.ignored);
    const { page, next } = pageOf(selection, request);
    const answer = create(output);
    const items = page.map(({ message }) => message);
    (answer as unknown as Record<string, unknown>)[holder.localName] = items;
    write(answer, next, selection.entries.length);
    return read(answer);
  };
};

/** A watch never ends by itself, so it ends after this many. */
const mostWatched = 10;

/** The only field of an answer that contains the resource, single or repeated. */
function holderOf({ fields }: DescMessage, desc: DescMessage): DescField | undefined {
  const found = fields.filter((field) => field.fieldKind !== "map" && field.message === desc);
  return found.length === 1 ? found[0] : undefined;
}

/** The resources of a request: the one that it names, a page of a list, or the first that it watches. */
function namedBy(
  method: MethodOf,
  isList: boolean,
): (state: SessionState, request: Message, call: CallContext) => readonly Message[] {
  const { resource, operation } = method;
  const readKey = isList ? undefined : keyReader(operation.input, resource);
  const select = selecting(method);
  const pageOf = paging(operation.input);
  return (state, request, call) => {
    const key = readKey?.(request);
    // Zero and the empty text are not keys.
    if (key !== undefined && !/^0?$/.test(key.at(-1) ?? "")) return [state.storeOf(resource).get(key).message];
    const selection = select(state, request, call);
    if (isList) noteIgnored(call, selection.ignored);
    const page = pageOf(selection, request).page.map(({ message }) => message);
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
    async function* (requests: AsyncIterable<Message>, call: CallContext) {
      const request = await onlyRequest(requests);
      const read = masks(request);
      const resources = named(state, request, call);
      const events = resources.map((message, index) =>
        holder === undefined ? message : put(output, around(request, index), holder, message),
      );
      if (holder !== undefined) orderTimes(output, events, { desc, resources });
      for (const event of events) yield read(event);
    };
};

// Answers from a recording only: requests that were not recorded fail and are never made up.
import { toJson, type Message, clone, create, fromJson, type DescMessage, type JsonValue } from "@bufbuild/protobuf";
import {
  CallError,
  only,
  onlyRequest,
  type Contract,
  type Interceptor,
  type Operation,
  type Service,
  isObject,
} from "@roundtrip/contract";
import type { WrittenError } from "../files/written-error.ts";
import { answersOf, type Stub } from "../stubs/stub-schema.ts";
import { jsonText } from "../files/checked.ts";
import { stubbing } from "../stubs/stubbing.ts";
import { redacting } from "../basics/redacted.ts";
import { FieldMaskSchema, type FieldMask } from "@bufbuild/protobuf/wkt";
import { insideOf, readMasks, type Reading } from "../resources/masks.ts";

// A recorded read without a mask, or with a wider one, contains the answer to a read with a narrower mask. Styles differ in this: GraphQL always
// names the selected fields, REST seldom does.

/** A wider read, and how to reduce its answer to that of the narrower one. */
interface WiderRead {
  readonly request: Message;
  readonly read: Reading;
}

/** The wider reads that may have been recorded, the widest first. Throws INVALID_ARGUMENT for a mask with unknown fields. */
type WiderReads = (request: Message) => readonly WiderRead[];

const none: WiderReads = () => [];

function isEverything(paths: readonly string[]): boolean {
  return paths.length === 0 || paths.includes("*");
}

function names(path: string, asked: string): boolean {
  return asked === path || asked.startsWith(`${path}.`);
}

/** The paths of the masks of recorded requests. */
function recordedMasks({ id, readMask }: Operation, recorded: readonly Stub[]): readonly (readonly string[])[] {
  const masks = new Map<string, readonly string[]>();
  for (const { operation, when = {} } of recorded) {
    if (operation !== id || readMask === undefined || !isObject(when)) continue;
    const asked: JsonValue = when[readMask.jsonName] ?? when[readMask.name] ?? "";
    if (typeof asked !== "string") continue;
    const { paths } = fromJson(FieldMaskSchema, asked);
    masks.set(paths.join(), isEverything(paths) ? [] : paths);
  }
  return [...masks.values()].toSorted((paths, next) => (paths.length === 0 ? -1 : next.length - paths.length));
}

/** The same request with another mask; without a mask if there are no paths. */
function withMask(input: DescMessage, mask: string, request: Message, paths: readonly string[]): Message {
  const copy = clone(input, request);
  (copy as unknown as Record<string, unknown>)[mask] =
    paths.length === 0 ? undefined : create(FieldMaskSchema, { paths: [...paths] });
  return copy;
}

/** Finds the wider reads of an operation among recorded stubs; none if the operation has no mask. */
function widerReads(operation: Operation, recorded: readonly Stub[]): WiderReads {
  const { input, output, readMask } = operation;
  if (readMask === undefined) return none;
  const masks = recordedMasks(operation, recorded);
  if (masks.length === 0) return none;
  const inside = insideOf(operation);
  const readingOf = readMasks(operation, inside);
  const everything = (inside?.message ?? output).fields.map(({ name }) => name);
  return (request) => {
    const mask = (request as unknown as Readonly<Record<string, FieldMask | undefined>>)[readMask.localName];
    const read = readingOf(request);
    const asked = mask === undefined || isEverything(mask.paths) ? everything : mask.paths;
    return masks
      .filter((paths) => paths.length === 0 || asked.every((name) => paths.some((path) => names(path, name))))
      .map((paths) => ({ request: withMask(input, readMask.localName, request, paths), read }));
  };
}

/** INVALID_ARGUMENT may be about the mask of the request. */
function isFailure(error: WrittenError | undefined): boolean {
  return error !== undefined && error.code !== "INVALID_ARGUMENT";
}

/**
 * Recorded reads that always failed, as stubs for the same requests with any mask.
 */
function recordedFailures(contract: Contract, recorded: readonly Stub[]): readonly Stub[] {
  const masks = new Map(contract.operations.map(({ id, readMask }) => [id, readMask]));
  return recorded.flatMap((stub): readonly Stub[] => {
    const { operation, when = {} } = stub;
    const answers = answersOf(stub);
    const mask = masks.get(operation);
    if (mask === undefined || !isObject(when)) return [];
    if (!answers.every(({ error, responses }) => isFailure(error) && responses === undefined)) return [];
    const { [mask.jsonName]: _json, [mask.name]: _proto, ...rest } = when;
    return [{ ...stub, when: rest }];
  });
}

/** The request for error messages; its type alone if it cannot be shown. */
function requestText({ input }: Operation, request: Message, { registry }: Contract): string {
  try {
    return jsonText(toJson(input, redacting.copyOf(input, request, registry), { registry }));
  } catch {
    return `a ${input.typeName}`;
  }
}

/** The error for a request that is not in the recording. */
class NotRecorded extends CallError {}

function notRecorded(operation: Operation, request: Message | undefined, contract: Contract, stubs: readonly Stub[]) {
  const { id } = operation;
  const others = stubs.filter((stub) => stub.operation === id).length;
  const what = request === undefined ? "a call without a request" : requestText(operation, request, contract);
  const there =
    others === 0
      ? "and no other call of it"
      : `but has ${others === 1 ? "1 other request" : `${others} other requests`} of it`;
  return new NotRecorded("FAILED_PRECONDITION", `the recording has no call of ${id} with ${what}, ${there}`, {
    reason: "NOT_RECORDED",
    domain: operation.method.parent.file.proto.package,
    metadata: { operation: id },
  });
}

/** Refuses every call. */
function nothingElse(contract: Contract, stubs: readonly Stub[]): Service {
  return {
    contract,
    guard: (beside) => beside,
    call(operation, request) {
      throw notRecorded(operation, request, contract, stubs);
    },
    // oxlint-disable-next-line require-yield -- it never answers
    async *stream(operation, requests) {
      const request = await onlyRequest(requests).catch(() => undefined);
      throw notRecorded(operation, request, contract, stubs);
    },
  };
}

/** The content of a recording: answers to exact requests, and failures for any mask. */
interface Recorded {
  readonly exact: Service;
  readonly failures: Service;
}

/** Returns the first recorded answer to one of these and wider reads. Otherwise fails as a read of the same resource with another mask did. */
function unary(
  { exact, failures }: Recorded,
  wider: WiderReads,
  ...[operation, request, call]: Parameters<Service["call"]>
) {
  try {
    return exact.call(operation, request, call);
  } catch (thrown) {
    if (!(thrown instanceof NotRecorded)) throw thrown;
    for (const { request: widerRequest, read } of wider(request)) {
      try {
        const answer = exact.call(operation, widerRequest, call);
        return answer instanceof Promise ? answer.then(read) : read(answer);
      } catch (again) {
        if (!(again instanceof NotRecorded)) throw again;
      }
    }
    return failures.call(operation, request, call);
  }
}

/** The same for a stream of answers: its first message shows whether it was recorded. */
async function* streamed(
  { exact, failures }: Recorded,
  wider: WiderReads,
  ...[operation, requests, call]: Parameters<Service["stream"]>
): AsyncGenerator<Message> {
  const request = await onlyRequest(requests);
  const asked = { request, read: (answer: Message) => answer };
  for (const { request: tried, read } of [asked, ...wider(request)]) {
    try {
      for await (const answer of exact.stream(operation, only(tried), call)) yield read(answer);
      return;
    } catch (thrown) {
      if (!(thrown instanceof NotRecorded)) throw thrown;
    }
  }
  yield* failures.stream(operation, only(request), call);
}

/**
 * Answers from a recording alone: FAILED_PRECONDITION for requests that it does not contain. A recorded read with a wider mask, or without one, also
 * answers reads with a mask; a read that failed with one mask fails with any. Each service that it wraps restarts the recording. Throws a FakeError
 * if the recording does not fit the contract.
 */
export function replaying(contract: Contract, recorded: readonly Stub[]): Interceptor {
  const answering = stubbing(contract, recorded);
  const failing = stubbing(contract, recordedFailures(contract, recorded));
  const refusing = nothingElse(contract, recorded);
  const wider = new Map(contract.operations.map((operation) => [operation.id, widerReads(operation, recorded)]));
  const widerOf = ({ id }: Operation): WiderReads => wider.get(id) ?? (() => []);
  return () => {
    const exact = answering(refusing);
    const service: Recorded = { exact, failures: failing(refusing) };
    return {
      contract,
      guard: (beside) => exact.guard(beside),
      call: (operation, request, call) => unary(service, widerOf(operation), operation, request, call),
      stream(operation, requests, call) {
        if (operation.kind !== "server_streaming") return exact.stream(operation, requests, call);
        return streamed(service, widerOf(operation), operation, requests, call);
      },
    };
  };
}

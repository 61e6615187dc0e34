// Valid calls with values that cost a service with rules, masks, filters and sessions much time or memory, unless it limits what it makes of them. They go
// to a fake of `proto/library.proto`, over the client of the stack.
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { CallError, type Client, type Contract, type Metadata } from "@roundtrip/contract";
import { sessionMetadataName } from "@roundtrip/fakes";
import { connectDefaults, loadConnect } from "@roundtrip/stacks";
import type { Served } from "../served.ts";
import { type Attack, expectThat } from "./connection.ts";
import { libraryContract } from "./library-contract.ts";

const atOnce = 10;

/** For answers to much work on a busy machine: a server that never answers is what is found. */
const timeoutMs = 120_000;

/** About the largest message that servers take by default. */
const textBytes = 3_900_000;

const faults: ReadonlySet<string> = new Set(["UNKNOWN", "INTERNAL", "DATA_LOSS"]);

interface Call {
  readonly method: "CreateBook" | "UpdateBook" | "ListBooks";
  readonly request: JsonObject;
  readonly session?: string;
}

async function send(client: Client, contract: Contract, { method, request, session }: Call): Promise<void> {
  const operation = contract.operation(`hostile.v1.LibraryService.${method}`);
  const metadata: Metadata = new Map(session === undefined ? [] : [[sessionMetadataName, session]]);
  const startedAt = performance.now();
  try {
    await client.prepare(operation)(fromJson(operation.input, request), { metadata, timeoutMs });
  } catch (thrown) {
    if (!(thrown instanceof CallError)) throw thrown;
    expectThat(performance.now() - startedAt < timeoutMs, "not answered");
    expectThat(!faults.has(thrown.code), `the server blames itself: ${thrown.code}: ${thrown.message.slice(0, 200)}`);
  }
}

/** Makes calls, so many at a time. */
async function sendAll(
  { stackName, libraryUrl = "" }: Served,
  calls: Iterable<Call>,
  callers: number = atOnce,
): Promise<void> {
  const contract = await libraryContract();
  const connect = await loadConnect(stackName);
  const client = await connect(contract, { ...connectDefaults, url: libraryUrl, connections: callers });
  const left = calls[Symbol.iterator]();
  const calling = Array.from({ length: callers }, async () => {
    for (let next = left.next(); next.done !== true; next = left.next()) await send(client, contract, next.value);
  });
  try {
    await Promise.all(calling);
  } finally {
    await client.close();
  }
}

function* inSessions(count: number, prefix: string): Generator<Call> {
  for (let session = 0; session < count; session += 1) {
    yield { method: "CreateBook", request: { book: { tags: ["a", "b"] } }, session: `${prefix} ${session}` };
  }
}

/** Fills all sessions of the fake, and loads what checks its rules. */
export function callLibraryNormally(target: Served): Promise<void> {
  return sendAll(target, inSessions(1_000, "normal"));
}

/** As many texts as make the largest message, or so many bytes. */
function many(text: (at: number) => string, bytes = textBytes): string[] {
  return Array.from({ length: Math.floor(bytes / (text(1e6).length + 5)) }, (_, at) => text(at));
}

/** Clients check the paths of a mask, too: larger ones would cost the attacker more than the server. */
const maskBytes = textBytes / 10;

function requests(name: string, method: Call["method"], request: () => JsonObject): Attack {
  return {
    name: `${atOnce} calls at once with ${name}`,
    waits: false,
    run(target) {
      const call = { method, request: request() };
      return sendAll(
        target,
        Array.from({ length: atOnce }, () => call),
      );
    },
  };
}

/** More than a fake has at a time. */
const sessions = 1_200;
/** Servers answer so many within the time that is allowed, where sessions wait for turns of their own; twice as many take longer in one session, too. */
const manyCallers = 200;

export const libraryCosts: readonly Attack[] = [
  requests("as many texts as rules may visit and compare", "CreateBook", () => ({
    book: { tags: Array.from({ length: 10_000 }, (_, at) => `tag${at}`) },
  })),
  requests("a list in a rule that it is too long for", "CreateBook", () => ({
    book: { tags: Array.from({ length: 100_000 }, (_, at) => `tag${at}`) },
  })),
  requests("a long text for a pattern", "CreateBook", () => ({ book: { title: `${"a".repeat(textBytes)}!` } })),
  requests("a filter of many terms", "ListBooks", () => ({ filter: many((at) => `title = "t${at}"`).join(" AND ") })),
  requests("a filter of a text that has no end", "ListBooks", () => ({
    filter: `title = "${String.raw`\"`.repeat(textBytes / 4)}`,
  })),
  requests("a filter of spaces", "ListBooks", () => ({ filter: `title = a${" ".repeat(textBytes)}b` })),
  requests("an order by many names", "ListBooks", () => ({ orderBy: many(() => "title desc").join(",") })),
  requests("a mask of one path again and again", "ListBooks", () => ({
    readMask: many(() => "books.title", maskBytes).join(","),
  })),
  requests("a mask of one deep path", "ListBooks", () => ({
    readMask: `books.binding${".inner".repeat(1_000)}`,
  })),
  requests("a mask for writing of many deep paths", "UpdateBook", () => ({
    book: { name: "books/1" },
    updateMask: many(() => `binding${".inner".repeat(30)}`, maskBytes).join(","),
  })),
  {
    name: `${sessions} calls, ${manyCallers} at once, each in a session of its own`,
    waits: false,
    run: (target) => sendAll(target, inSessions(sessions, "x".repeat(240)), manyCallers),
  },
];

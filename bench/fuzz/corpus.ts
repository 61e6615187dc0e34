// The corpus of each style: real exchanges of its default client, recorded through a relay, which `pnpm fuzz` breaks.
import { type JsonValue, type Message, fromJson } from "@bufbuild/protobuf";
import { conformanceContract } from "@roundtrip/conformance";
import { CallError, type Contract, type Metadata, type Operation } from "@roundtrip/contract";
import { type KnownStack, allStacks, connectDefaults, loadConnect } from "@roundtrip/stacks";
import { once } from "node:events";
import { globSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { served, smallLimits } from "./served.ts";
import { styleStacks } from "./style-stacks.ts";

const corpusFolder = join(import.meta.dirname, "corpus");

/** The styles with a corpus, in alphabetical order. */
const fuzzedStyles: readonly string[] = readdirSync(corpusFolder).toSorted();

export const fuzzedStacks: readonly KnownStack[] = allStacks().filter(({ style }) => fuzzedStyles.includes(style));

export function corpusFolderOf(style: string): string {
  return join(corpusFolder, style);
}

/** The exchanges that fuzzing of a style starts from: recorded ones, and ones that once failed. Throws for a style without a corpus. */
export function corpusOf(style: string): readonly Buffer[] {
  const cwd = corpusFolderOf(style);
  const corpus = globSync("**/*.bin", { cwd })
    .toSorted()
    .map((path) => readFileSync(join(cwd, path)));
  if (corpus.length === 0) throw new Error(`there is no corpus for ${style}`);
  return corpus;
}

export interface RecordedCall {
  readonly name: string;
  readonly operation: Operation;
  readonly requests: readonly Message[];
  readonly metadata: Metadata;
}

const everything: JsonValue = {
  scalars: {
    doubleValue: 1.5,
    int64Value: "9007199254740993",
    stringValue: "é 😀",
    bytesValue: "AAEC",
    colour: "COLOUR_RED",
  },
  presence: { number: 0, flag: false, text: "" },
  lists: { numbers: [1, -2], texts: ["a", "b"], colours: ["COLOUR_GREEN"], times: ["2026-01-01T00:00:00Z"] },
  maps: { textByText: { a: "b" }, largeNumberByNumber: { 7: "8" }, treeByText: { x: { label: "y" } } },
  wellKnown: {
    time: "1970-01-01T00:00:00.001Z",
    duration: "-1.500s",
    mask: "a,b.c",
    struct: { a: [1, null, "x"] },
    value: [true],
    empty: {},
  },
  wrappers: { int64Value: "5", stringValue: "" },
  choice: { tree: { label: "t" } },
  tree: { label: "r", only: { label: "s" }, branches: [{ label: "1" }, { label: "2" }] },
};

const look: JsonValue = {
  scalars: { int32Value: -5, colour: "COLOUR_INFRA_RED" },
  presence: { text: "a&b=c" },
  wellKnown: { time: "2026-01-01T00:00:00Z" },
  texts: ["x", "y z"],
  largeNumbers: ["1", "2"],
  text: "é",
};

const items: readonly JsonValue[] = [0, 1, 2, 3].map((index) => ({ index, data: "AAEC" }));

function recordedCalls(contract: Contract): readonly RecordedCall[] {
  const call = (name: string, method: string, requests: readonly JsonValue[], metadata = {}): RecordedCall => {
    const operation = contract.operation(`roundtrip.conformance.v1.ConformanceService.${method}`);
    const { registry } = contract;
    return {
      name,
      operation,
      requests: requests.map((json) => fromJson(operation.input, json, { registry })),
      metadata: new Map(Object.entries(metadata)),
    };
  };
  return [
    call("echo-everything", "Echo", [{ values: everything }]),
    call("echo-nothing", "Echo", [{}]),
    call("echo-tree", "Echo", [{ values: { tree: { only: { only: { only: { label: "deep" } } } } } }]),
    call("echo-metadata", "Echo", [{}], {
      "x-tenant": "blue, green",
      "trace-bin": "AAECAw",
      authorization: "Bearer a",
    }),
    call("look", "Look", [look]),
    call("put-tree", "PutTree", [
      { name: "shelves/1/trees/oak%2F", tree: { label: "oak", branches: [{ label: "leaf" }] }, dryRun: true },
    ]),
    call("download", "Download", [{ count: 3, sizeBytes: 8 }], { "x-tenant": "blue" }),
    call("upload", "Upload", items, { "trace-bin": "AAECAw" }),
    call("upload-nothing", "Upload", []),
    call("converse", "Converse", [{ text: "a" }, {}, { text: "é 😀" }], { "x-tenant": "blue" }),
  ];
}

export interface RecordingRelay {
  readonly url: string;
  /** The bytes sent so far over the first connection. */
  readonly sent: () => Buffer;
  close(): Promise<void>;
}

async function recordingRelay(url: string): Promise<RecordingRelay> {
  const { hostname, port } = new URL(url);
  const connections: Buffer[][] = [];
  const server = createServer((near) => {
    const chunks: Buffer[] = [];
    connections.push(chunks);
    const far = connect(Number(port), hostname);
    near.on("data", (chunk) => chunks.push(chunk)).on("error", () => far.destroy());
    far.on("error", () => near.destroy());
    near.pipe(far).pipe(near);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const own = new URL(url);
  own.port = String((server.address() as AddressInfo).port);
  return {
    url: own.href,
    sent: () => Buffer.concat(connections[0] ?? []),
    async close() {
      server.close();
      await once(server, "close");
    },
  };
}

/** The first call of a server is slow. */
const patient = { ...smallLimits, maxHeadersMs: 20_000, maxRequestMs: 20_000 };
const contract = conformanceContract();

async function* inTurn<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

/** The bytes that the client of the stack sends for a call; undefined if it does not support the operation. */
export async function recorded(
  stack: string,
  url: string,
  call: Omit<RecordedCall, "name">,
): Promise<Buffer | undefined> {
  const { operation, requests, metadata } = call;
  const relay = await recordingRelay(url);
  const client = await (await loadConnect(stack))(contract, { ...connectDefaults, url: relay.url });
  try {
    const [request] = requests;
    if (operation.kind === "unary" && request !== undefined) await client.prepare(operation)(request, { metadata });
    else for await (const _ of client.prepareStream(operation)(inTurn(requests), { metadata }));
    return relay.sent();
  } catch (thrown) {
    if (thrown instanceof CallError && thrown.code === "UNIMPLEMENTED") return undefined;
    throw thrown;
  } finally {
    await client.close();
    await relay.close();
  }
}

/** Records the corpus of these styles anew, each in a folder of its own. */
export async function recordCorpus(styles: readonly string[]): Promise<void> {
  for (const { name, style } of styleStacks.filter((one) => one.isDefault && styles.includes(one.style))) {
    const server = await served(name, patient);
    const folder = corpusFolderOf(style);
    mkdirSync(folder, { recursive: true });
    for (const call of recordedCalls(contract)) {
      const bytes = await recorded(name, server.url, call);
      if (bytes === undefined) continue;
      writeFileSync(join(folder, `${call.name}.bin`), bytes);
      process.stdout.write(`${style}/${call.name}.bin: ${bytes.length} bytes\n`);
    }
    await server.close();
  }
}

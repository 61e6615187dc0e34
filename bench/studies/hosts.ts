// Hosts: the two of 2009, of which one kept connections and one closed them after every call. A short text and 277 KB, plain and over TLS, at 1 to
// 200 ms; 277 KB as a stream; and both texts through windows of 64 to 512 KB.
import {
  linkDefaults,
  type LinkSettings,
  type Study,
  type Task,
  taskDefaults,
  sequentialPlan,
} from "@roundtrip/runner";
import { downloaded, greeting, incompressibleText } from "../shared-tasks.ts";

const largeBytes = 277_000;

/** Kept windows do not shrink in pauses between blocks; Reno is in every kernel, and its slow start is the textbook one. */
const link: LinkSettings = { ...linkDefaults, congestionControl: "reno", slowStartAfterIdle: false };

const distancesMs = [1, 50, 100, 200];

/** No distance of the other tasks, so that a row of the table has one arm. */
const windowsAtMs = 60;
const windowsBytes = [65_536, 131_072, 524_288];

type Payload = Pick<Task, "name" | "variants"> & { readonly calls: (rttMs: number) => number };

const small: Payload = {
  name: "hello",
  variants: greeting.variants,
  calls: (rttMs) => (rttMs === 1 ? 24 : 2),
};

const large: Payload = {
  name: "echo",
  variants: {
    buffered: sequentialPlan({
      operation: "roundtrip.v1.PayloadService.Echo",
      request: { text: incompressibleText(largeBytes) },
    }),
  },
  calls: (rttMs) => (rttMs === 1 ? 4 : 1),
};

const stream: Payload = { ...large, name: "stream", variants: downloaded(largeBytes) };

type Connections = Pick<Task, "settings"> & Required<Pick<Task, "tls" | "styles">>;

const kept: Connections = { settings: { keepAlive: [true] }, tls: [false], styles: ["grpc", "rest"] };
/** The binding of 2009 over TCP was never over TLS. */
const overHttp: Connections = { settings: { keepAlive: [true, false] }, tls: [true], styles: ["rest"] };
const closed: Connections = { settings: { keepAlive: [false] }, tls: [false], styles: ["rest"] };

function call(
  { calls, ...payload }: Payload,
  connections: Connections,
  rttMs: number,
  links: readonly LinkSettings[],
): Task {
  return {
    ...taskDefaults,
    ...payload,
    ...connections,
    links,
    needs: ["cold connections", "bulk"],
    onFloor: false,
    tasksPerRound: calls(rttMs),
    tasksPerBlock: calls(rttMs),
  };
}

const windows = windowsBytes.map((receiveWindowBytes) => ({ ...link, rttMs: windowsAtMs, receiveWindowBytes }));

export const study: Study = {
  name: "hosts",
  title: "Hosts that keep and close connections",
  question: "What does a host that closes connections cost over a distance, and what a small window?",
  rounds: 6,
  budgetMs: 240_000,
  takesFirstCalls: false,
  tasks: [
    ...distancesMs.flatMap((rttMs) => [
      ...[small, large].flatMap((payload) =>
        [kept, overHttp, closed].map((connections) => call(payload, connections, rttMs, [{ ...link, rttMs }])),
      ),
      call(stream, kept, rttMs, [{ ...link, rttMs }]),
    ]),
    ...[small, large].map((payload) => call(payload, kept, windowsAtMs, windows)),
  ],
};

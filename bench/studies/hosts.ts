// Hosts: the two of 2009, of which one kept connections and one closed them after every call. A short text and 277 KB over binary TCP and REST,
// plain and over TLS, at 1 to 200 ms; both as a stream; an older TLS; and a first window that is not small.
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

/**
 * Kept windows do not shrink in pauses between blocks; Reno is in every kernel, and its slow start is the textbook one. Receivers have room for all of
 * 277 KB: a window that the kernel enlarges as a program reads, from 64 KB, made every third new connection wait for a round trip more.
 */
export const hostsLink: LinkSettings = {
  ...linkDefaults,
  congestionControl: "reno",
  slowStartAfterIdle: false,
  receiveWindowBytes: 1_048_576,
};

const distancesMs = [1, 50, 100, 200];

/** For all of 277 KB. */
const firstWindowSegments = 200;

type Payload = Pick<Task, "name" | "variants"> & { readonly calls: (rttMs: number) => number };

/** Near, where processors decide, kept connections get more calls: whether TLS costs a tenth shows in many. */
function onKept({ calls, ...payload }: Payload): Payload {
  return { ...payload, calls: (rttMs) => (rttMs === 1 ? 4 : 1) * calls(rttMs) };
}

/** After untimed calls, which leave a kept connection a window for all of the next. */
function withFullWindow({ variants, ...payload }: Payload): Payload {
  const plans = Object.entries(variants).map(([name, plan]) => [name, { ...plan, idleMs: 0 }]);
  return { ...payload, variants: Object.fromEntries(plans) };
}

const small: Payload = {
  name: "hello",
  variants: greeting.variants,
  calls: (rttMs) => (rttMs === 1 ? 24 : 1),
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

/** As many bytes as those texts have, in messages of 4 KB. */
const smallStream: Payload = { ...small, name: "short-stream", variants: downloaded(5) };
const largeStream: Payload = { ...large, name: "stream", variants: downloaded(largeBytes, 4_096) };

type Connections = Pick<Task, "settings"> & Required<Pick<Task, "tls" | "styles">>;

const kept: Connections = { settings: { keepAlive: [true] }, tls: [false], styles: ["rest"] };
/** Binary TCP: a message with its length, encoded and served. It was never over TLS. */
const overTcp: Connections = { settings: { echoes: [false] }, tls: [false], styles: ["floor"] };
const keptSecure: Connections = { ...kept, tls: [true] };
const closed: Connections = { settings: { keepAlive: [false] }, tls: [false, true], styles: ["rest"] };
/** Without resumption, which takes the round trip away. */
const olderTls: Connections = {
  settings: { keepAlive: [false], tlsVersion: ["1.2", "1.3"], tlsResumption: [false] },
  tls: [true],
  styles: ["rest"],
};

function call({ calls, ...payload }: Payload, connections: Connections, at: LinkSettings): Task {
  const times = calls(at.rttMs);
  return {
    ...taskDefaults,
    ...payload,
    ...connections,
    links: [at],
    needs: ["cold connections", "bulk"],
    tasksPerRound: times,
    tasksPerBlock: times,
  };
}

/** On a link, and so on a connection, of its own, on which nothing larger grows the window. */
const firstWindow: Payload = { ...small, name: "first-window" };

/** Named apart, so that a row of the table has one arm. */
const firstFlight: Payload = { ...large, name: "first-flight" };

export const study: Study = {
  name: "hosts",
  title: "Hosts that keep and close connections",
  question: "What does a host that closes connections cost over a distance?",
  rounds: 6,
  budgetMs: 178_000,
  takesFirstCalls: false,
  tasks: [
    ...distancesMs.flatMap((rttMs) => [
      ...[overTcp, kept, keptSecure].flatMap((connections) =>
        [small, withFullWindow(large)].map((payload) => call(onKept(payload), connections, { ...hostsLink, rttMs })),
      ),
      ...[small, large].map((payload) => call(payload, closed, { ...hostsLink, rttMs })),
      ...[smallStream, withFullWindow(largeStream)].map((payload) => call(payload, kept, { ...hostsLink, rttMs })),
    ]),
    call({ ...small, name: "handshake" }, olderTls, { ...hostsLink, rttMs: 50 }),
    call(firstWindow, kept, { ...hostsLink, rttMs: 50, receiveWindowBytes: 524_288 }),
    call(
      firstFlight,
      { ...closed, tls: [false] },
      { ...hostsLink, rttMs: 50, initialWindowSegments: firstWindowSegments },
    ),
  ],
};

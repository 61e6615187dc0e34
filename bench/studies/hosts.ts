// Hosts: the two of 2009, of which one kept connections and one closed them after every call. A short text and 277 KB over binary TCP and REST,
// plain and over TLS, at 1 to 200 ms; 277 KB as a stream and as one message; an older TLS; and a first window that is not small.
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
const firstWindowAtMs = 60;
/** All of 277 KB in the first flight. */
const firstWindowSegments = 200;

type Payload = Pick<Task, "name" | "variants"> & { readonly calls: (rttMs: number) => number };

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

/** The same bytes in messages of 4 KB, and in one. */
const stream: Payload = {
  ...large,
  name: "stream",
  variants: { ...downloaded(largeBytes, 4_096), buffered: downloaded(largeBytes, largeBytes).streamed },
};

type Connections = Pick<Task, "settings"> & Required<Pick<Task, "tls" | "styles">>;

const kept: Connections = { settings: { keepAlive: [true] }, tls: [false], styles: ["rest"] };
/** Binary TCP: a message with its length, encoded and served. It was never over TLS. */
const overTcp: Connections = { settings: { echoes: [false] }, tls: [false], styles: ["floor"] };
const keptSecure: Connections = { ...kept, tls: [true] };
const closed: Connections = { settings: { keepAlive: [false] }, tls: [false, true], styles: ["rest"] };
const olderTls: Connections = {
  settings: { keepAlive: [false], tlsVersion: ["1.2"], tlsResumption: [true, false] },
  tls: [true],
  styles: ["rest"],
};

function call({ calls, ...payload }: Payload, connections: Connections, ...links: readonly LinkSettings[]): Task {
  const times = calls(links[0]?.rttMs ?? 0);
  return {
    ...taskDefaults,
    ...payload,
    ...connections,
    links,
    needs: ["cold connections", "bulk"],
    tasksPerRound: times,
    tasksPerBlock: times,
  };
}

const firstWindows = [undefined, firstWindowSegments].map((initialWindowSegments) => ({
  ...link,
  rttMs: firstWindowAtMs,
  initialWindowSegments,
}));

export const study: Study = {
  name: "hosts",
  title: "Hosts that keep and close connections",
  question: "What does a host that closes connections cost over a distance?",
  rounds: 6,
  budgetMs: 190_000,
  takesFirstCalls: false,
  tasks: [
    ...distancesMs.flatMap((rttMs) => [
      ...[overTcp, kept, keptSecure].flatMap((connections) =>
        [small, withFullWindow(large)].map((payload) => call(payload, connections, { ...link, rttMs })),
      ),
      ...[small, large].map((payload) => call(payload, closed, { ...link, rttMs })),
      call(withFullWindow(stream), kept, { ...link, rttMs }),
    ]),
    call({ ...small, name: "handshake" }, olderTls, { ...link, rttMs: 50 }),
    call(large, { ...closed, tls: [false] }, ...firstWindows),
  ],
};

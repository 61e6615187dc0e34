// Windows as in June 2009: the host's window from 64 to 512 KB, and one that the kernel tunes, while the client tunes its own; both texts and a file, up
// and down, plain and over TLS. Gaps of a download, counted where the client's window halts the sender. A fifth of the distance at five times the bandwidth leaves as many bytes under way; a sixth of the file, for time.
import {
  linkDefaults,
  type LinkSettings,
  type Study,
  type Task,
  taskDefaults,
  sequentialPlan,
} from "@roundtrip/runner";
import { addressStep, downloaded, incompressibleText, uploaded } from "../shared-tasks.ts";

const fileBytes = 650_000;
/** A sixth of the file whose gaps were counted. */
const gapsFileBytes = 900_000;

/** 250 ms and 30 Mbit/s there. */
const link: LinkSettings = {
  ...linkDefaults,
  rttMs: 50,
  bandwidthMbps: 150,
  congestionControl: "reno",
  slowStartAfterIdle: false,
  windowAt: "server",
};

const [least, clients, most] = [65_536, 262_144, 524_288];
const tuned = undefined;

/** The client had 256 KB throughout. With as much at the host, one link serves for uploads and for gaps. */
function linkWith(receiveWindowBytes: number | undefined): LinkSettings {
  const windowAt = receiveWindowBytes === clients ? "both" : link.windowAt;
  return { ...link, receiveWindowBytes, windowAt };
}

/** Gaps over 200, 100, 50, 10 and 1 ms there; over TLS three of these. */
const gapsMs = [40, 20, 10, 2, 0.2];
const gapsSecurelyMs = [40, 20, 2];

function echo(bytes: number): Task["variants"] {
  const request = { text: incompressibleText(bytes) };
  return { buffered: sequentialPlan({ operation: "roundtrip.v1.PayloadService.Echo", request }) };
}

interface Payload {
  readonly variants: Task["variants"];
  readonly windowsBytes: readonly (number | undefined)[];
  /** The same over TLS, whose cost was published for files alone. */
  readonly securely: readonly (number | undefined)[];
  /** In a row; fast ones decide more in several. */
  readonly calls: number;
}

const allWindows = [least, 2 * least, clients, most, tuned];
const inOneMessage: Task["variants"] = { buffered: uploaded(fileBytes, fileBytes).streamed };
/** The longest text that a message may have, with a short answer. */
const text: Pick<Task, "variants" | "tls" | "factors"> = {
  variants: { buffered: sequentialPlan(addressStep(150, incompressibleText(262_144), "name")) },
  tls: [false],
  factors: {},
};
/** A message with its length, encoded and served. */
const overTcp = { ...text, styles: ["floor"], settings: { echoes: [false] }, onFloor: true };

const payloads: readonly (Payload & { readonly name: string })[] = [
  { name: "small", variants: echo(5), windowsBytes: allWindows, securely: [], calls: 3 },
  { name: "echo", variants: echo(277_000), windowsBytes: allWindows, securely: [], calls: 1 },
  { name: "upload", variants: uploaded(fileBytes), windowsBytes: allWindows, securely: allWindows, calls: 1 },
  { name: "upload", variants: inOneMessage, windowsBytes: [tuned], securely: [], calls: 1 },
  {
    name: "download",
    variants: downloaded(fileBytes),
    windowsBytes: [least, most, tuned],
    securely: [tuned],
    calls: 2,
  },
];

function through(
  windowsBytes: readonly (number | undefined)[],
  name: string,
  task: Pick<Task, "variants" | "tls" | "factors"> & Partial<Task>,
  calls = 1,
): Task {
  return {
    ...taskDefaults,
    name,
    links: windowsBytes.map(linkWith),
    needs: ["bulk"],
    onFloor: false,
    styles: ["rest"],
    ...task,
    tasksPerRound: calls,
    tasksPerBlock: calls,
  };
}

function pausingAt(pauseMs: number): Task["variants"] {
  return { streamed: { ...downloaded(gapsFileBytes, 4_096).streamed, pauseMs } };
}

export const study: Study = {
  name: "hosts-windows",
  title: "Hosts with small windows",
  question: "How much do larger windows of a host help a file and a text, with and without TLS?",
  rounds: 6,
  budgetMs: 70_000,
  takesFirstCalls: false,
  tasks: [
    ...payloads.flatMap(({ name, variants, windowsBytes, securely, calls }) => [
      through(windowsBytes, name, { variants, tls: [false], factors: {} }, calls),
      ...(securely.length === 0 ? [] : [through(securely, name, { variants, tls: [true], factors: {} }, calls)]),
    ]),
    through([least, tuned], "upload-text", text),
    through([least, tuned], "upload-text", overTcp),
    ...gapsMs.map((gapMs) => {
      const tls = gapsSecurelyMs.includes(gapMs) ? [false, true] : [false];
      return through([clients], "gaps", { variants: pausingAt(gapMs), tls, factors: { gapMs } });
    }),
    through([tuned], "gaps", { variants: pausingAt(20), tls: [false], factors: { gapMs: 20 } }),
  ],
};

// Windows as in June 2009: the host's window from 64 to 512 KB, and one that the kernel tunes, while the client tunes its own; both texts and a file, up
// and down, plain and over TLS. A fifth of the distance at five times the bandwidth leaves as many bytes under way; a sixth of the file, for time.
import {
  linkDefaults,
  type LinkSettings,
  type Study,
  type Task,
  taskDefaults,
  sequentialPlan,
} from "@roundtrip/runner";
import { downloaded, incompressibleText, uploaded } from "../shared-tasks.ts";

const fileBytes = 650_000;

/** 250 ms and 30 Mbit/s there. */
const link: LinkSettings = {
  ...linkDefaults,
  rttMs: 50,
  bandwidthMbps: 150,
  congestionControl: "reno",
  slowStartAfterIdle: false,
  windowAt: "server",
};

const [least, most] = [65_536, 524_288];
const tuned = undefined;

/** Gaps over 200, 100, 50, 10 and 1 ms there. */
const gapsMs = [40, 20, 10, 2, 0.2];

function echo(bytes: number): Task["variants"] {
  const request = { text: incompressibleText(bytes) };
  return { buffered: sequentialPlan({ operation: "roundtrip.v1.PayloadService.Echo", request }) };
}

interface Payload {
  readonly variants: Task["variants"];
  /** Those that a published claim compares. */
  readonly windowsBytes: readonly (number | undefined)[];
  /** The same over TLS, whose cost was published for files alone. */
  readonly securely: readonly (number | undefined)[];
}

const payloads: Readonly<Record<string, Payload>> = {
  small: { variants: echo(5), windowsBytes: [least, 2 * least], securely: [] },
  echo: { variants: echo(277_000), windowsBytes: [least, most], securely: [] },
  upload: { variants: uploaded(fileBytes), windowsBytes: [least, 2 * least, most, tuned], securely: [least, tuned] },
  download: { variants: downloaded(fileBytes), windowsBytes: [least, most, tuned], securely: [tuned] },
};

function through(
  windowsBytes: readonly (number | undefined)[],
  name: string,
  task: Pick<Task, "variants" | "tls" | "factors"> & Partial<Pick<Task, "settings">>,
): Task {
  return {
    ...taskDefaults,
    name,
    ...task,
    links: windowsBytes.map((receiveWindowBytes) => ({ ...link, receiveWindowBytes })),
    needs: ["bulk"],
    onFloor: false,
    styles: ["rest"],
    tasksPerRound: 1,
    tasksPerBlock: 1,
  };
}

function pausingAt(pauseMs: number): Task["variants"] {
  return { streamed: { ...downloaded(fileBytes, 4_096).streamed, pauseMs } };
}

export const study: Study = {
  name: "hosts-windows",
  title: "Hosts with small windows",
  question: "How much do larger windows of a host help a file and a text, with and without TLS?",
  rounds: 6,
  budgetMs: 70_000,
  takesFirstCalls: false,
  tasks: [
    ...Object.entries(payloads).flatMap(([name, { variants, windowsBytes, securely }]) => [
      through(windowsBytes, name, { variants, tls: [false], factors: {} }),
      ...(securely.length === 0 ? [] : [through(securely, name, { variants, tls: [true], factors: {} })]),
    ]),
    ...gapsMs.map((gapMs) => {
      const tls = gapMs === 20 ? [false, true] : [false];
      // On new connections: a kept one has a window for all of the file, and no gaps.
      const settings = { keepAlive: [false] };
      return through([tuned], "gaps", { variants: pausingAt(gapMs), tls, factors: { gapMs }, settings });
    }),
  ],
};

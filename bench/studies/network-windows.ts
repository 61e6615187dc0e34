// Windows: bulk data over a connection that is warm, when the receiver lets only so much be under way. A window is emptied once per round
// trip, so throughput is at most window / round-trip time: of TCP's window, or of HTTP/2's on top of it, whichever is less. What bulk data
// costs on a cold connection is another study's.
import { linkDefaults, type LinkSettings, type SettingLevels, type Study, type Task } from "@roundtrip/runner";
import { downloaded, uploaded } from "../transfers.ts";

/** As much as fills the smallest window sixteen times. */
const sizeBytes = 1_048_576;
const rttMs = 20;
const unscaledBytes = 65_536;

/**
 * Neither a pause nor a loss must make a window small that nobody set, so the bandwidth is one that an emulator carries on two busy cores. It lets
 * 500 KB be under way at this distance: larger windows limit nothing any more. Reno, because it fills a window without a rate of its own.
 */
const distance: LinkSettings = {
  ...linkDefaults,
  rttMs,
  bandwidthMbps: 200,
  congestionControl: "reno",
  slowStartAfterIdle: false,
};

/** What 16 bits say, which is all without window scaling, and its multiples. */
const tcpWindows: readonly LinkSettings[] = [
  { ...distance, receiveWindowBytes: unscaledBytes, windowScaling: false },
  ...[1, 2, 4, 8].map((times) => ({ ...distance, receiveWindowBytes: times * unscaledBytes })),
];

/** HTTP/2's own default, and up to 8 MB. */
const http2Windows: SettingLevels = {
  "grpc-js": { flowControlWindowBytes: [65_535, 262_144, 8_388_608] },
};

function transfer(
  name: string,
  variants: Task["variants"],
  { settings, links, stacks }: Pick<Task, "settings" | "links"> & Required<Pick<Task, "stacks">>,
): Task {
  return {
    name,
    factors: { payloadBytes: sizeBytes },
    settings,
    links,
    stacks,
    needs: ["bulk"],
    onFloor: false,
    variants,
    answerKeys: [],
    expected: {},
    setup: [],
    callers: 1,
    tasksPerRound: 1,
    tasksPerBlock: 1,
  };
}

/** Over HTTP/1.1 TCP's window is the only one; HTTP/2 has both, and TCP's is large where its own is varied. */
const overTcp = { settings: {}, links: tcpWindows, stacks: ["rest-express"] };
const overHttp2 = { settings: http2Windows, links: [distance], stacks: ["grpc-js"] };

export const study: Study = {
  name: "network-windows",
  title: "Windows",
  question: "How much do the windows of TCP and of HTTP/2 let through over a distance?",
  rounds: 6,
  takesFirstCalls: false,
  budgetMs: 45_000,
  tasks: [
    transfer("download", downloaded(sizeBytes), overTcp),
    transfer("upload", uploaded(sizeBytes), overTcp),
    transfer("download", downloaded(sizeBytes), overHttp2),
    transfer("upload", uploaded(sizeBytes), overHttp2),
  ],
};

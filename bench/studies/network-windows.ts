// Windows: bulk data over a warm connection whose receiver limits the bytes under way. One window is sent per round trip, so throughput is at most
// window / round-trip time, for the smaller of the TCP and the HTTP/2 window. Cold connections are another study.
import {
  linkDefaults,
  type LinkSettings,
  type LevelsOfStack,
  type Study,
  type Task,
  taskDefaults,
} from "@roundtrip/runner";
import { downloaded, uploaded } from "../shared-tasks.ts";

/** Sixteen times the smallest window. */
const sizeBytes = 1_048_576;
const rttMs = 20;
const unscaledBytes = 65_536;

/**
 * Neither a pause nor a loss may shrink the window, so an emulator must carry the bandwidth on two busy cores. It allows 500 KB under way at this
 * distance: larger windows no longer limit. Reno, because it fills a window without a rate of its own.
 */
const distance: LinkSettings = {
  ...linkDefaults,
  rttMs,
  bandwidthMbps: 200,
  congestionControl: "reno",
  slowStartAfterIdle: false,
};

/** The maximum of 16 bits, without window scaling, and its multiples. */
const tcpWindows: readonly LinkSettings[] = [
  { ...distance, receiveWindowBytes: unscaledBytes, windowScaling: false },
  ...[1, 2, 4, 8].map((times) => ({ ...distance, receiveWindowBytes: times * unscaledBytes })),
];

/** HTTP/2's default, and up to 8 MB. */
const http2Windows: LevelsOfStack = { flowControlWindowBytes: [65_535, 262_144, 8_388_608] };

function transfer(
  name: string,
  variants: Task["variants"],
  { settings, links, styles }: Pick<Task, "settings" | "links"> & Required<Pick<Task, "styles">>,
): Task {
  return {
    ...taskDefaults,
    name,
    factors: { payloadBytes: sizeBytes },
    settings,
    links,
    styles,
    needs: ["bulk"],
    onFloor: false,
    variants,
    tasksPerRound: 1,
    tasksPerBlock: 1,
  };
}

/** HTTP/1.1 has only TCP's window. HTTP/2 has both; TCP's is large while its own is varied. */
const overTcp = { settings: {}, links: tcpWindows, styles: ["rest"] };
const overHttp2 = { settings: http2Windows, links: [distance], styles: ["grpc"] };

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

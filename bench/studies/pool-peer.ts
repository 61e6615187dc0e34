// Pool and peer: the other fix of 1996, which keeps what a connection has learnt with its peer instead of the connection. The kernel keeps figures of the
// last connection, or a first window, for the route to the peer; and callers share one connection, so that a loss of one slows all.
import { linkDefaults, type LinkSettings, type Study, sequentialPlan, type Task } from "@roundtrip/runner";
import { incompressibleText, thinkingCallers } from "../shared-tasks.ts";

const packetBytes = 4_096;

function echoing(packets: number): Pick<Task, "name" | "factors" | "variants" | "expected"> {
  const request = { text: incompressibleText(packets * packetBytes) };
  return {
    name: "echo",
    factors: { packets },
    expected: {},
    variants: { single: sequentialPlan({ operation: "roundtrip.v1.PayloadService.Echo", request }) },
  };
}

const link: LinkSettings = { ...linkDefaults, rttMs: 5 };

/** Twelve packets in the first flight. */
const firstWindowSegments = 40;

const pooled = { settings: { idleConnections: [1] }, needs: ["cold connections", "bulk"], styles: ["rest"] } as const;

/** A distance of its own: processes serve all studies of one link, and those that serve more are warmer. */
const apart: LinkSettings = { ...link, rttMs: 6 };
const kept: readonly LinkSettings[] = [
  apart,
  { ...apart, savesMetrics: true },
  { ...apart, initialWindowSegments: firstWindowSegments },
];

/** On one connection for all callers, or on one each. */
const sharing = { settings: { localSubchannelPool: [true, false] }, needs: ["bulk"], styles: ["grpc"] } as const;
const losses: readonly LinkSettings[] = [link, { ...link, loss: 0.02 }];

export const study: Study = {
  name: "pool-peer",
  title: "Pool and peer",
  question: "Does it help to keep the state of connections with their peer, and what does sharing it cost?",
  rounds: 6,
  budgetMs: 65_000,
  takesFirstCalls: false,
  tasks: [
    ...[3, 12].map((packets) => ({ ...thinkingCallers(pooled, 3, 2, 12), ...echoing(packets), links: kept })),
    // A lost handshake takes a second: more calls on each connection, so that its chance decides less.
    { ...thinkingCallers(sharing, 6, 5, 24), ...echoing(3), name: "shared", links: losses },
  ],
};

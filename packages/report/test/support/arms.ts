// The arms of a default run, with what each of them costs in the fixture.
import type { Arm, Scalar } from "@roundtrip/runs";
import { armFor } from "../../../analysis/test/synthetic-run.ts";

/** An arm and the cost that its made-up samples are drawn around. */
export interface CostedArm {
  readonly arm: Arm;
  /** Median milliseconds per task. */
  readonly latencyMs: number;
  readonly serverCpuMs: number;
  readonly clientCpuMs: number;
  readonly wireBytes: number;
}

/** An arm of so many factors and settings as are given, of six milliseconds unless stated otherwise. */
export function costedArm(arm: Parameters<typeof armFor>[0], costs: Partial<Omit<CostedArm, "arm">> = {}): CostedArm {
  return { arm: armFor(arm), latencyMs: 6, serverCpuMs: 4, clientCpuMs: 3, wireBytes: 3_000, ...costs };
}

interface Style {
  readonly id: string;
  readonly stack: string;
  readonly title: string;
  readonly callMs: number;
  readonly callBytes: number;
  readonly msPerKiB: number;
}

const grpc: Style = {
  id: "grpc",
  stack: "grpc-js",
  title: "gRPC",
  callMs: 0.231,
  callBytes: 96,
  msPerKiB: 0.0017,
};
const rest: Style = {
  id: "rest",
  stack: "rest-express",
  title: "REST",
  callMs: 0.168,
  callBytes: 330,
  msPerKiB: 0.003,
};
const graphql: Style = {
  id: "graphql",
  stack: "graphql-apollo",
  title: "GraphQL",
  callMs: 0.402,
  callBytes: 610,
  msPerKiB: 0.0035,
};
const floor: Style = {
  id: "floor",
  stack: "floor",
  title: "TCP floor",
  callMs: 0.041,
  callBytes: 40,
  msPerKiB: 0.0007,
};
const styles = [graphql, grpc, rest];

const attributeCounts = [1, 2, 3, 4, 5, 6];
const payloadSizes = [272, 1024, 1400, 2048, 8192, 32_768, 65_536, 131_072];

function armOf(
  study: string,
  task: string,
  { id, stack, title }: Style,
  variant: string,
  factors: Readonly<Record<string, Scalar>>,
  callsPerTask: number,
): Arm {
  return armFor({ study, task, stack, style: id, title, variant, factors, callsPerTask });
}

function cost(arm: Arm, style: Style, latencyMs: number): CostedArm {
  const calls = arm.callsPerTask;
  return {
    arm,
    latencyMs,
    serverCpuMs: calls * style.callMs * 0.45,
    clientCpuMs: calls * style.callMs * 0.5,
    wireBytes: calls * style.callBytes,
  };
}

function facadeArms(task: string, writeFactor: number): readonly CostedArm[] {
  const sweeps = styles.flatMap((style) =>
    attributeCounts.flatMap((attributes) => {
      const coarseMs = style.callMs * writeFactor * (1 + 0.02 * attributes);
      const fineMs = style.callMs * writeFactor * 0.97;
      const arms = [
        cost(armOf("facade", task, style, "facade", { attributes }, 1), style, coarseMs),
        cost(armOf("facade", task, style, "chatty", { attributes }, attributes), style, fineMs * attributes),
      ];
      if (attributes % 2 === 0) {
        const connections = style === grpc ? 1 : attributes;
        const parallel = {
          ...armOf("facade", task, style, "chatty-parallel", { attributes }, attributes),
          connections,
        };
        arms.push(cost(parallel, style, fineMs * (0.55 + 0.45 * attributes)));
      }
      if (style === graphql && attributes > 1) {
        arms.push(cost(armOf("facade", task, style, "together", { attributes }, 1), style, coarseMs * 1.06));
      }
      return arms;
    }),
  );
  return [...sweeps, cost(armOf("facade", task, floor, "single", {}, 1), floor, floor.callMs)];
}

/** Every arm of the default run: studies `hello` and `facade`. */
export function defaultArms(): readonly CostedArm[] {
  const hello = [...styles, floor].map((style) =>
    cost(armOf("hello", "hello", style, "single", {}, 1), style, style.callMs * 0.9),
  );
  const payload = styles.flatMap((style) =>
    payloadSizes.map((payloadBytes) =>
      cost(
        armOf("facade", "read-payload", style, "facade", { payloadBytes }, 1),
        style,
        style.callMs + (payloadBytes / 1024) * style.msPerKiB + (payloadBytes > 1448 ? 0.01 : 0),
      ),
    ),
  );
  return [...hello, ...facadeArms("read", 1), ...facadeArms("write", 1.12), ...payload];
}

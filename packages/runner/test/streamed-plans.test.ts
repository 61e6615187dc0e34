// Plans that stream: what is measured of a download and an upload, on stacks that carry them, and what is not made a plan of.
import { create, type Message } from "@bufbuild/protobuf";
import { type Client } from "@roundtrip/contract";
import { DownloadResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/payload_pb";
import { loadStack } from "@roundtrip/stacks";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { RunFacts, Samples } from "@roundtrip/runs";
import { armsOf } from "../src/study/planned-arm.ts";
import { type Step, type Study, type Task, sequentialPlan, linkDefaults, taskDefaults } from "../src/index.ts";
import { clientWith, prepared } from "./support/executions.ts";
import { shortRun, measureAndRead } from "./support/short-run.ts";

const service = "roundtrip.v1.PayloadService";
const sizeBytes = 3_900_000;
const chunkBytes = 65_536;
const download: Step = { operation: `${service}.Download`, request: { sizeBytes, chunkBytes }, needs: "serverStream" };
const upload: Step = {
  operation: `${service}.Upload`,
  request: {},
  needs: "clientStream",
  source: { field: "data", sizeBytes, chunkBytes },
};

function task(name: string, step: Step): Task {
  return {
    ...taskDefaults,
    name,
    factors: { payloadBytes: sizeBytes },
    variants: { streamed: sequentialPlan(step) },
    tasksPerRound: 4,
    tasksPerBlock: 2,
  };
}

const study: Study = {
  name: "bulk",
  title: "Bulk",
  question: "How long does a large payload take?",
  rounds: 1,
  tasks: [task("download", download), task("upload", upload)],
};

it("a download and an upload have arms on stacks that carry each, and no other", async () => {
  const stacks = await Promise.all(["grpc-js", "rest-express", "graphql-apollo", "floor"].map(loadStack));
  expect(
    armsOf([study], stacks)
      .map((arm) => `${arm.task} ${arm.stack}`)
      .toSorted(),
  ).toEqual([
    "download graphql-apollo",
    "download grpc-js",
    "download rest-express",
    "upload grpc-js",
    "upload rest-express",
  ]);
});

describe("a run of a download and an upload of 3.9 MB", () => {
  let facts: RunFacts;
  let samples: Samples;
  beforeAll(async () => {
    const options = await shortRun({
      stackNames: ["grpc-js", "rest-express"],
      studies: [study],
      rounds: 1,
      warmUpMs: 50,
    });
    ({ facts, samples } = await measureAndRead(options));
  });

  const rowsOf = (part: string) =>
    Array.from({ length: samples.length }, (_, row) => row).filter((row) =>
      facts.arms[samples.arm[row] ?? 0]?.id.includes(part),
    );

  it("has held their bytes against each other, and lost no call", () => {
    expect(facts).toMatchObject({ status: "complete", verification: { agreed: true, answerGroups: 2 } });
    expect(samples.outcomes).toEqual(["OK"]);
    expect(samples.length).toBe(4 * 4);
  });

  it("knows of each download when its first bytes came, and counts no pauses without a distance", () => {
    const rows = rowsOf("/download/");
    expect(rows).toHaveLength(8);
    for (const row of rows) {
      expect(samples.firstByteAtNs?.[row]).toBeGreaterThan(samples.startedAtNs[row] ?? Number.NaN);
      expect(samples.firstByteAtNs?.[row]).toBeLessThan(samples.endedAtNs[row] ?? Number.NaN);
      expect(samples.pauses?.[row]).toBe(0);
      expect(samples.responseBytes[row]).toBeGreaterThan(sizeBytes);
    }
  });

  it("knows nothing of the kind of an upload, whose pace the server sees", () => {
    for (const row of rowsOf("/upload/")) {
      expect(samples.firstByteAtNs?.[row]).toBeNaN();
      expect(samples.pauses?.[row]).toBeNaN();
      expect(samples.requestBytes[row]).toBeGreaterThan(sizeBytes);
    }
  });
});

/** A client whose downloads come at these times. */
function clientAt(timesMs: readonly number[]): Client {
  let nowMs = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  onTestFinished(() => clock.mockRestore());
  const answers = async function* (): AsyncGenerator<Message> {
    for (const time of timesMs) {
      nowMs = time;
      yield create(DownloadResponseSchema);
    }
  };
  return clientWith({ prepareStream: () => answers });
}

const plan = sequentialPlan(download);

describe("a stream of answers", () => {
  it.each([
    ["that comes evenly has no pause", [100, 110, 120], 10, [100, 0]],
    ["has a pause for each gap that is longer than a pause may be", [100, 111, 115, 140, 150], 10, [100, 2]],
    ["has no pause before its first message", [100], 10, [100, 0]],
    ["of nothing has no first message", [], 10, [Number.NaN, Number.NaN]],
    ["has no pauses where nobody says how long they are", [100, 9_000], undefined, [100, 0]],
  ] as const)("%s", async (_, timesMs, pauseMs, expected) => {
    const asked = pauseMs === undefined ? plan : { ...plan, pauseMs };
    const { execution, recorder } = prepared(clientAt(timesMs), asked);
    await execution.run(1);
    const { firstByteAtMs, pauses } = recorder.rows();
    expect([firstByteAtMs[0], pauses[0]]).toEqual(expected);
  });

  it("pauses for half a round trip of its arm's network, unless the plan says otherwise", async () => {
    const stacks = [await loadStack("grpc-js")];
    const link = { ...linkDefaults, rttMs: 50 };
    const pausesOf = (tasks: readonly Task[]) => armsOf([{ ...study, tasks }], stacks).map((arm) => arm.plan.pauseMs);
    const distant = { ...task("download", download), links: [link] };
    expect(pausesOf([task("download", download), distant])).toEqual([undefined, 25]);
    expect(pausesOf([{ ...distant, variants: { streamed: { ...plan, pauseMs: 7 } } }])).toEqual([7]);
  });
});

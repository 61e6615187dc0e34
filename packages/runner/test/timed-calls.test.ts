// What a call's record says, held against a server that notes itself when it had the request and sent the answer.
import { describe, expect, it } from "vitest";
import type { Plan, Step } from "../src/study/study.ts";
import { prepared } from "./support/executions.ts";
import { answerBytes, requestBytes, slowClient, slowServer, type Manner } from "./support/slow-server.ts";

const delayMs = 15;
const tasks = 3;

const hello: Step = { operation: "roundtrip.v1.HelloService.SayHello", request: { name: "World" } };
const download: Step = {
  operation: "roundtrip.v1.PayloadService.Download",
  request: { sizeBytes: 1, chunkBytes: 1 },
  needs: "serverStream",
};
const upload: Step = {
  operation: "roundtrip.v1.PayloadService.Upload",
  request: {},
  needs: "clientStream",
  source: { field: "data", sizeBytes: 1, chunkBytes: 1 },
};

function planOf(order: Plan["order"], ...steps: readonly Step[]): Plan {
  return { order, driver: "own", steps };
}

/** Runs a plan, and gives back what was noted and what the server saw. */
async function measured(plan: Plan, manner: Manner) {
  await using server = await slowServer(delayMs, manner);
  const client = slowClient(server);
  const { execution, recorder, outcomes } = prepared(client, plan);
  await execution.run(tasks);
  await client.close();
  return { rows: recorder.rows(), outcomes, served: server.served };
}

describe("a call's record", () => {
  it.each([
    ["of one call after the other", planOf("sequential", hello), "keeps"],
    ["of calls that each open a connection", planOf("sequential", hello), "closes"],
    ["of calls that fail", planOf("sequential", hello), "fails"],
    ["of several requests in one exchange", planOf("together", hello, hello), "keeps"],
    ["of requests in turn", planOf("sequential", { ...hello, inTurn: [{ name: "a" }, { name: "b" }] }), "keeps"],
    ["of a stream of answers", planOf("sequential", download), "keeps"],
    ["of a stream of requests", planOf("sequential", upload), "keeps"],
    ["of calls at once, each by the answer of its own", planOf("parallel", hello, hello), "keeps"],
  ] as const)("%s begins before the server has the request and ends after it has answered", async (_, plan, manner) => {
    const { rows, outcomes, served } = await measured(plan, manner);
    const isParallel = plan.order === "parallel";
    expect(rows.task).toHaveLength(tasks * (isParallel ? 2 : 1));
    expect(served).toHaveLength(rows.task.length);
    rows.endedAtMs.forEach((endedAtMs, row) => {
      const { receivedAtMs = Number.NaN, answeredAtMs = Number.NaN } = served[row] ?? {};
      expect(rows.startedAtMs[row]).toBeLessThanOrEqual(receivedAtMs);
      expect(endedAtMs).toBeGreaterThanOrEqual(answeredAtMs);
      // A timer may come up to a millisecond early.
      expect(endedAtMs - (rows.startedAtMs[row] ?? Number.NaN)).toBeGreaterThanOrEqual(delayMs - 1);
    });
    expect(
      [...rows.outcome].every((outcome) => outcomes[outcome] === (manner === "fails" ? "UNAVAILABLE" : "OK")),
    ).toBe(true);
  });

  it.each(["keeps", "closes"] as const)(
    "has the bytes of its own call where the server %s its connection",
    async (manner) => {
      const { rows } = await measured(planOf("sequential", hello), manner);
      expect([...rows.requestBytes]).toEqual(Array(tasks).fill(requestBytes));
      expect([...rows.responseBytes]).toEqual(Array(tasks).fill(answerBytes));
    },
  );
});

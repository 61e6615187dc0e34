// One plan for every style: callers see the same fault over each, and the log records the same.
import { CallError, typedClient } from "@roundtrip/contract";
import { HelloService } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { PayloadService } from "@roundtrip/contract/gen/roundtrip/v1/payload_pb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noFaults, type Fault, type FaultPlan } from "../../src/faults/fault-schema.ts";
import { startFake, type StartedFake } from "../../src/fake/start-fake.ts";
import { always, contract } from "./support/answering.ts";

const styles = ["grpc-js", "rest-express", "graphql-apollo", "memory"];

const busy = {
  error: {
    code: "RESOURCE_EXHAUSTED",
    message: "too many",
    details: { reason: "BUSY", domain: "example.com", metadata: { queue: "7" }, violations: [] },
  },
} as const satisfies Fault;

const cuts = { drop: { drop: true }, truncate: { truncate: true } } as const satisfies Record<string, Fault>;

let fake: StartedFake;
beforeAll(async () => {
  fake = await startFake(contract, { tls: true });
});
afterAll(() => fake.close());

/** The number of messages of a stream, and how it ended. */
async function readAll(messages: AsyncIterable<unknown>): Promise<readonly [count: number, code: string]> {
  let count = 0;
  try {
    for await (const _ of messages) count += 1;
  } catch (thrown) {
    return [count, CallError.from(thrown).code];
  }
  return [count, "OK"];
}

/** A slow upload. */
async function* chunks(): AsyncGenerator<{ readonly data: Uint8Array }> {
  for (let index = 0; index < 100; index += 1) {
    await new Promise(setImmediate);
    yield { data: new Uint8Array(10_000) };
  }
}

describe.each(styles)("over %s, with TLS if there is a connection,", (style) => {
  const clientsWith = async (faults: FaultPlan) => {
    await fake.replace({ faults });
    const session = fake.session(style);
    session.reset();
    const client = await session.connect(style);
    return {
      session,
      hello: typedClient(HelloService, client),
      payload: typedClient(PayloadService, client),
    };
  };

  it("passes an error with its code, message and details", async () => {
    const { hello, session } = await clientsWith(always(busy));
    await expect(hello.sayHello({ name: "Ada" })).rejects.toMatchObject({
      code: "RESOURCE_EXHAUSTED",
      message: "too many",
      details: busy.error.details,
    });
    expect(session.log.records).toMatchObject([{ outcome: "RESOURCE_EXHAUSTED", message: "too many", responses: [] }]);
  });

  it.each(["drop", "truncate"] as const)(
    "a call whose connection breaks is UNAVAILABLE, to the log too: %s",
    async (kind) => {
      const { hello, session } = await clientsWith(always(cuts[kind], "SayHello"));
      await expect(hello.sayHello({ name: "Ada" })).rejects.toMatchObject({ code: "UNAVAILABLE" });
      expect(session.log.records).toMatchObject([{ outcome: "UNAVAILABLE", responses: [] }]);
    },
  );

  it("delivers only complete messages of a truncated stream", async () => {
    const { payload } = await clientsWith(always({ truncate: true }, "Download"));
    const [count, code] = await readAll(payload.download({ sizeBytes: 3_000, chunkBytes: 1_000 }));
    // Over REST this stream is plain bytes, so the beginning of the second message arrives too.
    expect(count).toBeLessThanOrEqual(style === "rest-express" ? 2 : 1);
    expect(code).toBe("UNAVAILABLE");
  });

  it("delivers all messages of a slow stream", async () => {
    const between = { uniform: { fromMs: 1, toMs: 2 } } as const;
    const request = { sizeBytes: 3_000, chunkBytes: 1_000 };
    const quick = await clientsWith(noFaults);
    const [count] = await readAll(quick.payload.download(request));
    const { payload } = await clientsWith(always({ "slow-stream": between }, "Download"));
    expect(await readAll(payload.download(request))).toEqual([count, "OK"]);
    expect(count).toBeGreaterThan(1);
  });

  it("ends latency beyond the deadline with DEADLINE_EXCEEDED, and a cancelled call with CANCELLED", async () => {
    const { hello } = await clientsWith({
      latencies: [{ operation: "*", ms: 3_600_000 }],
    });
    await expect(hello.sayHello({ name: "Ada" }, { timeoutMs: 50 })).rejects.toMatchObject({
      code: "DEADLINE_EXCEEDED",
    });
    const signal = AbortSignal.timeout(50);
    await expect(hello.sayHello({ name: "Ada" }, { signal })).rejects.toMatchObject({ code: "CANCELLED" });
  });
});

it("affects a call equally over every style", async () => {
  await fake.replace({ faults: { faults: [{ operation: "*", probability: 0.5, ...busy }] } });
  const outcomes = async (style: string): Promise<readonly string[]> => {
    const hello = typedClient(HelloService, await fake.session(`same ${style}`).connect(style));
    const names = Array.from({ length: 20 }, (_, index) => `${index % 10}`);
    const all: string[] = [];
    for (const name of names)
      all.push(
        await hello.sayHello({ name }).then(
          () => "OK",
          ({ code }: CallError) => code,
        ),
      );
    return all;
  };
  const [first, ...others] = await Promise.all(styles.map(outcomes));
  expect(new Set(first)).toEqual(new Set(["OK", "RESOURCE_EXHAUSTED"]));
  for (const outcomesOfStyle of others) expect(outcomesOfStyle).toEqual(first);
});

it.each(["grpc-js", "rest-express", "memory"])(
  "an upload that is under way is UNAVAILABLE when its connection breaks, over %s",
  async (style) => {
    for (const kind of ["drop", "truncate"] as const) {
      await fake.replace({ faults: always(cuts[kind], "Upload") });
      const payload = typedClient(PayloadService, await fake.session(`upload ${kind}`).connect(style));
      await expect(payload.upload(chunks())).rejects.toMatchObject({ code: "UNAVAILABLE" });
    }
  },
);

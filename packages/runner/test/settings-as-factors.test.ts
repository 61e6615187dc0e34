// Settings of stacks as factors: which arms there are, and that what is set reaches the processes that it is for.
import { loadStack, type Stack } from "@roundtrip/stacks";
import { beforeAll, describe, expect, it } from "vitest";
import { armsOf } from "../src/study/planned-arm.ts";
import { configurationsOf, mostConfigurations } from "../src/study/configuration.ts";
import { sequentialPlan } from "../src/index.ts";
import { shortRun, shortStudies, measureWhole } from "./support/short-run.ts";
import { linkDefaults } from "../src/study/link-settings.ts";

let grpc: Stack;
let rest: Stack;
beforeAll(async () => {
  [grpc, rest] = await Promise.all([loadStack("grpc-js"), loadStack("rest-express")]);
});

const compressions = { requestCompression: ["identity", "gzip"] };

describe("a stack", () => {
  it("has all combinations of the levels of its settings, each once", () => {
    const levels = { ...compressions, maxConcurrentStreams: [1, 100, 1] };
    expect(configurationsOf(grpc, levels, false).map(({ id }) => id)).toEqual([
      "grpc-js/maxConcurrentStreams=1/requestCompression=identity",
      "grpc-js/maxConcurrentStreams=1/requestCompression=gzip",
      "grpc-js/maxConcurrentStreams=100/requestCompression=identity",
      "grpc-js/maxConcurrentStreams=100/requestCompression=gzip",
    ]);
  });

  it.each([
    ["flowControlWindowBytes", 100_000, "the server too"],
    ["maxConcurrentStreams", 7, "the server"],
  ])("refuses %s for a server that runs already", (name, value, whose) => {
    expect(() => configurationsOf(grpc, { [name]: [value] }, true)).toThrow(
      `grpc-js.${name} is a setting of ${whose}, and a target or command has its own; what can be set on its client alone: newConnectionPerCall, requestCompression, localSubchannelPool`,
    );
    expect(configurationsOf(grpc, compressions, true)).toHaveLength(2);
  });

  it("is measured in so many configurations and no more", () => {
    const windows = Array.from({ length: mostConfigurations }, (_, index) => 65_535 + index);
    expect(configurationsOf(grpc, { flowControlWindowBytes: windows }, false)).toHaveLength(mostConfigurations);
    expect(() => configurationsOf(grpc, { ...compressions, flowControlWindowBytes: windows }, false)).toThrow(
      `grpc-js would be measured with ${2 * mostConfigurations} combinations of its settings; at most ${mostConfigurations} are`,
    );
  });

  it("is measured over several networks, or plain and with TLS, sixteen times and no more", () => {
    const windows = Array.from({ length: mostConfigurations }, (_, index) => 65_535 + index);
    const overNetworks = (count: number, networks: number) =>
      configurationsOf(grpc, { flowControlWindowBytes: windows.slice(0, count) }, false, {
        links: Array.from({ length: networks }, (_, index) => ({ ...linkDefaults, rttMs: index })),
      });
    expect(overNetworks(3, 5)).toHaveLength(15);
    expect(() => overNetworks(3, 6)).toThrow("grpc-js would be measured 18 times, in each configuration over each");
    expect(configurationsOf(grpc, { flowControlWindowBytes: windows }, false, { tls: [false, true] })).toHaveLength(16);
  });
});

describe("an arm", () => {
  it("is there for each level, with the setting as a factor, in its id and in its name", async () => {
    const arms = armsOf(shortStudies({ factors: { size: 1 } }), [grpc, rest], {
      targets: [],
      links: {},
      usualLink: undefined,
      tls: false,
      settings: { "grpc-js": compressions },
    });
    expect(arms.map(({ id, title, factors }) => [id, title, factors])).toEqual([
      ...["identity", "gzip"].flatMap((requestCompression) =>
        ["single", "double"].map((variant) => [
          `short/hello/grpc-js/${variant}/size=1/requestCompression=${requestCompression}`,
          `gRPC (requestCompression=${requestCompression})`,
          { size: 1, requestCompression },
        ]),
      ),
      ["short/hello/rest-express/single/size=1", "REST", { size: 1 }],
      ["short/hello/rest-express/double/size=1", "REST", { size: 1 }],
    ]);
    // All do the same work, so all have to answer alike.
    expect(new Set(arms.map(({ answerKey }) => answerKey)).size).toBe(1);
  });

  it("has the levels that its study gives, unless the run gives others for that setting", async () => {
    const settings = { ...compressions, keepAliveMs: [0, 1000] };
    const given = {
      targets: [],
      links: {},
      usualLink: undefined,
      tls: false,
      settings: { "grpc-js": { keepAliveMs: [5] } },
    };
    const arms = armsOf(shortStudies({ settings }), [grpc], given);
    expect([...new Set(arms.map(({ configuration }) => configuration.id))]).toEqual([
      "grpc-js/keepAliveMs=5/requestCompression=identity",
      "grpc-js/keepAliveMs=5/requestCompression=gzip",
    ]);
  });
});

it("what is set reaches the client: compressed requests are fewer bytes, in processes of their own", async () => {
  const customer = { id: 1, address: "Prins Hendrikkade 33-III ".repeat(400) };
  const step = {
    operation: "roundtrip.v1.CustomerService.UpdateCustomer",
    request: { customer, updateMask: "address" },
  };
  const studies = shortStudies({
    variants: { single: sequentialPlan(step) },
    answerKeys: ["address"],
  });
  const options = await shortRun({ studies, stackNames: ["grpc-js"], rounds: 1 });
  const facts = await measureWhole({ ...options, settings: { "grpc-js": compressions } });

  const [identity, gzip] = ["identity", "gzip"].map((level) => {
    const blocks = facts.blocks.filter(({ armId }) => armId.endsWith(`requestCompression=${level}`));
    return blocks.reduce((sum, { wireBytes }) => sum + (wireBytes ?? 0), 0);
  });
  // The answer holds the 10,000 bytes again, and is never compressed.
  expect(identity).toBeGreaterThan(20 * 20_000);
  expect(gzip).toBeLessThan(20 * 11_000);
  expect(new Set(facts.warmUps.map(({ settings }) => settings?.["requestCompression"]))).toEqual(
    new Set(["gzip", "identity"]),
  );
  expect(facts.firstCalls).toHaveLength(2);
  expect(facts.arms[1]).toMatchObject({
    factors: { requestCompression: "gzip" },
    settingDefaults: { requestCompression: "identity" },
  });
  expect(facts.environment.settings?.["grpc-js"]).toMatchObject({ requestCompression: "identity", keepAliveMs: 0 });
});

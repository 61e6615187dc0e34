// Which stacks a run measures each of its studies on.
import { studyNames } from "@roundtrip/bench";
import { armsOf } from "@roundtrip/runner/parts";
import { defaultStackNames } from "@roundtrip/stacks";
import { Command } from "commander";
import { expect, it } from "vitest";
import { askedFor, type BenchFlags } from "../src/bench/bench-plan.ts";

const usual = defaultStackNames().filter((name) => name !== "floor");
const flags = {
  engine: { name: "node", instances: 1 },
  tls: false,
  json: false,
  quiet: false,
  full: false,
} as unknown as BenchFlags;

async function stacksByStudy(names: readonly string[], typed: Partial<BenchFlags> = {}) {
  const { named, stacks } = await askedFor(names, { ...flags, ...typed }, new Command());
  const arms = armsOf(named, stacks).filter(({ role }) => role === "style");
  return Object.fromEntries(
    [...Map.groupBy(arms, ({ study }) => study)].map(([study, ofStudy]) => [
      study,
      [...new Set(ofStudy.map(({ stack }) => stack))].toSorted(),
    ]),
  );
}

it("measures each study on its own stacks, whichever others run beside it", async () => {
  expect(await stacksByStudy(["compression", "streaming", "hello"])).toEqual({
    compression: ["graphql-mercurius", "grpc-node-http2", "rest-fastify"],
    streaming: ["connect-node", "graphql-apollo", "grpc-js", "rest-express"],
    hello: usual.toSorted(),
  });
});

it("measures all studies on stacks that are typed", async () => {
  const rest = ["rest-express"];
  expect(await stacksByStudy(["compression", "hello"], { stack: rest })).toEqual({ compression: rest, hello: rest });
});

it("measures all studies that judge a publication's claims if asked to, however long they take", async () => {
  const studiesOf = async (names: readonly string[], full: boolean): Promise<readonly string[]> =>
    (await askedFor(names, { ...flags, full }, new Command())).named.map(({ name }) => name);
  const usual2015 = await studiesOf(["paper:2015"], false);
  expect(usual2015).not.toContain("load-rows");
  expect(await studiesOf(["paper:2015"], true)).toEqual([...usual2015, "load-rows", "load-threads"]);
  expect(await studiesOf(["paper:2010", "hello"], true)).toEqual(expect.arrayContaining(["facade", "hello"]));
  const other = askedFor(["hello"], { ...flags, full: true }, new Command());
  await expect(other).rejects.toThrow("--full is for publications: name one of paper:1996");
});

it("measures a study of the user's own on the default stacks", async () => {
  const { stacks } = await askedFor(
    [],
    { ...flags, operations: ["roundtrip.v1.HelloService.SayHello"] },
    new Command(),
  );
  expect(stacks.filter(({ role }) => role === "style").map(({ name }) => name)).toEqual(usual);
});

it("calls in process belong to hello, the façade, and work that is near or far", async () => {
  const names = studyNames().filter((name) => !name.startsWith("libraries"));
  const { named, stacks } = await askedFor(names, flags, new Command());
  const inProcess = armsOf(named, stacks).filter(({ role }) => role === "in-process");
  expect(new Set(inProcess.map(({ study }) => study))).toEqual(new Set(["facade", "hello", "near-or-far"]));
  const { stacks: without } = await askedFor(["compression"], flags, new Command());
  expect(without.map(({ role }) => role)).toEqual(["style", "style", "style", "floor"]);
});

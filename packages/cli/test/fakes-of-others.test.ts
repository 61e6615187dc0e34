// Fakes of contracts that nobody here wrote: up over every style, conforming, and answering alike.
import { create, toJson, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { startFake, type StartedFake } from "@roundtrip/fakes";
import type { Operation } from "@roundtrip/contract";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadContractFrom, type LoadedContract } from "../src/contract/contract-source.ts";

const fixtures = fileURLToPath(new URL("../../contract/test/fixtures/", import.meta.url));
const styles = ["graphql-apollo", "grpc-js", "rest-express"] as const;

const texts: Readonly<Record<string, string>> = { channel: "channels/one", name: "lease-1" };

/** A request with a name in each field of text: of what a fake has from the start, where it keeps such. */
function named({ input }: Operation): Message {
  const request = reflect(input, create(input));
  for (const field of input.fields) {
    if (field.fieldKind === "scalar") request.set(field, texts[field.name] ?? "one");
  }
  return request.message;
}

describe.each(["kubernetes", "events"])("a fake of %s", (name) => {
  const path = `${fixtures}${name}`;
  let loaded: LoadedContract;
  let fake: StartedFake;
  beforeAll(async () => {
    loaded = await loadContractFrom([path]);
    fake = await startFake(loaded.contract);
  });
  afterAll(async () => {
    await fake[Symbol.asyncDispose]();
    await loaded[Symbol.asyncDispose]();
  });

  it("answers what is read alike over every style", async () => {
    const reads = loaded.contract.operations.filter(
      ({ kind, sideEffects }) => kind === "unary" && sideEffects === "none",
    );
    expect(reads).not.toEqual([]);
    const clients = await Promise.all(styles.map((stack) => fake.connect(stack)));
    for (const operation of reads) {
      const { registry } = loaded.contract;
      // oxlint-disable-next-line no-await-in-loop -- one operation after the other: a difference is that of one
      const answers = await Promise.all(clients.map((client) => client.prepare(operation)(named(operation))));
      const [first, ...others] = answers.map((answer) => toJson(operation.output, answer, { registry }));
      expect(Object.keys(first as object)).not.toEqual([]);
      for (const other of others) expect(other).toEqual(first);
    }
    await Promise.all(clients.map((client) => client.close()));
  });
});

// What happens when one style cannot serve what the others can: all serve what they did before.
import { builtInContract } from "@roundtrip/contract";
import { noFaults, type ServedFake } from "@roundtrip/fakes";
import { standaloneFake } from "@roundtrip/fakes/standalone";
import { expect, it } from "vitest";
import { applyToAllServers } from "../src/fake/served-fake.ts";

it("a contract that one style refuses is served on none, and the fake does not change", async () => {
  const contract = builtInContract();
  const other = { ...contract, operations: contract.operations.slice(0, 1) };
  const stub = { operation: "SayHello", "made-up": true as const };
  const standalone = standaloneFake({ contract, stubs: [stub], faults: noFaults });
  const served: ServedFake = {
    urls: {},
    shared: undefined,
    start: () => Promise.resolve(),
    replace: (service) => (service.contract === other ? Promise.reject(new Error("refused")) : Promise.resolve()),
    close: () => Promise.resolve(),
  };
  await expect(applyToAllServers({ contract: other, stubs: [] }, standalone, served)).rejects.toThrow("refused");
  expect(standalone.fake.contract).toBe(contract);
  expect(standalone.stubs.all).toMatchObject([{ origin: "file", stub }]);
});

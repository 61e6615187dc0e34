// The data of public contracts.
import { expect, it } from "vitest";
import { publicContracts } from "../../.ci/contracts/public-contracts.ts";

it("every public contract has a name of its own, a fixed version, and imports from packages that it lists", () => {
  expect(publicContracts.length).toBeGreaterThanOrEqual(20);
  expect(new Set(publicContracts.map(({ name }) => name)).size).toBe(publicContracts.length);
  for (const { packages, imports, mounted } of publicContracts) {
    for (const { version } of packages) expect(version).toMatch(/^v?\d+\.\d+/);
    for (const index of [...imports.map((one) => Number(one.split(":")[0])), ...Object.values(mounted)]) {
      expect(packages[index]).toBeDefined();
    }
  }
});

// The service of a measured server process without a real service: made-up answers without sessions or a log, so that the measured time is
// mostly the stack's.
import type { Contract, Service } from "@roundtrip/contract";
import { generatedService } from "./generated/generated-service.ts";
import { fakeDefaults } from "./fake/fake-options.ts";

/** The same answers in every process and every run. */
export function measuredFake(contract: Contract): Service {
  return generatedService(contract, fakeDefaults.seed);
}

// What a measured server process answers with where there is no real service: answers that are made up, without sessions and without a log, so that
// little but the stack's work is measured.
import type { Contract, Service } from "@roundtrip/contract";
import { generatedService } from "./generated/generated-service.ts";
import { fakeDefaults } from "./fake/fake-options.ts";

/** The same answers in every process and every run. */
export function measuredFake(contract: Contract): Service {
  return generatedService(contract, fakeDefaults.seed);
}

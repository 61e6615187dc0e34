// What measures of this project serve: the built-in contract, plain and with all settings at their defaults.
import { serveDefaults } from "@roundtrip/stacks";
import { usualAnswerLimitMs, type ContractSource, type ServiceSource } from "@roundtrip/runner";
import { noLinks, type PairSettings } from "@roundtrip/runner/parts";
import type { ServerStart } from "@roundtrip/runner/measured-process";

const contract: ContractSource = { kind: "built-in" };

/** The contract, and the real service behind it. */
export const realThing = {
  contract,
  service: { module: import.meta.resolve("@roundtrip/service"), factory: "realService" },
} as const satisfies { readonly contract: ContractSource; readonly service: ServiceSource };

/** What pairs of processes are started with, in the clear and without a network between them. */
export const plainly: PairSettings = {
  ...realThing,
  tls: false,
  certificate: undefined,
  targets: [],
  links: noLinks,
  answerLimitMs: usualAnswerLimitMs,
};

/** Asks a server process to serve a stack. @param service the real one unless a measure has one of its own. */
export function serverStart(stack: string, service: ServiceSource = realThing.service): ServerStart {
  return {
    ask: "start",
    stack,
    host: serveDefaults.host,
    settings: {},
    contract,
    service,
    services: {},
    tls: undefined,
  };
}

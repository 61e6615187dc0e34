// The usual contract and service of measures: the built-in ones, unencrypted and with default settings.
import { serveDefaults } from "@roundtrip/stacks";
import { usualAnswerLimitMs, type ContractSource, type ServiceSource } from "@roundtrip/runner";
import { noLinks, type PairSettings } from "@roundtrip/runner/parts";
import type { ServerStart } from "@roundtrip/runner/measured-process";

const contract: ContractSource = { kind: "built-in" };

export const realContractAndService = {
  contract,
  service: { module: import.meta.resolve("@roundtrip/service"), factory: "realService" },
} as const satisfies { readonly contract: ContractSource; readonly service: ServiceSource };

/** The settings of process pairs without TLS and without an emulated network. */
export const plaintextPairSettings: PairSettings = {
  ...realContractAndService,
  tls: false,
  certificate: undefined,
  targets: [],
  links: noLinks,
  answerLimitMs: usualAnswerLimitMs,
};

/** Asks a server process to serve a stack. @param service the real one by default. */
export function serverStart(stack: string, service: ServiceSource = realContractAndService.service): ServerStart {
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

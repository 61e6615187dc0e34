// The default stack of each style keeps the contract: the conformance suite over real sockets. `.ci/full` runs it on every stack, and over TLS.
import { builtInContract } from "@roundtrip/contract";
import { conformanceCases, defaultCaseLimitMs, localSubject, runConformance } from "@roundtrip/conformance";
import { realService } from "@roundtrip/service";
import { expect, it } from "vitest";
import {
  loadStack,
  type LocalStack,
  localStack,
  openSharedPort,
  serveDefaults,
  serveOn,
  type Settings,
  stackNames,
} from "../src/index.ts";
import { defaultStacks, soapStack } from "./support/pair.ts";

const contract = builtInContract();

it("every stack declares deviations of cases that exist, each with a reason", async () => {
  const ids = new Set(conformanceCases.map(({ id }) => id));
  const stacks = await Promise.all(stackNames().map((name) => loadStack(name)));
  const wrong = stacks.flatMap(({ name, deviations }) =>
    deviations
      .filter(({ caseId, reason }) => !ids.has(caseId) || reason === "")
      .map(({ caseId }) => `${name}: ${caseId}`),
  );
  expect(wrong).toEqual([]);
});

const subjects = [
  ...defaultStacks().map(({ name }) => ({ name, settings: {} as Settings })),
  { name: soapStack, settings: { soapVersion: "1.2" } },
];

/** The stack on a port that it could share. */
async function onSharedPort(name: string): Promise<LocalStack> {
  const stack = await localStack(name, undefined);
  return {
    ...stack,
    async serve(service, given) {
      const options = { ...serveDefaults, ...given };
      const port = await openSharedPort(options, () => service.contract);
      const served = await serveOn(port, name, service, options);
      port.begin();
      return served;
    },
  };
}

/** HTTP/1.1 is the same for all others. */
const sharing: readonly { readonly name: string; readonly settings: Settings }[] = [
  { name: "rest-express", settings: {} },
  { name: "graphql-apollo", settings: {} },
  { name: "grpc-node-http2", settings: {} },
  { name: "connect-node", settings: {} },
  { name: "connect-node", settings: { http: "2" } },
];

const runs = [
  ...subjects.map((subject) => ({ ...subject, port: "its own port", open: () => localStack(subject.name, undefined) })),
  ...sharing.map((subject) => ({ ...subject, port: "a shared port", open: () => onSharedPort(subject.name) })),
];

it.each(runs)("$name with $settings on $port", async ({ settings, open }) => {
  const stack = await open();
  const results = await runConformance({
    contract,
    subject: localSubject({
      ...stack,
      // Declared for Connect's default.
      limitations: stack.limitations.filter(({ feature }) => feature !== "bidiStream" || settings["http"] !== "2"),
      connect: (called, url, options) => stack.connect(called, url, { ...options, settings }),
      service: realService(contract),
    }),
    cases: conformanceCases,
    caseLimitMs: defaultCaseLimitMs,
    onResult: () => undefined,
  });
  const levels = new Map(conformanceCases.map(({ id, level }) => [id, level]));
  // SHOULD is advice, and a skip says what the stack declares that it cannot do.
  const failed = results.filter(({ caseId, status }) => status === "fail" && levels.get(caseId) !== "SHOULD");
  expect(failed.map(({ caseId, detail }) => `${caseId}: ${detail}`)).toEqual([]);
  expect(results).toHaveLength(conformanceCases.length);
});

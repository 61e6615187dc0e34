// The default stack of each style keeps the contract: the conformance suite over real sockets. `.ci/full` runs it on every stack, over TLS, and on a shared
// port.
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
import { coversAll, defaultStacks } from "./support/pair.ts";

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

interface Run {
  readonly name: string;
  readonly settings: Settings;
  readonly port: "its own port" | "a shared port";
}

const usual = defaultStacks().map(({ name }): Run => ({ name, settings: {}, port: "its own port" }));

/** What repeats most of these: the newer SOAP, and a shared port over both versions of HTTP. */
const others: readonly Run[] = [
  { name: "rest-express", settings: {}, port: "a shared port" },
  { name: "grpc-node-http2", settings: {}, port: "a shared port" },
  { name: "soap-node-http", settings: { soapVersion: "1.2" }, port: "its own port" },
  { name: "graphql-apollo", settings: {}, port: "a shared port" },
  { name: "connect-node", settings: {}, port: "a shared port" },
  { name: "connect-node", settings: { http: "2" }, port: "a shared port" },
];

it.each(coversAll ? others : usual)("$name with $settings on $port", async ({ name, settings, port }) => {
  const stack = await (port === "a shared port" ? onSharedPort(name) : localStack(name, undefined));
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

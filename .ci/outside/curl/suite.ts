// The curl suite: calls as typed by a person, each in its own process. The order of the lists matters: some create what later calls read.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding, SuiteEnvironment, Suite } from "../suite.ts";
import type { CurlCall } from "./call.ts";
import { graphqlCalls } from "./graphql.ts";
import { grpcCalls } from "./grpc.ts";
import { restCalls } from "./rest.ts";

const largeBytes = 16 * 1024 * 1024;

const calls: readonly CurlCall[] = [...restCalls, ...graphqlCalls, ...grpcCalls];

interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

function headersIn(dump: string): ReadonlyMap<string, string> {
  const lines = dump.slice(dump.lastIndexOf("HTTP/")).split("\r\n");
  return new Map(
    lines
      .filter((line) => /^[\w-]+:/.test(line))
      .map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
}

function answerOf(call: CurlCall, environment: SuiteEnvironment): Answer {
  const [head, body] = [join(environment.directory, "head"), join(environment.directory, "body")];
  writeFileSync(body, "");
  const keep = ["--silent", "--show-error", "--max-time", "20", "--dump-header", head, "--output", body];
  const words = call.arguments.map((word) => word.replaceAll("$URL", environment.url(call.style)));
  const status = execFileSync("curl", [...keep, "--write-out", "%{http_code}", ...words], {
    cwd: environment.directory,
    input: Buffer.from(call.input, "hex"),
    encoding: "utf8",
  });
  // With --head, curl writes the headers as the body.
  const text = call.arguments.includes("--head") ? "" : readFileSync(body, "latin1");
  return { status: Number(status), headers: headersIn(readFileSync(head, "latin1")), body: text };
}

function faultsOf(call: CurlCall, { status, headers, body }: Answer): string[] {
  return [
    ...(status === call.status ? [] : [`status ${status}, not ${call.status}`]),
    ...Object.entries(call.headers).flatMap(([name, pattern]) => {
      const value = headers.get(name);
      const matches = value !== undefined && new RegExp(`^(?:${pattern.source})$`).test(value);
      return matches ? [] : [`${name} is ${value ?? "absent"}, not ${pattern.source}`];
    }),
    ...(call.body.test(body) ? [] : [`the body is ${JSON.stringify(body.slice(0, 200))}, not ${call.body.source}`]),
  ];
}

export const suite: Suite = {
  about: "calls as a person types them, over every style",
  styles: ["rest", "graphql", "grpc"],
  tools: ["curl"],
  allowed: [],
  size: calls.length,
  run(environment) {
    writeFileSync(join(environment.directory, "large"), Buffer.alloc(largeBytes, " "));
    const findings = calls.flatMap((call): Finding[] => {
      const faults = faultsOf(call, answerOf(call, environment));
      return faults.length === 0 ? [] : [{ id: call.id, text: `${call.about}, but ${faults.join("; ")}` }];
    });
    const [program = ""] = execFileSync("curl", ["--version"], { encoding: "utf8" }).split(" (", 1);
    return Promise.resolve({
      program,
      unit: "calls",
      checked: calls.length,
      passed: calls.length - findings.length,
      findings,
    });
  },
};

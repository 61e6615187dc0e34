// curl: calls as a person types them, one style after the other, each in a process of its own and in the order of the lists, which
// create what later calls find.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding, Stand, Suite } from "../suite.ts";
import { allowed } from "./allowed.ts";
import type { CurlCall } from "./call.ts";
import { graphqlCalls } from "./graphql.ts";
import { grpcCalls } from "./grpc.ts";
import { restCalls } from "./rest.ts";

/** Larger than the largest message that a server takes. */
const largeBytes = 16 * 1024 * 1024;

const calls: readonly CurlCall[] = [...restCalls, ...graphqlCalls, ...grpcCalls];

interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** The last answer in what curl wrote down of heads, its trailers among the headers. */
function headersIn(dump: string): ReadonlyMap<string, string> {
  const lines = dump.slice(dump.lastIndexOf("HTTP/")).split("\r\n");
  return new Map(
    lines
      .filter((line) => /^[\w-]+:/.test(line))
      .map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
}

function answerOf(call: CurlCall, stand: Stand): Answer {
  const [head, body] = [join(stand.directory, "head"), join(stand.directory, "body")];
  writeFileSync(body, "");
  const keep = ["--silent", "--show-error", "--max-time", "20", "--dump-header", head, "--output", body];
  const words = call.arguments.map((word) => word.replaceAll("$URL", stand.url(call.style)));
  const status = execFileSync("curl", [...keep, "--write-out", "%{http_code}", ...words], {
    cwd: stand.directory,
    input: Buffer.from(call.input, "hex"),
    encoding: "utf8",
  });
  // --head has curl write the head where the body belongs.
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
  allowed,
  size: calls.length,
  run(stand) {
    writeFileSync(join(stand.directory, "large"), Buffer.alloc(largeBytes, " "));
    const findings = calls.flatMap((call): Finding[] => {
      const faults = faultsOf(call, answerOf(call, stand));
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

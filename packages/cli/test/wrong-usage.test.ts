// What a user can get wrong on the command line: one line that says what, and what to do instead.
import { studyGroups, studyNames } from "@roundtrip/bench";
import { allStacks } from "@roundtrip/stacks";
import { describe, expect, it } from "vitest";
import { run } from "./support/shared-program.ts";

const see = (command: string): string => `(see roundtrip ${command} --help)`;
const studies = [...studyNames(), ...studyGroups().keys()];
const targets = [...new Set(allStacks().flatMap(({ style, name }) => [style, name]))];

const mistakes: readonly (readonly [commandLine: string, message: string])[] = [
  ["benhc", 'unknown command "benhc"; did you mean "bench"? (see roundtrip --help)'],
  ["bench --ronds 3", `unknown flag "--ronds"; did you mean "--rounds"? ${see("bench")}`],
  ["bench helo", `unknown study "helo"; did you mean "hello"? (valid: ${studies.join(", ")})`],
  ["bench --rounds three", `--rounds must be a whole number from 1 to 1000, got "three" ${see("bench")}`],
  [
    "bench --budget 60",
    `--budget must be a duration above 0 with its unit, such as 60s, 2m or 500ms, got "60" ${see("bench")}`,
  ],
  ["bench load --load p99=0.5ms", "--load p99 must be from 1ms to 10s, got 0.5ms"],
  ["bench hello --load p99=20ms", "--load p99 is for studies that search what load a style carries: load-calls"],
  [
    "bench load --load p90=20ms",
    `--load "p90=20ms": unknown key "p90"; did you mean "p99"? (valid: callers, think, rate, p99) ${see("bench")}`,
  ],
  ["bench --engine jmeter", `--engine "jmeter": unknown engine (valid: node, k6) ${see("bench")}`],
  ["bench hello --engine k6 --import a.json", "--import takes the studies of its plan: leave hello out"],
  ["bench --engine k6 --tls", "--engine k6 calls without TLS: leave --tls out"],
  ["bench --import nowhere/results.json", "cannot read the plan nowhere/plan.json: no such file or directory"],
  ["bench --warm-up 2m --budget 2m", "--warm-up is as long as the whole --budget; give it a larger one"],
  [
    "bench --link kernl",
    `--link "kernl": unknown link "kernl"; did you mean "kernel"? (valid: auto, kernel, loopback, relay) ${see("bench")}`,
  ],
  ["bench --link rtt=1,-1", `--link "rtt=1,-1": rtt must be numbers of ms, got "-1" ${see("bench")}`],
  ["bench --link window=2g", `--link "window=2g": window must be bytes such as 64k or 1m, got "2g" ${see("bench")}`],
  ["bench --link rtt=5000", "a link's rttMs must be 0 to 3000, got 5000"],
  [
    "bench --link window=1m,window-scaling=off",
    "a window of 1048576 bytes needs window scaling: without, it is 64 KB at most",
  ],
  [
    "bench --link rtt=1,2,3,4,5,loss=0,1,2,3",
    "floor would be measured 20 times, in each configuration over each network, plain or TLS; at most 16 are, so give fewer",
  ],
  [
    "bench --link rtt=5 --target grpc-js=http://127.0.0.1:1",
    "the grpc-js server is a target or command, on a network of its own: no other can be put in between, so leave out --link, or that",
  ],
  ["bench --stack ,", `--stack ",": give at least one name ${see("bench")}`],
  ["bench --out", `--out needs a value: --out <directory> ${see("bench")}`],
  ["conform REST", 'unknown stack "REST"; did you mean "rest"? (see roundtrip help stacks)'],
  [
    "conform --target grpc=127.0.0.1:50051",
    `--target "grpc=127.0.0.1:50051": the URL must begin with http:// or https:// ${see("conform")}`,
  ],
  [
    "conform floor --target floor=http://127.0.0.1:1",
    "give stacks to run here, or --target for servers elsewhere, not both",
  ],
  [
    "conform --target grcp-js=http://127.0.0.1:1",
    `unknown style or stack "grcp-js"; did you mean "grpc-js"? (valid: ${targets.join(", ")})`,
  ],
  ["describe GetCustomr", 'the contract has no operation "GetCustomr"; did you mean "GetCustomer"?'],
  [
    "describe --contract /no/such",
    "there is no contract at /no/such; give a .proto file, a folder of them, a descriptor set, or an address",
  ],
  ["report", `<run> is missing ${see("report")}`],
  [
    "report /no/such --format htlm",
    'unknown format "htlm"; did you mean "html"? (valid: bencher, csv, github-action-benchmark, html, json, markdown, otava, summary, terminal)',
  ],
  ["bench --disposable", "--disposable is for --target and --serve: give one, or leave --disposable out"],
  ["serve --port 65534", "--port 65534: 4 stacks need one port each, and the last port is 65535"],
  ["complete tcsh", 'unknown shell "tcsh" (valid: zsh, bash, fish, powershell) (see roundtrip --help)'],
];

describe("a mistake on the command line", () => {
  it.concurrent.each(mistakes)("%s", async (commandLine, message) => {
    expect(await run(commandLine.split(" "))).toEqual({ status: 64, stdout: "", stderr: `roundtrip: ${message}\n` });
  });

  it("shows the help of the program when no command is given", async () => {
    const { status, stdout, stderr } = await run([]);
    expect({ status, stdout }).toEqual({ status: 64, stdout: "" });
    expect(stderr).toContain("Usage: roundtrip [options] [command]");
  });
});

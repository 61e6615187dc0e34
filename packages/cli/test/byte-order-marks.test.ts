// A byte order mark at the beginning of a file is not part of its text: every command does the same with and without it.
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { create, toJson } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema, file_google_protobuf_descriptor } from "@bufbuild/protobuf/wkt";
import { readFaultPlan, readStubs } from "@roundtrip/fakes";
import { expect, it } from "vitest";
import { readAllowList } from "../src/check/allow-list.ts";
import { loadContractFrom } from "../src/contract/contract-source.ts";
import { accessOf } from "../src/targets/known-targets.ts";
import { folderWith } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";

const proto = `syntax = "proto3";
package lib.v1;
service Lib { rpc GetBook(GetBookRequest) returns (Book); }
message GetBookRequest { string id = 1; }
message Book { string id = 1; string title = 2; }
`;
const entry = {
  startedDateTime: "2025-05-12T09:00:00Z",
  request: { method: "POST", url: "https://h.example/lib.v1.Lib/GetBook", postData: { mimeType: "application/grpc" } },
  response: { status: 200 },
};
const har = JSON.stringify({ log: { version: "1.2", entries: [entry] } });
const jsonLine = JSON.stringify({
  method: "POST",
  path: "/lib.v1.Lib/GetBook",
  status: 200,
  time: "2025-05-12T09:00:00Z",
});
const textLine = '127.0.0.1 - - [12/May/2025:09:00:00 +0000] "POST /lib.v1.Lib/GetBook HTTP/2.0" 200 5';
const stubs = '- operation: GetBook\n  when: { id: "7" }\n  response: { title: Emma }\n';
const rules = "http:\n  rules:\n    - selector: lib.v1.Lib.GetBook\n      get: /v1/books/{id}\n";
const samples = [
  "arm,round,latencyMs",
  ...Array.from({ length: 60 }, (_, at) => `${"ab"[at % 2]},${1 + (at % 6)},${1 + at / 100}`),
].join("\n");
const network = JSON.stringify({
  population: 2,
  thinkMs: 10,
  stations: [{ name: "CPU", demandMs: 5 }],
});

const [pem = ""] = rootCertificates;
const image = toJson(
  FileDescriptorSetSchema,
  create(FileDescriptorSetSchema, {
    file: [
      file_google_protobuf_descriptor.proto,
      {
        name: "lib.proto",
        package: "lib.v1",
        syntax: "proto3",
        messageType: [{ name: "Book" }],
        service: [
          { name: "Lib", method: [{ name: "GetBook", inputType: ".lib.v1.Book", outputType: ".lib.v1.Book" }] },
        ],
      },
    ],
  }),
);

type Read = (cwd: string) => Promise<unknown>;

const command =
  (...args: readonly string[]): Read =>
  async (cwd) => {
    const { status, stdout, stderr } = await run(args, { cwd });
    return { status, stdout, stderr: stderr.replaceAll(cwd, ".") };
  };

const contractIn = async (cwd: string): ReturnType<typeof loadContractFrom> =>
  loadContractFrom([join(cwd, "lib.proto")]);

const tasks = (file: string): Read => command("tasks", file, "--contract", "lib.proto", "--out", "day.yaml");

/** The kind of a file, its name and text, what reads it, and the files beside it. */
const rows: readonly (readonly [kind: string, file: string, text: string, read: Read])[] = [
  ["a .proto file", "lib.proto", proto, command("describe", "--contract", "lib.proto")],
  ["a buf.yaml", "module/buf.yaml", "version: v2\n", command("describe", "--contract", "module")],
  ["a descriptor set in JSON", "set.json", JSON.stringify(image), command("describe", "--contract", "set.json")],
  ["HTTP rules", "rules.yaml", rules, command("describe", "--contract", "lib.proto,rules.yaml")],
  ["settings", "roundtrip.config.ts", "export default { json: true };", command("describe", "--contract", "lib.proto")],
  ["a HAR file", "day.har", har, tasks("day.har")],
  ["lines of JSON", "day.log", jsonLine, tasks("day.log")],
  ["lines of text", "access.log", textLine, tasks("access.log")],
  ["a recording as a log", "recording.yaml", stubs, tasks("recording.yaml")],
  ["samples", "samples.csv", samples, command("report", "samples.csv", "--json")],
  ["a network", "network.json", network, command("predict", "mva", "--file", "network.json")],
  ["stubs", "stubs.yaml", stubs, async (cwd) => readStubs(join(cwd, "stubs.yaml"), (await contractIn(cwd)).contract)],
  [
    "a fault plan",
    "faults.yaml",
    "faults:\n  - operation: GetBook\n    error: { code: UNAVAILABLE }\n",
    async (cwd) => readFaultPlan(join(cwd, "faults.yaml"), (await contractIn(cwd)).contract),
  ],
  [
    "allowed changes",
    "allow.yaml",
    "- change: lib.v1.Book.title\n  reason: unused\n",
    (cwd) => readAllowList(join(cwd, "allow.yaml")),
  ],
  ["a certificate authority", "ca.pem", pem, (cwd) => accessOf({ ca: join(cwd, "ca.pem") })],
];

async function outcomeOf(mark: string, [, file, text, read]: (typeof rows)[number]): Promise<unknown> {
  const beside = file === "module/buf.yaml" ? { "module/lib.proto": proto } : {};
  const cwd = folderWith({ "lib.proto": proto, ...beside, [file]: mark + text });
  try {
    return await read(cwd);
  } catch (thrown) {
    return `failed: ${(thrown as Error).message.replaceAll(cwd, ".")}`;
  }
}

it.each(rows.map((row) => [row[0], row] as const))("%s is read as without the mark", async (_, row) => {
  const [plain, marked] = [await outcomeOf("", row), await outcomeOf("\uFEFF", row)];
  expect(JSON.stringify(plain)).not.toMatch(/"status":[1-9]|^"failed/);
  expect(marked).toEqual(plain);
});

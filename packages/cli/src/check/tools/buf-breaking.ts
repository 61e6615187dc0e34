// Runs `buf breaking` on two compiled contracts.
import { create, toBinary, type DescEnum, type DescMessage } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import type { Contract } from "@roundtrip/contract";
import type { BufFinding } from "@roundtrip/styles";
import { temporaryFolder } from "@roundtrip/runner/lifetime";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CliError } from "../../basics/cli-error.ts";
import { runBuf } from "../../contract/run-buf.ts";
import { bufFinding } from "./buf-finding.ts";

const config = JSON.stringify({ version: "v2", breaking: { use: ["FILE", "PACKAGE", "WIRE_JSON", "WIRE"] } });

const foundSomething = 100;

function imageOf({ registry }: Contract): Uint8Array {
  return toBinary(
    FileDescriptorSetSchema,
    create(FileDescriptorSetSchema, { file: [...registry.files].map(({ proto }) => proto) }),
  );
}

interface Violation {
  readonly path?: string;
  readonly start_line?: number;
  readonly type: string;
  readonly message: string;
}

async function violations(after: string, before: string): Promise<readonly Violation[]> {
  const asked = ["--against", before, "--error-format", "json", "--config", config];
  const { status, how, stdout, stderr } = await runBuf(["breaking", after, ...asked], "the two contracts");
  if (status !== 0 && status !== foundSomething) {
    const [why = ""] = stderr.trim().split("\n");
    throw new CliError("unavailable", `buf cannot compare the contracts: ${why || `it ended with ${how}`}`);
  }
  return stdout
    .toString()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Violation);
}

const deletedFile = /^Previously present file "([^"]+)" was deleted/;

/** The messages and enums that callers send or receive. */
function usedTypes({ operations }: Contract): ReadonlySet<DescMessage | DescEnum> {
  const messages = new Set(operations.flatMap(({ input, output }) => [input, output]));
  const enums = new Set<DescEnum>();
  // The loop also visits types that it adds.
  for (const { fields } of messages) {
    for (const { message, enum: values } of fields) {
      if (message !== undefined) messages.add(message);
      if (values !== undefined) enums.add(values);
    }
  }
  return new Set([...messages, ...enums]);
}

/** Names of files whose removal takes nothing from callers: without declarations, or imported from another package and not used. */
function unusedFiles(contract: Contract): ReadonlySet<string> {
  const used = new Set([...usedTypes(contract)].map(({ file }) => file));
  const packages = new Set(contract.operations.map(({ method }) => method.parent.file.proto.package));
  const unused = [...contract.registry.files].filter((file) => {
    const isEmpty = [file.messages, file.enums, file.services, file.extensions].every(({ length }) => length === 0);
    return isEmpty || (!used.has(file) && !packages.has(file.proto.package));
  });
  return new Set(unused.map(({ proto }) => proto.name));
}

/** buf's findings, by all its rules. Rejects with a CliError `unavailable` if buf cannot run. */
export async function bufBreaking(before: Contract, after: Contract): Promise<readonly BufFinding[]> {
  using folder = temporaryFolder("check");
  const paths = { before: join(folder.path, "before.binpb"), after: join(folder.path, "after.binpb") };
  await Promise.all([writeFile(paths.before, imageOf(before)), writeFile(paths.after, imageOf(after))]);
  const found = await violations(paths.after, paths.before);
  const unused = unusedFiles(before);
  const relevant = found.filter(({ type, message }) => {
    return type !== "FILE_NO_DELETE" || !unused.has(deletedFile.exec(message)?.[1] ?? "");
  });
  return relevant.map(({ path = "", start_line: line, type, message }) =>
    bufFinding(type, message, line === undefined ? path : `${path}:${line}`),
  );
}

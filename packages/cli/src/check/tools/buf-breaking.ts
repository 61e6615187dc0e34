// Runs `buf breaking` on two compiled contracts.
import { create, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import type { Contract } from "@roundtrip/contract";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { CliError } from "../../cli-error.ts";
import { bufProgram } from "../../contract/buf-program.ts";
import { bufFinding } from "./buf-finding.ts";
import type { Finding } from "./finding.ts";

const timeoutMs = 60_000;
/** What buf may say of two contracts, in bytes. */
const maxOutputBytes = 64 * 1024 * 1024;

const config = JSON.stringify({ version: "v2", breaking: { use: ["FILE", "PACKAGE", "WIRE_JSON", "WIRE"] } });

/** buf's status when it found something. */
const foundSomething = 100;

function imageOf({ registry }: Contract): Uint8Array {
  // Files from elsewhere carry a mark of buf's, which is written as it was read.
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
  const lines = await promisify(execFile)(bufProgram.file, [...bufProgram.args, "breaking", after, ...asked], {
    timeout: timeoutMs,
    maxBuffer: maxOutputBytes,
  }).then(
    ({ stdout }) => stdout,
    (cause: {
      readonly code?: unknown;
      readonly stdout?: string;
      readonly stderr?: string;
      readonly message: string;
    }) => {
      if (cause.code === foundSomething) return cause.stdout ?? "";
      const [why = ""] = (cause.stderr ?? "").trim().split("\n");
      throw new CliError("unavailable", `buf cannot compare the contracts: ${why || cause.message}`, { cause });
    },
  );
  return lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Violation);
}

/** What buf finds, by all of its rules. Rejects with a CliError `unavailable` when it cannot be run. */
export async function bufBreaking(before: Contract, after: Contract): Promise<readonly Finding[]> {
  const room = await mkdtemp(join(tmpdir(), "roundtrip-check-"));
  try {
    const paths = { before: join(room, "before.binpb"), after: join(room, "after.binpb") };
    await Promise.all([writeFile(paths.before, imageOf(before)), writeFile(paths.after, imageOf(after))]);
    const found = await violations(paths.after, paths.before);
    return found.map(({ path = "", start_line: line, type, message }) =>
      bufFinding(type, message, line === undefined ? path : `${path}:${line}`),
    );
  } finally {
    await rm(room, { recursive: true, force: true });
  }
}

// What `roundtrip describe` does: prints each operation in every style, or writes the styles' documents.
import { commentAbove, type Contract, type Operation, type OperationKind } from "@roundtrip/contract";
import type { Setting, Stack } from "@roundtrip/stacks";
import { join } from "node:path";
import { chosenStacks } from "../chosen-stacks.ts";
import { CliError } from "../cli-error.ts";
import { loadContractFrom, type ContractFlags } from "../contract-source.ts";
import { suggestion } from "@roundtrip/contract/nearest-name";
import { writeOutput } from "../output-file.ts";
import { paint } from "../paint.ts";
import { settableServices, type Settable } from "../stack-settings/settable.ts";

interface DescribeFlags extends ContractFlags {
  readonly stack?: readonly string[];
  readonly out?: string;
  readonly json: boolean;
}

function isMeant({ id, method }: Operation, name: string): boolean {
  return id === name || method.name === name;
}

/** The operations with these names, all without names. Throws a usage error for a name that the contract does not have. */
function chosenOperations(contract: Contract, names: readonly string[]): readonly Operation[] {
  const all = contract.operations.map(({ method }) => method.name);
  for (const name of names) {
    if (contract.operations.some((operation) => isMeant(operation, name))) continue;
    throw new CliError("usage", `the contract has no operation "${name}"${suggestion(name, all)}`);
  }
  return contract.operations.filter(
    (operation) => names.length === 0 || names.some((name) => isMeant(operation, name)),
  );
}

/** Writes what the styles' users expect beside the contract, such as an OpenAPI document. */
async function writeStyleDocuments(
  directory: string,
  contract: Contract,
  stacks: readonly Stack[],
): Promise<readonly string[]> {
  const documents = (await Promise.all(stacks.map((stack) => stack.documents(contract)))).flat();
  return Promise.all(
    documents.map(async ({ fileName, text }) => {
      const path = join(directory, fileName);
      await writeOutput(path, text);
      return path;
    }),
  );
}

const featureWords = {
  together: "several operations in one exchange",
  metadata: "metadata beside requests and answers",
  serverStream: "streams of responses",
  clientStream: "streams of requests",
  bidiStream: "streams both ways",
  tlsResumption: "resumption of TLS sessions",
} as const;

const featureOf = {
  unary: undefined,
  server_streaming: "serverStream",
  client_streaming: "clientStream",
  bidi_streaming: "bidiStream",
} as const satisfies Readonly<Record<OperationKind, keyof typeof featureWords | undefined>>;

/** Why a stack has no notation for an operation at all. */
function whyNot({ kind }: Operation, { limitations }: Stack): string {
  const limitation = limitations.find(({ feature }) => feature === featureOf[kind]);
  return limitation === undefined
    ? "not carried"
    : `not carried, ${featureWords[limitation.feature]}: ${limitation.reason}`;
}

function printOperations(operations: readonly Operation[], contract: Contract, stacks: readonly Stack[]): void {
  const width = Math.max(...stacks.map((stack) => stack.title.length));
  const indent = `\n${" ".repeat(width + 4)}`;
  for (const operation of operations) {
    const comment = commentAbove(operation.method);
    process.stdout.write(`${paint("bold", operation.id)}${comment === "" ? "" : paint("dim", `  ${comment}`)}\n`);
    for (const stack of stacks) {
      const { signature, lost } = stack.view(operation, contract);
      if (signature === "") {
        process.stdout.write(`  ${stack.title.padEnd(width)}  – ${whyNot(operation, stack)}\n`);
        continue;
      }
      process.stdout.write(`  ${stack.title.padEnd(width)}  ${signature.replaceAll("\n", indent)}\n`);
      for (const loss of lost) process.stdout.write(`  ${" ".repeat(width)}  cannot carry: ${loss}\n`);
    }
    process.stdout.write("\n");
  }
}

/** True of whatever contract, and in no signature; the rules have it as "Beyond JSON". */
const beyondJson =
  "Where a style writes JSON it refuses what JSON has no word for: times and durations out of bounds, masks with odd paths if they are one text, " +
  "an Any of a type that the contract does not have or with bytes and no type, a Value that is not finite.\n";

/** What is the same for every operation, each reason once. */
function printLimitations(stacks: readonly Stack[]): void {
  const width = Math.max(...stacks.map(({ title }) => title.length));
  const lines = stacks.flatMap(({ title, limitations }) => {
    const reasons = [...new Set(limitations.map(({ reason }) => reason))];
    return reasons.map((reason) => {
      const features = limitations.filter((limitation) => limitation.reason === reason);
      const what = features.map(({ feature }) => featureWords[feature]).join(", ");
      return `  ${title.padEnd(width)}  ${what}: ${reason}\n`;
    });
  });
  if (lines.length > 0) process.stdout.write(`${paint("bold", "What is not carried here")}\n${lines.join("")}`);
}

function valuesOf({ values }: Setting): string {
  return "least" in values ? `${values.least} to ${values.most}` : values.join(", ");
}

const endWords = { server: "server", client: "client", both: "both ends" } as const;

/** What can be set on stacks, beyond what every stack has, and on services. */
function printSettings(settables: readonly Settable[]): void {
  const width = Math.max(...settables.map(({ title }) => title.length));
  const lines = settables.flatMap(({ name, title, settings }) =>
    settings.map(
      (setting) =>
        `  ${title.padEnd(width)}  ${name}.${setting.name}, ${endWords[setting.end]} (${setting.default}; ${valuesOf(setting)}): ${setting.meaning}\n`,
    ),
  );
  if (lines.length > 0) process.stdout.write(`\n${paint("bold", "What can be set, with --set")}\n${lines.join("")}`);
}

/** Runs the command. Rejects with an error that says what a user can do. */
export async function describe(names: readonly string[], flags: DescribeFlags): Promise<void> {
  const stacks = (await chosenStacks(flags.stack)).filter((stack) => stack.role === "style");
  if (stacks.length === 0) throw new CliError("usage", "the floor is no style: name a stack that is");
  await using loaded = await loadContractFrom(flags.contract, flags);
  const { contract } = loaded;
  const operations = chosenOperations(contract, names);

  if (flags.out !== undefined) {
    const written = await writeStyleDocuments(flags.out, contract, stacks);
    process.stdout.write(flags.json ? `${JSON.stringify({ written })}\n` : written.map((path) => `${path}\n`).join(""));
    return;
  }

  const limitations = stacks.flatMap((stack) => stack.limitations.map((limit) => ({ stack: stack.name, ...limit })));
  const settables = [...stacks, ...settableServices];
  const settings = settables.flatMap((one) => one.settings.map((setting) => ({ stack: one.name, ...setting })));
  if (flags.json) {
    const described = operations.map((operation) => ({
      operation: operation.id,
      description: commentAbove(operation.method),
      sideEffects: operation.sideEffects,
      styles: stacks.map((stack) => ({ stack: stack.name, title: stack.title, ...stack.view(operation, contract) })),
    }));
    process.stdout.write(`${JSON.stringify({ operations: described, limitations, settings }, null, 2)}\n`);
    return;
  }
  printOperations(operations, contract, stacks);
  printLimitations(stacks);
  process.stdout.write(beyondJson);
  printSettings(settables);
}

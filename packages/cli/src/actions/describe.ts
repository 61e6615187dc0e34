// The action of `roundtrip describe`: prints each operation in every style, or writes the styles' documents.
import { commentAbove, type Contract, type Operation } from "@roundtrip/contract";
import type { Stack } from "@roundtrip/stacks";
import { join } from "node:path";
import { ProgressLine } from "../bench/progress.ts";
import { chosenStacks } from "../stacks/chosen-stacks.ts";
import type { StackFlags } from "../stacks/selected-stacks.ts";
import { CliError } from "../basics/cli-error.ts";
import { loadContractFrom, type ContractFlags } from "../contract/contract-source.ts";
import { suggestion } from "@roundtrip/contract/text";
import { writeDocument } from "../output/output-file.ts";
import {
  impossibleMessages,
  printLimitations,
  printOperations,
  printSettings,
  printSharedLosses,
  viewedStyles,
} from "../describe/print-description.ts";
import { describedEdges, printEdges } from "../describe/print-edges.ts";
import { settableServicesOf } from "../stacks/known-settings.ts";

interface DescribeFlags extends ContractFlags, StackFlags {
  readonly out?: string;
  readonly json: boolean;
}

function isMeant({ id, method }: Operation, name: string): boolean {
  return id === name || method.name === name;
}

/** The operations with these names; all without names. Throws a usage error for an unknown name. */
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

async function writeStyleDocuments(
  directory: string,
  contract: Contract,
  stacks: readonly Stack[],
): Promise<readonly string[]> {
  const documents = (await Promise.all(stacks.map((stack) => stack.documents(contract)))).flat();
  return Promise.all(
    documents.map(async ({ fileName, text }) => {
      const path = join(directory, fileName);
      await writeDocument(path, text);
      return path;
    }),
  );
}

/** Most contracts are described in less, and need no progress. */
const quickMs = 500;

export async function describe(names: readonly string[], flags: DescribeFlags): Promise<void> {
  const stacks = (await chosenStacks(flags)).filter((stack) => stack.role === "style");
  if (stacks.length === 0) throw new CliError("usage", "the floor is not a style: select another stack");
  await using loaded = await loadContractFrom(flags.contract);
  const { contract } = loaded;
  const operations = chosenOperations(contract, names);

  if (flags.out !== undefined) {
    const written = await writeStyleDocuments(flags.out, contract, stacks);
    process.stdout.write(flags.json ? `${JSON.stringify({ written })}\n` : written.map((path) => `${path}\n`).join(""));
    return;
  }

  const limitations = stacks.flatMap((stack) => stack.limitations.map((limit) => ({ stack: stack.name, ...limit })));
  const settables = [...stacks, ...settableServicesOf(contract)];
  const settings = settables.flatMap((one) => one.settings.map((setting) => ({ stack: one.name, ...setting })));
  const edges = stacks.some(({ style }) => style === "graphql")
    ? await describedEdges(contract, operations)
    : undefined;
  if (flags.json) {
    const described = operations.map((operation) => ({
      operation: operation.id,
      description: commentAbove(operation.method),
      sideEffects: operation.sideEffects,
      impossible: impossibleMessages(operation),
      styles: stacks.map((stack) => ({ stack: stack.name, title: stack.title, ...stack.view(operation, contract) })),
    }));
    process.stdout.write(`${JSON.stringify({ operations: described, ...edges, limitations, settings }, null, 2)}\n`);
    return;
  }
  const progress = new ProgressLine(process.stderr, true);
  const startedAt = performance.now();
  const styles = viewedStyles(operations, contract, stacks, (done) => {
    if (performance.now() - startedAt < quickMs) return;
    progress.show(done / operations.length, `${done} of ${operations.length} operations`);
  });
  progress.clear();
  printOperations(operations, styles);
  printSharedLosses(styles);
  if (edges !== undefined) printEdges(edges);
  printLimitations(stacks);
  printSettings(settables);
}

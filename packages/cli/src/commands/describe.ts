// `roundtrip describe`: what the contract becomes in each style, operation by operation, and what a style cannot carry.
import { commentAbove } from "@roundtrip/contract";
import { Argument, Command, Option } from "commander";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pc from "picocolors";
import { chosenStacks } from "../chosen-stacks.ts";
import { CliError } from "../cli-error.ts";
import { loadContractFrom } from "../contract-source.ts";
import { nearestName } from "../nearest-name.ts";
import { contractOption, jsonOption, stackOption } from "../options.ts";

interface DescribeFlags {
  readonly contract?: string;
  readonly stack?: readonly string[];
  readonly out?: string;
  readonly json: boolean;
}

async function describe(names: readonly string[], flags: DescribeFlags): Promise<void> {
  const stacks = (await chosenStacks(flags.stack)).filter((stack) => stack.role === "style");
  await using loaded = await loadContractFrom(flags.contract);
  const { contract } = loaded;

  if (flags.out !== undefined) {
    const directory = flags.out;
    const documents = (await Promise.all(stacks.map((stack) => stack.documents(contract)))).flat();
    await mkdir(directory, { recursive: true });
    await Promise.all(documents.map(({ fileName, text }) => writeFile(join(directory, fileName), text)));
    for (const { fileName } of documents) process.stdout.write(`${join(directory, fileName)}\n`);
    return;
  }

  const all = contract.operations.map((operation) => operation.method.name);
  for (const name of names) {
    if (contract.operations.some((operation) => operation.id === name || operation.method.name === name)) continue;
    const nearest = nearestName(name, all);
    const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
    throw new CliError("usage", `The contract has no operation "${name}".${hint}`);
  }
  const operations = contract.operations
    .filter(({ id, method }) => names.length === 0 || names.includes(id) || names.includes(method.name))
    .map((operation) => ({
      operation: operation.id,
      description: commentAbove(operation.method),
      sideEffects: operation.sideEffects,
      styles: stacks.map((stack) => ({ stack: stack.name, title: stack.title, ...stack.view(operation, contract) })),
    }));
  const limitations = stacks.flatMap((stack) => stack.limitations.map((limit) => ({ stack: stack.name, ...limit })));

  if (flags.json) {
    process.stdout.write(`${JSON.stringify({ operations, limitations }, null, 2)}\n`);
    return;
  }
  const width = Math.max(...stacks.map((stack) => stack.title.length));
  for (const { operation, description, styles } of operations) {
    process.stdout.write(`${pc.bold(operation)}${description === "" ? "" : pc.dim(`  ${description}`)}\n`);
    for (const { title, signature, lost } of styles) {
      const indent = `\n${" ".repeat(width + 4)}`;
      process.stdout.write(`  ${title.padEnd(width)}  ${signature.replaceAll("\n", indent)}\n`);
      for (const loss of lost) process.stdout.write(`  ${" ".repeat(width)}  cannot carry: ${loss}\n`);
    }
    process.stdout.write("\n");
  }
  if (limitations.length > 0) process.stdout.write(`${pc.bold("What a stack here cannot do")}\n`);
  for (const { stack, feature, reason } of limitations) process.stdout.write(`  ${stack}: ${feature}: ${reason}\n`);
}

/** Makes the command. */
export function makeCommand(): Command {
  return new Command("describe")
    .description("show what the contract becomes in each style, and what a style cannot carry")
    .addArgument(new Argument("[operations...]", "which operations, by name or full id").default([], "all"))
    .addOption(contractOption())
    .addOption(stackOption())
    .addOption(new Option("--out <directory>", "write the styles' documents (OpenAPI, GraphQL schema) there instead"))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExample:\n  $ roundtrip describe GetCustomer\n  $ roundtrip describe --contract ./proto --out ./schema",
    )
    .action(describe);
}

// `roundtrip conform`: runs the conformance cases against the stacks here, or against a server elsewhere.
import {
  conformanceCases,
  defaultCaseLimitMs,
  knownDeviations,
  localSubject,
  runConformance,
  targetSubject,
  type CaseResult,
  type ConformanceSubject,
} from "@roundtrip/contract/conformance";
import { realService } from "@roundtrip/service";
import {
  connectDefaults,
  loadConnect,
  loadServe,
  loadStack,
  serveDefaults,
  stackNames,
  type Stack,
} from "@roundtrip/stacks";
import { loopbackCertificate } from "@roundtrip/stacks/certificate";
import type { Contract } from "@roundtrip/contract";
import { Argument, Command, InvalidArgumentError, Option } from "commander";
import { readFile } from "node:fs/promises";
import pc from "picocolors";
import { chosenStacks } from "../chosen-stacks.ts";
import { CliError } from "../cli-error.ts";
import { loadContractFrom } from "../contract-source.ts";
import { exitStatus } from "../exit-status.ts";
import { requireKnown } from "../nearest-name.ts";
import { contractOption, jsonOption, quietOption, stackOption, tlsOption } from "../options.ts";

interface Target {
  readonly stack: string;
  readonly url: string;
}

interface ConformFlags {
  readonly contract?: string;
  readonly stack?: readonly string[];
  readonly target?: readonly Target[];
  readonly ca?: string;
  readonly tls: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
}

interface StackResults {
  readonly stack: string;
  readonly results: readonly CaseResult[];
}

function targetsOf(value: string, before: readonly Target[] | undefined): readonly Target[] {
  const at = value.indexOf("=");
  const [stack, url] = [value.slice(0, at), value.slice(at + 1)];
  if (at < 1 || !URL.canParse(url))
    throw new InvalidArgumentError("Write it as STACK=URL, for example grpc-js=http://127.0.0.1:50051.");
  return [...(before ?? []), { stack, url }];
}

async function subjectHere(stack: Stack, contract: Contract, tls: boolean): Promise<ConformanceSubject> {
  const [serve, connect] = await Promise.all([loadServe(stack.name), loadConnect(stack.name)]);
  const certificate = tls ? await loopbackCertificate() : undefined;
  return localSubject({
    name: stack.name,
    limitations: stack.limitations,
    service: realService(contract),
    serve: (service, limits) => serve(service, { ...serveDefaults, ...limits, tls: certificate }),
    connect: (url, limits) => connect(contract, { ...connectDefaults, ...limits, url, ca: certificate?.ca }),
  });
}

async function subjectElsewhere(
  target: Target,
  contract: Contract,
  ca: string | undefined,
): Promise<ConformanceSubject> {
  requireKnown("stack", target.stack, stackNames());
  const [stack, connect] = await Promise.all([loadStack(target.stack), loadConnect(target.stack)]);
  return targetSubject({
    name: stack.name,
    limitations: stack.limitations,
    connect: () => connect(contract, { ...connectDefaults, url: target.url, ca }),
  });
}

const marks = { pass: pc.green("pass"), fail: pc.red("FAIL"), skip: pc.dim("skip") } as const;

function line({ status, caseId, level, title, detail }: CaseResult): string {
  const why = detail === "" ? "" : pc.dim(`  ${detail}`);
  return `  ${marks[status]}  ${caseId} ${level.padEnd(6)}  ${title}${why}\n`;
}

function count(results: readonly CaseResult[], status: CaseResult["status"]): number {
  return results.filter((result) => result.status === status).length;
}

async function conform(names: readonly string[], flags: ConformFlags): Promise<void> {
  await using loaded = await loadContractFrom(flags.contract);
  const { contract } = loaded;
  const ca =
    flags.ca === undefined
      ? undefined
      : await readFile(flags.ca, "utf8").catch((cause: NodeJS.ErrnoException) => {
          throw new CliError("usage", `cannot read the certificate authority ${flags.ca}: ${cause.message}`, { cause });
        });
  const chosen = names.length > 0 ? names : flags.stack;
  const subjects =
    flags.target === undefined
      ? await Promise.all((await chosenStacks(chosen)).map((stack) => subjectHere(stack, contract, flags.tls)))
      : await Promise.all(flags.target.map((target) => subjectElsewhere(target, contract, ca)));

  const all: StackResults[] = [];
  for (const subject of subjects) {
    if (!flags.json) process.stdout.write(`${pc.bold(subject.name)}\n`);
    // One stack after the other: cases fill limits and stop servers.
    const results = await runConformance({
      contract,
      subject,
      cases: conformanceCases,
      deviations: knownDeviations,
      caseLimitMs: defaultCaseLimitMs,
      onResult: (result) => {
        const shown = !flags.json && (!flags.quiet || result.status === "fail");
        if (shown) process.stdout.write(line(result));
      },
    });
    all.push({ stack: subject.name, results });
  }

  if (flags.json) process.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
  else {
    const width = Math.max(...all.map(({ stack }) => stack.length));
    process.stdout.write("\n");
    for (const { stack, results } of all) {
      const counts = (["pass", "fail", "skip"] as const)
        .map((status) => `${count(results, status)} ${status}`)
        .join(", ");
      process.stdout.write(`${stack.padEnd(width)}  ${counts}\n`);
    }
  }
  const failed = all.some(({ results }) => results.some(({ status, level }) => status === "fail" && level === "MUST"));
  if (failed) process.exitCode = exitStatus.failed;
}

/** Makes the command. */
export function makeCommand(): Command {
  return new Command("conform")
    .description("check that stacks keep the contract, case by case")
    .addArgument(new Argument("[stacks...]", "which stacks").default([], "all"))
    .addOption(contractOption())
    .addOption(stackOption())
    .addOption(
      new Option("--target <stack=url>", "a server that runs already; may be given several times").argParser(targetsOf),
    )
    .addOption(new Option("--ca <file>", "certificate authority of the targets, in PEM"))
    .addOption(tlsOption())
    .addOption(jsonOption())
    .addOption(quietOption())
    .addHelpText(
      "after",
      "\nExample:\n  $ roundtrip conform rest-express\n  $ roundtrip conform --target rest-express=http://127.0.0.1:8080",
    )
    .action(conform);
}

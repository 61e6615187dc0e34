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
import type { Client, Contract } from "@roundtrip/contract";
import { fileFault } from "@roundtrip/runner";
import { Argument, Command, InvalidArgumentError } from "commander";
import { readFile } from "node:fs/promises";
import { chosenStacks, namedStacks } from "../chosen-stacks.ts";
import { CliError } from "../cli-error.ts";
import { loadContractFrom } from "../contract-source.ts";
import { exitStatus } from "../exit-status.ts";
import { addExamples } from "../help.ts";
import { requireKnown } from "../nearest-name.ts";
import { contractOption, jsonOption, quietOption, stackOption, tlsOption, valueOption } from "../options.ts";
import { paint } from "../paint.ts";
import { probeTarget } from "../probe-target.ts";

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

function targetOf(text: string): Target {
  const at = text.indexOf("=");
  const [stack, url] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || !/^https?:\/\/./.test(url) || !URL.canParse(url)) {
    throw new InvalidArgumentError("it must be STACK=URL, for example grpc-js=http://127.0.0.1:50051");
  }
  return { stack, url };
}

function targetsOf(value: string, before: readonly Target[] | undefined): readonly Target[] {
  return [...(before ?? []), ...value.split(",").map(targetOf)];
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
  const [stack, open] = await Promise.all([loadStack(target.stack), loadConnect(target.stack)]);
  const connect = (): Promise<Client> => open(contract, { ...connectDefaults, url: target.url, ca });
  await probeTarget(contract, target, connect);
  return targetSubject({ name: stack.name, limitations: stack.limitations, connect });
}

async function certificateAuthority(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  return readFile(path, "utf8").catch((cause: unknown) => {
    throw new CliError("usage", `cannot read the certificate authority ${path}: ${fileFault(cause)}`, { cause });
  });
}

/** The cases call two services by name: without both there would be nothing but skips, which look like success. */
function requireTestedServices(contract: Contract, path: string | undefined): void {
  const tested = ["roundtrip.v1.HelloService", "roundtrip.v1.CustomerService"];
  if (tested.some((name) => contract.registry.getService(name) !== undefined)) return;
  throw new CliError("usage", `the contract in ${path} has neither ${tested.join(" nor ")}, which the cases call`);
}

async function subjectsOf(
  names: readonly string[],
  flags: ConformFlags,
  contract: Contract,
): Promise<readonly ConformanceSubject[]> {
  const { target: targets, tls } = flags;
  if (targets === undefined) {
    const stacks = await chosenStacks(namedStacks(names, flags.stack));
    return Promise.all(stacks.map((stack) => subjectHere(stack, contract, tls)));
  }
  if (names.length > 0)
    throw new CliError("usage", "give stacks to run here, or --target for servers elsewhere, not both");
  for (const { stack } of targets) requireKnown("stack", stack, stackNames());
  const ca = await certificateAuthority(flags.ca);
  return Promise.all(targets.map((target) => subjectElsewhere(target, contract, ca)));
}

const marks = {
  pass: () => paint("green", "pass"),
  fail: () => paint("red", "FAIL"),
  skip: () => paint("dim", "skip"),
} as const;

function line({ status, caseId, level, title, detail }: CaseResult): string {
  const why = detail === "" ? "" : paint("dim", `  ${detail}`);
  return `  ${marks[status]()}  ${caseId} ${level.padEnd(6)}  ${title}${why}\n`;
}

function count(results: readonly CaseResult[], status: CaseResult["status"]): number {
  return results.filter((result) => result.status === status).length;
}

async function conform(names: readonly string[], flags: ConformFlags): Promise<void> {
  await using loaded = await loadContractFrom(flags.contract);
  const { contract } = loaded;
  requireTestedServices(contract, flags.contract);
  const subjects = await subjectsOf(names, flags, contract);

  const all: StackResults[] = [];
  for (const subject of subjects) {
    if (!flags.json) process.stdout.write(`${paint("bold", subject.name)}\n`);
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
  const command = new Command("conform")
    .description("check that stacks keep the contract, case by case")
    .addArgument(new Argument("[stacks...]", "which stacks (default: all)").default([], "all"))
    .addOption(contractOption())
    .addOption(stackOption())
    .addOption(
      valueOption(
        "subject",
        "--target <stack=url>",
        "a server that runs already; several with commas, or given several times",
      ).argParser(targetsOf),
    )
    .addOption(valueOption("subject", "--ca <file>", "certificate authority of the targets, in PEM"))
    .addOption(tlsOption())
    .addOption(jsonOption())
    .addOption(quietOption())
    .action(conform);
  return addExamples(
    command,
    "roundtrip conform rest-express",
    "roundtrip conform --target rest-express=http://127.0.0.1:8080 --quiet",
  );
}

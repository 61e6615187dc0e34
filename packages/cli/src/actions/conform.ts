// What `roundtrip conform` does: puts stacks here, or servers elsewhere, to the test.
import {
  conformanceCases,
  contractSuite,
  defaultCaseLimitMs,
  knownDeviations,
  runConformance,
  targetSubject,
  type CaseResult,
  type ConformanceCase,
  type ConformanceSubject,
} from "@roundtrip/contract/conformance";
import { realService } from "@roundtrip/service";
import { loadStack } from "@roundtrip/stacks";
import { stackSubject } from "@roundtrip/stacks/conformance";
import type { Contract } from "@roundtrip/contract";
import type { Target } from "@roundtrip/runner";
import { certificateFor } from "../certificate-for.ts";
import { chosenStacks, namedStacks } from "../chosen-stacks.ts";
import { CliError } from "../cli-error.ts";
import { loadContractFrom, type ContractFlags } from "../contract-source.ts";
import { exitStatus } from "../exit-status.ts";
import { knownTargets } from "../targets/known-targets.ts";
import type { TypedTarget } from "../targets/typed-target.ts";
import { paint } from "../paint.ts";
import { probeTarget } from "../targets/probe-target.ts";

interface ConformFlags extends ContractFlags {
  readonly stack?: readonly string[];
  readonly target?: readonly TypedTarget[];
  readonly ca?: string;
  readonly tokenEnv?: string;
  readonly tls: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
}

interface StackResults {
  readonly stack: string;
  readonly results: readonly CaseResult[];
}

async function subjectElsewhere(target: Target, contract: Contract): Promise<ConformanceSubject> {
  const stack = await loadStack(target.stack);
  const connect = await probeTarget(contract, target);
  return targetSubject({ name: stack.name, limitations: stack.limitations, connect });
}

/** What the suite's cases call by name: without both there would be nothing but skips, which look like success. */
const tested = ["roundtrip.v1.HelloService", "roundtrip.v1.CustomerService"];

/** What is put to the test, and by which cases. */
interface Tested {
  readonly subject: ConformanceSubject;
  readonly cases: readonly ConformanceCase[];
}

/** Any other contract: whether all that it can say arrives over each style. That takes servers whose answers are known. */
async function foreignOnes(
  names: readonly string[],
  flags: ConformFlags,
  contract: Contract,
): Promise<readonly Tested[]> {
  if (flags.target !== undefined) {
    const why = `the contract in ${flags.contract} has neither ${tested.join(" nor ")}`;
    throw new CliError("usage", `${why}, which the cases for servers elsewhere call`);
  }
  const stacks = await chosenStacks(namedStacks(names, flags.stack));
  const certificate = await certificateFor(flags.tls);
  const suite = contractSuite(contract);
  return Promise.all(
    stacks
      .filter(({ role }) => role === "style")
      .map(async (stack) => ({
        subject: await stackSubject({ stack: stack.name, service: suite.service, certificate }),
        cases: suite.cases((operation) => stack.view(operation, contract).lost),
      })),
  );
}

async function testedOnes(
  names: readonly string[],
  flags: ConformFlags,
  contract: Contract,
): Promise<readonly Tested[]> {
  if (!tested.some((name) => contract.registry.getService(name) !== undefined)) {
    return foreignOnes(names, flags, contract);
  }
  const subjects = await subjectsOf(names, flags, contract);
  return subjects.map((subject) => ({ subject, cases: conformanceCases }));
}

async function subjectsOf(
  names: readonly string[],
  flags: ConformFlags,
  contract: Contract,
): Promise<readonly ConformanceSubject[]> {
  const { target: targets, tls } = flags;
  if (targets === undefined) {
    if (flags.tokenEnv !== undefined) throw new CliError("usage", "--token-env goes with --target");
    const stacks = await chosenStacks(namedStacks(names, flags.stack));
    const certificate = await certificateFor(tls);
    return Promise.all(
      // Each with customers of its own: what one stack's cases write is no other's to read.
      stacks.map(({ name }) => stackSubject({ stack: name, service: realService(contract), certificate })),
    );
  }
  if (names.length > 0)
    throw new CliError("usage", "give stacks to run here, or --target for servers elsewhere, not both");
  const known = await knownTargets(targets, flags.ca, flags.tokenEnv);
  return Promise.all(known.map((target) => subjectElsewhere(target, contract)));
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

/** Runs the command. Rejects with an error that says what a user can do. */
export async function conform(names: readonly string[], flags: ConformFlags): Promise<void> {
  await using loaded = await loadContractFrom(flags.contract, flags);
  const { contract } = loaded;
  const all = await testedOnes(names, flags, contract);

  const done: StackResults[] = [];
  for (const { subject, cases } of all) {
    if (!flags.json) process.stdout.write(`${paint("bold", subject.name)}\n`);
    // One stack after the other: cases fill limits and stop servers.
    const results = await runConformance({
      contract,
      subject,
      cases,
      deviations: knownDeviations,
      caseLimitMs: defaultCaseLimitMs,
      onResult: (result) => {
        const shown = !flags.json && (!flags.quiet || result.status === "fail");
        if (shown) process.stdout.write(line(result));
      },
    });
    done.push({ stack: subject.name, results });
  }

  if (flags.json) process.stdout.write(`${JSON.stringify(done, null, 2)}\n`);
  else {
    const width = Math.max(...done.map(({ stack }) => stack.length));
    process.stdout.write("\n");
    for (const { stack, results } of done) {
      const counts = (["pass", "fail", "skip"] as const)
        .map((status) => `${count(results, status)} ${status}`)
        .join(", ");
      process.stdout.write(`${stack.padEnd(width)}  ${counts}\n`);
    }
  }
  const failed = done.some(({ results }) => results.some(({ status, level }) => status === "fail" && level === "MUST"));
  if (failed) process.exitCode = exitStatus.failed;
}

// What is put to the test, and by which cases: stacks here or servers elsewhere, with this project's contract or another.
import {
  conformanceCases,
  contractSuite,
  localSubject,
  targetSuite,
  targetMisuseCases,
  targetSubject,
  type ConformanceCase,
  type ConformanceSubject,
} from "@roundtrip/conformance";
import { realService } from "@roundtrip/service";
import { loadStack, localStack } from "@roundtrip/stacks";
import { loadMisuses } from "@roundtrip/styles";
import type { Contract } from "@roundtrip/contract";
import type { Target } from "@roundtrip/runner";
import { certificateFor } from "../serving/kept-certificate.ts";
import { chosenStacks, withArguments, type StackFlags } from "../stacks/chosen-stacks.ts";
import { CliError } from "../basics/cli-error.ts";
import { knownTargets } from "../targets/known-targets.ts";
import type { TypedTarget } from "../targets/typed-target.ts";
import { probeTarget } from "../targets/probe-target.ts";

/** What flags say of what is tested. */
export interface TestedFlags extends StackFlags {
  readonly target?: readonly TypedTarget[];
  readonly ca?: string;
  readonly tokenEnv?: string;
  readonly tls: boolean;
}

async function subjectElsewhere(target: Target, contract: Contract): Promise<ConformanceSubject> {
  const { name, limitations, deviations } = await loadStack(target.stack);
  const connect = await probeTarget(contract, target);
  return targetSubject({ name, limitations, deviations, connect });
}

/** What the suite's cases call by name: without both there would be nothing but skips, which look like success. */
const tested = ["roundtrip.v1.HelloService", "roundtrip.v1.CustomerService"];

/** What is put to the test, and by which cases. */
export interface Tested {
  readonly subject: ConformanceSubject;
  readonly cases: readonly ConformanceCase[];
}

/** Any other contract: whether all that it can say arrives over each style. That takes servers whose answers are known. */
async function foreignOnes(
  names: readonly string[],
  flags: TestedFlags,
  contract: Contract,
): Promise<readonly Tested[]> {
  const stacks = await chosenStacks(withArguments(names, flags));
  const certificate = await certificateFor(flags.tls);
  const suite = contractSuite(contract);
  return Promise.all(
    stacks
      .filter(({ role }) => role === "style")
      .map(async (stack) => ({
        subject: localSubject({ ...(await localStack(stack.name, certificate)), service: suite.service }),
        cases: suite.cases((operation) => stack.view(operation, contract).lost),
      })),
  );
}

/** Any other contract on servers elsewhere: what can be asked of whoever it is. */
async function foreignElsewhere(targets: readonly Target[], contract: Contract): Promise<readonly Tested[]> {
  if (!contract.operations.some(({ sideEffects }) => sideEffects === "none")) {
    const why =
      "the contract says of no operation that it only reads, and servers elsewhere are asked for nothing else";
    throw new CliError("usage", `${why}: give one a GET, or idempotency_level = NO_SIDE_EFFECTS`);
  }
  return Promise.all(
    targets.map(async (target) => {
      const stack = await loadStack(target.stack);
      const misuses = await loadMisuses(stack.style);
      const misused = misuses === undefined ? [] : targetMisuseCases(contract, { ...target, misuses });
      return {
        subject: await subjectElsewhere(target, contract),
        cases: [...targetSuite(contract, stack), ...misused],
      };
    }),
  );
}

async function targetsOf(
  names: readonly string[],
  targets: readonly TypedTarget[],
  { ca, tokenEnv }: TestedFlags,
): Promise<readonly Target[]> {
  if (names.length > 0) {
    throw new CliError("usage", "give stacks to run here, or --target for servers elsewhere, not both");
  }
  return knownTargets(targets, ca, tokenEnv);
}

/** What was asked for. Rejects with a CliError that says what a user can do. */
export async function testedOnes(
  names: readonly string[],
  flags: TestedFlags,
  contract: Contract,
): Promise<readonly Tested[]> {
  const isOurs = tested.some((name) => contract.registry.getService(name) !== undefined);
  if (flags.target !== undefined) {
    const targets = await targetsOf(names, flags.target, flags);
    if (!isOurs) return foreignElsewhere(targets, contract);
    const subjects = await Promise.all(targets.map((target) => subjectElsewhere(target, contract)));
    return subjects.map((subject) => ({ subject, cases: conformanceCases }));
  }
  if (flags.tokenEnv !== undefined) throw new CliError("usage", "--token-env goes with --target");
  if (!isOurs) return foreignOnes(names, flags, contract);
  const stacks = await chosenStacks(withArguments(names, flags));
  const certificate = await certificateFor(flags.tls);
  return Promise.all(
    stacks.map(async ({ name }) => ({
      // Each with customers of its own: what one stack's cases write is no other's to read.
      subject: localSubject({ ...(await localStack(name, certificate)), service: realService(contract) }),
      cases: conformanceCases,
    })),
  );
}

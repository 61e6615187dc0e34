// The subjects of a conformance run and their cases: local stacks or targets, with the built-in contract or another.
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
import { loadStack, localStack, requireCodecs } from "@roundtrip/stacks";
import { loadMisuses } from "@roundtrip/styles";
import type { Contract, Operation } from "@roundtrip/contract";
import type { Target } from "@roundtrip/runner";
import { certificateFor } from "../serving/serving.ts";
import { chosenStacks, withArguments } from "../stacks/chosen-stacks.ts";
import type { StackFlags } from "../stacks/selected-stacks.ts";
import { CliError } from "../basics/cli-error.ts";
import { knownTargets } from "../targets/known-targets.ts";
import type { TypedTargets } from "../targets/typed-target.ts";
import { probeTarget } from "../targets/probe-target.ts";

export interface TestedFlags extends StackFlags {
  readonly target?: TypedTargets;
  readonly tls: boolean;
  readonly disposable: boolean;
  readonly operations?: readonly string[];
}

/** The operations with cases. Rejects with a FakeError for a name that the contract does not have. */
async function operationsIn(contract: Contract, { operations: names }: TestedFlags): Promise<readonly Operation[]> {
  if (names === undefined) return contract.operations;
  const { operationNamed } = await import("@roundtrip/fakes");
  return [...new Set(names.map((name) => operationNamed(contract, name)))];
}

async function subjectElsewhere(target: Target, contract: Contract): Promise<ConformanceSubject> {
  const { name, limitations, deviations } = await loadStack(target.stack);
  const connect = await probeTarget(contract, target);
  return targetSubject({ name, limitations, deviations, connect });
}

/** Services that the cases call. Without any of them all cases would be skipped, which looks like success. */
const tested = ["roundtrip.v1.HelloService", "roundtrip.v1.CustomerService"];

export interface Tested {
  readonly subject: ConformanceSubject;
  readonly cases: readonly ConformanceCase[];
}

/** Another contract on local stacks: tests whether every value arrives over each style, with servers whose answers are known. */
async function foreignSubjects(
  names: readonly string[],
  flags: TestedFlags,
  contract: Contract,
): Promise<readonly Tested[]> {
  const stacks = await chosenStacks(withArguments(names, flags));
  requireCodecs(contract);
  const certificate = await certificateFor(flags.tls);
  const suite = contractSuite(contract, await operationsIn(contract, flags));
  return Promise.all(
    stacks
      .filter(({ role }) => role === "style")
      .map(async (stack) => ({
        subject: localSubject({ ...(await localStack(stack.name, certificate)), service: suite.service }),
        cases: suite.cases((operation) => stack.view(operation, contract).lost),
      })),
  );
}

async function foreignElsewhere(
  targets: readonly Target[],
  contract: Contract,
  flags: TestedFlags,
): Promise<readonly Tested[]> {
  const { disposable: mayWrite } = flags;
  if (!mayWrite && !contract.operations.some(({ sideEffects }) => sideEffects === "none")) {
    const why =
      "the contract says of no operation that it only reads: give one a GET or idempotency_level = NO_SIDE_EFFECTS";
    throw new CliError("usage", `${why}, or --disposable if the target's data may be overwritten`);
  }
  const operations = await operationsIn(contract, flags);
  return Promise.all(
    targets.map(async (target) => {
      const stack = await loadStack(target.stack);
      const misuses = await loadMisuses(stack.style);
      const misused = misuses === undefined ? [] : targetMisuseCases(contract, { ...target, misuses }, operations);
      return {
        subject: await subjectElsewhere(target, contract),
        cases: [...targetSuite({ contract, style: stack, mayWrite }, operations), ...misused],
      };
    }),
  );
}

/** The requested subjects. Rejects with a CliError that states what to do. */
export async function conformanceSubjects(
  names: readonly string[],
  flags: TestedFlags,
  contract: Contract,
): Promise<readonly Tested[]> {
  const isOurs = tested.some((name) => contract.registry.getService(name) !== undefined);
  if (isOurs && flags.operations !== undefined) {
    throw new CliError("usage", "--operations goes with --contract: the cases of Roundtrip's own are of all services");
  }
  if (flags.target !== undefined) {
    if (names.length > 0) {
      throw new CliError("usage", "give stacks to run here, or --target for servers elsewhere, not both");
    }
    const targets = await knownTargets(flags.target);
    if (!isOurs) return foreignElsewhere(targets, contract, flags);
    const subjects = await Promise.all(targets.map((target) => subjectElsewhere(target, contract)));
    return subjects.map((subject) => ({ subject, cases: conformanceCases }));
  }
  if (!isOurs) return foreignSubjects(names, flags, contract);
  const stacks = await chosenStacks(withArguments(names, flags));
  const certificate = await certificateFor(flags.tls);
  return Promise.all(
    stacks.map(async ({ name }) => ({
      // Each subject has its own customers, so that cases of different stacks do not interfere.
      subject: localSubject({ ...(await localStack(name, certificate)), service: realService(contract) }),
      cases: conformanceCases,
    })),
  );
}

// The table of contracts and commands, and the shares of examples that fakes answer.
import { markdownTable } from "../markdown-table.ts";
import { calledStacks, calledStyles, type CalledStack } from "./called-fake.ts";
import type { ContractOutcome } from "./check-contract.ts";

const commands = ["describe", "types", "fake", "conform", "export k6"] as const;

interface Share {
  readonly called: number;
  readonly answered: number;
}

function shareOn({ fake }: ContractOutcome, stack: CalledStack): Share {
  return { called: fake?.called[stack] ?? 0, answered: fake?.answered[stack] ?? 0 };
}

/** The example requests of all contracts, over each style. */
export function totalShare(outcomes: readonly ContractOutcome[]): Share {
  const shares = outcomes.flatMap((outcome) => calledStacks.map((stack) => shareOn(outcome, stack)));
  return {
    called: shares.reduce((sum, { called }) => sum + called, 0),
    answered: shares.reduce((sum, { answered }) => sum + answered, 0),
  };
}

function cellOf({ commands: done }: ContractOutcome, name: (typeof commands)[number]): string {
  return done[name]?.figure ?? "–";
}

/** In Markdown: a row for each contract. Times depend on the machine; JSON has them. */
export function outcomeTable(outcomes: readonly ContractOutcome[]): string {
  const rows = outcomes.map((outcome) => {
    const { name, operations, tried } = outcome;
    const shares = calledStacks.map((stack) => {
      const { called, answered } = shareOn(outcome, stack);
      return `${answered} of ${called}`;
    });
    const count = operations === tried ? String(operations) : `${tried} of ${operations}`;
    return [name, count, ...commands.map((command) => cellOf(outcome, command)), ...shares];
  });
  const titles = Object.values(calledStyles).map((style) => `answered, ${style}`);
  return markdownTable(["contract", "operations", ...commands, ...titles], rows);
}

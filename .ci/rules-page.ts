// Prints docs/rules.md: the rules for every style, from the code.
import { reservedMetadataNames } from "../packages/contract/src/calls/metadata.ts";
import { endings, judgingOrder, ruleTopics, type RuleForms } from "../packages/contract/src/style-rules/rules.ts";
import { conformanceCases } from "../packages/conformance/src/cases.ts";
import { loadStack, stackNames } from "../packages/stacks/src/index.ts";
import {
  loadMisuses,
  loadRules,
  loadStyle,
  misuseTitles,
  styleNames,
  type Misuse,
  type ProtocolMisuse,
  type RawAnswer,
  type ServerLimit,
} from "../packages/styles/src/index.ts";
import { serverLimits } from "./server-limits.ts";

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return line(head) + line(head.map(() => "---")) + rows.map(line).join("");
}

function cases(areas: readonly string[]): string {
  const count = conformanceCases.filter(({ area }) => areas.includes(area)).length;
  return `${count} cases check this (${areas.join(", ")}).\n`;
}

function titleOf(caseId: string): string {
  const found = conformanceCases.find(({ id }) => id === caseId);
  if (found === undefined) throw new Error(`there is no case ${caseId}`);
  return found.title;
}

function raw({ httpStatus, code }: RawAnswer): string {
  if (httpStatus === undefined) return "no answer";
  return code === undefined ? `HTTP ${httpStatus}` : `HTTP ${httpStatus}, ${code}`;
}

function rawAnswers(misuses: ProtocolMisuse | undefined, misuse: Misuse): string {
  return misuses?.attempts[misuse]?.answers.map(raw).join("; or ") ?? "–";
}

/** The styles that express the rules, with their columns. */
const columns = (
  await Promise.all(
    styleNames().map(async (name) => {
      const rules = await loadRules(name);
      if (rules === undefined) return [];
      return [{ ...rules, title: (await loadStyle(name)).title, misuses: await loadMisuses(name) }];
    }),
  )
).flat();
const styles = columns.map(({ title }) => title);

/** Each deviation once, even if several stacks have it. */
const deviations = (await Promise.all(stackNames().map(loadStack)))
  .flatMap((stack) => stack.deviations)
  .map(({ cause, caseId, reason }) => [cause, `${caseId}: ${titleOf(caseId)}`, reason])
  .filter((row, index, all) => all.findIndex((other) => other.join() === row.join()) === index);

/** Limits that only one style has. */
const ownLimits = columns.flatMap(({ title: owner, ownLimits: own }) =>
  own.map(({ limit, most, form }) => [limit, most, ...styles.map((title) => (title === owner ? form : "–"))]),
);

function formOf(forms: RuleForms, topic: keyof RuleForms, about: string): string {
  return (forms[topic] as Readonly<Record<string, string>>)[about] ?? "";
}

const parts = [
  `# Rules for every style

<!-- Generated from packages/contract/src/style-rules/rules.ts and the folder of each style by \`pnpm generate\`. -->

The same call gives the same value and error over every style. These are the rules, with their form in each style. The
[conformance cases](conformance.md) check them over real sockets.

## Codes

Every call ends with one of these. REST's body names the code, because several share a status. GraphQL answers an executed request
with HTTP 200, even if its fields failed.

`,
  table(
    ["code", ...columns.map(({ ending }) => ending.heading)],
    endings.map((code) => [code, ...columns.map(({ ending }) => ending.form(code))]),
  ),
  "\n## Order of checks\n\nThe first check that fails determines the answer; later checks do not run.\n\n",
  table(
    ["", "checked by", "question", "codes"],
    judgingOrder.map(({ judge, question, codes }, index) => [String(index + 1), judge, question, codes.join(", ")]),
  ),
  ...ruleTopics.flatMap(({ title, rules, areas }) => [
    `\n## ${title}\n\n`,
    table(
      ["", "rule", ...styles],
      Object.entries(rules).map(([about, rule]) => [
        about,
        rule,
        ...columns.map(({ forms }) => formOf(forms, title, about)),
      ]),
    ),
    `\n${cases(areas)}`,
  ]),
  `\nReserved names: ${reservedMetadataNames.map((name) => `\`${name}\``).join(", ")}, and all that begin with \`grpc-\` or \`:\`.\n`,
  "\n## Limits of a server\n\nServer limits, and the error a client gets when it exceeds one. A server checks time limits periodically, so they apply up to 5 s late.\n\n",
  table(
    ["limit", "setting and default", ...styles],
    [
      ...Object.entries(serverLimits).map(([limit, cells]) => [
        ...cells,
        ...columns.map(({ limits }) => limits[limit as ServerLimit]),
      ]),
      ...ownLimits,
    ],
  ),
  "\n## Misuse\n\nBytes that no client sends, and the answer. The server continues to serve.\n\n",
  table(
    ["what is sent", ...styles],
    Object.entries(misuseTitles).map(([misuse, title]) => [
      title,
      ...columns.map(({ misuses }) => rawAnswers(misuses, misuse as Misuse)),
    ]),
  ),
  "\n## Known deviations\n\nThe suite runs these cases as well, and fails once one of them passes.\n\n",
  table(["caused by", "case", "reason"], deviations),
];

process.stdout.write(parts.join(""));

// Prints docs/breaking-changes.md: what typical contract changes do to callers of each style, as tested with earlier callers.
import { fieldChanges } from "../packages/cli/test/support/check/typical-field-changes.ts";
import { messageChanges } from "../packages/cli/test/support/check/typical-message-changes.ts";
import { operationChanges } from "../packages/cli/test/support/check/typical-operation-changes.ts";
import { typeChanges } from "../packages/cli/test/support/check/typical-type-changes.ts";
import { expectedOf, type TypicalChange } from "../packages/cli/test/support/check/typical-change.ts";
import { loadJudge } from "../packages/cli/src/check/judges.ts";

const titles = (await Promise.all(expectedOf.map(loadJudge))).map(({ title }) => title);

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`;
}

function table(changes: readonly TypicalChange[]): string {
  const head = ["change", ...titles];
  const rows = changes.map(({ title, expected }) => [
    title,
    ...expected.map((verdict) => (verdict === "breaks" ? "**breaks**" : verdict)),
  ]);
  return row(head) + row(head.map(() => "---")) + rows.map((cells) => row(cells)).join("");
}

const parts = [
  `# Find what a contract change breaks

<!-- Generated from packages/cli/test/support/check/typical-*-changes.ts by \`pnpm generate\`. -->

Save this contract as \`old/shop.proto\`:

\`\`\`proto
syntax = "proto3";
package shop.v1;
service Shop {
  rpc Buy(BuyRequest) returns (BuyResponse);
}
message BuyRequest {
  string what = 1;
}
message BuyResponse {
  int64 price = 1;
}
\`\`\`

Rename a field in a copy, and compare:

\`\`\`sh
mkdir new && sed 's/string what/string thing/' old/shop.proto > new/shop.proto
npx -y pnpm@10 -s check --contract new --against old
\`\`\`

\`\`\`text
shop.v1.BuyRequest.what  renamed to thing
  GraphQL  breaks     BuyInput.what was removed
  gRPC     safe       the wire has numbers, not names
  REST     breaks     INVALID_ARGUMENT: unknown field what

1 change since old. GraphQL: 1 breaks; gRPC: nothing breaks; REST: 1 breaks.
\`\`\`

A change can be safe in one style and break callers in another. On the gRPC wire, a renamed field has the same bytes; in JSON, it is a different
field. A changed field number is the reverse. \`roundtrip check\` compares a contract with an earlier version. For every change and style it
reports the effect on existing callers:

| verdict | meaning for a caller built with the earlier contract |
| --- | --- |
| **breaks** | a call that uses it fails, or a value that both contracts have arrives wrong or not at all |
| may break | calls succeed, but for some values or callers their meaning changes |
| safe | every call continues to work |

The exit status is 1 if something breaks, otherwise 0. In a repository, \`--against main\` compares the work tree with that branch.

Run the commands in a clone of this repository; a test runs them. In a project that [has the packages](fakes.md#in-a-project-of-your-own), type
\`npx --no roundtrip\` instead of \`npx -y pnpm@10 -s\`.

## Options

- \`--against\` names the earlier contract: a folder, a file, a descriptor set, or a git revision (\`main\`, \`HEAD~3\`, \`v1.2\`). For a revision,
  \`check\` reads the contract's path at that time and leaves the work tree and index alone.
- \`--contract\` names the current contract (default: the folder \`proto\`). \`--proto-path\` and \`--http-rules\` work as
  [everywhere](your-contract.md).
- \`--style graphql,grpc,rest,code\` selects styles. \`code\` is the source of callers with regenerated types, and is judged only if you name it.
- \`--json\` and \`--markdown\` print the result as data, or as a table for a pull request.

A renamed package is one row with its effect on each style, if nothing remains in the old package. Markdown folds the single changes below it, and JSON
lists them all.

## How it decides

Each style has a judge, \`breaking-changes.ts\` in its folder of packages/styles:

- generated code: \`buf breaking\` (category FILE)
- GraphQL: graphql-js on the two schemas
- the others: rules of their own. A test has a row for each change of a contract and each pair of scalar types, and decides it by calls

A judge then refines these results with what the tools do not know. That is the direction in which a value travels, the possible
values, and what is on the wire ([decision 0174](decisions/0174-what-a-change-breaks-is-judged-for-each-style.md)). A result of a tool that no change
explains has a row of its own.

## Allow a break

Save this as \`breaks.yaml\`:

\`\`\`yaml
- change: shop.v1.BuyRequest.what # as the report names it; * stands for anything
  kind: field-renamed # of this kind alone (--json has them); without it, any
  styles: [rest, graphql] # on these alone; without it, on all
  reason: the web shop is the only caller, and changes with it
\`\`\`

\`\`\`sh
npx -y pnpm@10 -s check --contract new --against old --allow breaks.yaml
\`\`\`

The report shows allowed breaks with their reason, and they do not affect the exit status. It also lists entries that no longer apply.

## Typical changes

A test checks every row twice: by the verdict of \`check\`, and by an older caller that calls a newer server over real sockets. For safe, all
calls worked. For **breaks**, some failed. Random changes of contracts pass the same test.

### Fields, their names and numbers

`,
  table(fieldChanges),
  "\n### Types of fields\n\n",
  table(typeChanges),
  "\n### Enums and operations\n\n",
  table(operationChanges),
  "\n### Messages and rules\n\n",
  table(messageChanges),
];

process.stdout.write(parts.join(""));

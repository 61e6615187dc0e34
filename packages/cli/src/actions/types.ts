// The action of `roundtrip types`: writes TypeScript types of a contract, or checks that they are up to date.
import { join } from "node:path";
import { CliError } from "../basics/cli-error.ts";
import { loadContractFrom, type ContractFlags } from "../contract/contract-source.ts";
import { generateTypes, type TypesForm } from "../types/generate-types.ts";
import { bringUpToDate, driftOf } from "../types/generated-folder.ts";

interface TypesFlags extends ContractFlags, TypesForm {
  readonly out?: string;
  readonly check: boolean;
  readonly json: boolean;
}

export async function types({ out, check, json, language, imports, ...flags }: TypesFlags): Promise<void> {
  if (out === undefined) throw new CliError("usage", "--out is missing: the directory where the types go");
  if (language === "js" && imports === "ts") {
    throw new CliError("usage", "--imports ts is for --language ts: JavaScript imports .js");
  }
  await using loaded = await loadContractFrom(flags.contract);
  const { files, renamed } = await generateTypes(loaded.contract, { language, imports });
  const drift = await driftOf(out, files);
  const changed = drift.changed.map(({ name }) => join(out, name));
  const stale = drift.stale.map((name) => join(out, name));
  if (!check) await bringUpToDate(out, drift);
  if (json)
    process.stdout.write(`${JSON.stringify(check ? { changed, stale } : { written: changed, removed: stale })}\n`);
  if (check && changed.length + stale.length > 0) {
    const [first = ""] = [...changed, ...stale];
    const others = changed.length + stale.length - 1;
    const more = others === 0 ? "" : ` and ${others} more`;
    throw new CliError("failed", `${first}${more}: not up to date; run the same without --check`);
  }
  for (const { message, from, to } of renamed) {
    process.stderr.write(
      `${message}: ${from} is generated as ${to}, because TypeScript has one name for it and another\n`,
    );
  }
  if (json) return;
  if (changed.length + stale.length === 0) process.stdout.write(`${out} is up to date\n`);
  process.stdout.write(check ? "" : changed.map((path) => `${path}\n`).join(""));
  process.stdout.write(check ? "" : stale.map((path) => `${path} removed\n`).join(""));
}

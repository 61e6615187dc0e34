// What a change does to the source of callers whose types are generated anew from the contract after: buf's findings, which are about names.
import type { Change } from "../change.ts";
import { breaks, safe, type Judgement } from "../judgement.ts";
import type { Finding } from "../tools/finding.ts";

/** Rules of buf's category FILE whose subject no generated source has a name for. */
const notInSource: ReadonlySet<string> = new Set(["FIELD_SAME_JSON_NAME", "RPC_SAME_IDEMPOTENCY_LEVEL"]);

/** Judges a change, with buf's findings of generated code that belong to it. */
export function judgeCode(change: Change, findings: readonly Finding[]): Judgement {
  if (change.kind === "enum-value-renumbered") return safe("source has names, not numbers");
  if (change.kind === "field-renumbered") return safe("source has names, not numbers");
  const [first] = findings.filter(({ rule }) => !notInSource.has(rule));
  if (first === undefined && (change.kind === "operation-moved" || change.kind === "type-moved")) {
    return breaks("source has another name for it");
  }
  return first === undefined
    ? safe("source that was written before still compiles")
    : breaks(first.text.replace(/\.$/, ""));
}

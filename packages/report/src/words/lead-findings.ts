// Selects the leading findings of a long verdict: the answers to a run's questions, as many as fit a reader's attention.
import type { Analysis, Finding } from "@roundtrip/analysis";

/** A verdict up to this length is shown whole. */
const shortVerdict = 6;
/** A finding that is clear for one stack only takes two sentences: leaves space for a few such pairs. */
const mostLeading = 8;

/** Findings on loads. Where there are any, loads are the purpose of the run. */
const codesOfLoads = ["carried-load", "response-doubling", "load-levels"];
/** Findings on single callers, which answer no question about loads. In other studies, claims of a difference lead. */
const codesOfLoneCallers = ["fastest", "no-difference", "too-few-rounds"];

const claims: readonly Finding["strength"][] = ["clear", "likely"];

/** Questions in a reader's order, each with the codes of the findings that answer it. */
const questions: readonly { readonly codes: readonly string[]; readonly perStudy: boolean }[] = [
  { codes: ["round-trips"], perStudy: true },
  { codes: ["crossover"], perStudy: true },
  { codes: ["crossover-chatty-parallel"], perStudy: true },
  ...codesOfLoads.map((code) => ({ codes: [code], perStudy: true })),
  { codes: ["anomaly"], perStudy: true },
  { codes: ["usual-changes"], perStudy: true },
  { codes: ["library-effects"], perStudy: true },
  { codes: ["style-bounds"], perStudy: true },
  { codes: ["style-order"], perStudy: true },
  { codes: [...codesOfLoneCallers, "throughput"], perStudy: true },
  { codes: ["within-style"], perStudy: true },
  { codes: ["libraries-measured"], perStudy: false },
  { codes: ["setting-level"], perStudy: true },
  { codes: ["chatty-against-facade"], perStudy: false },
  { codes: ["break-even"], perStudy: false },
  { codes: ["client-cost"], perStudy: false },
  { codes: ["floor-multiple"], perStudy: false },
];

export interface LeadFindings {
  /** The answers, in the order of the questions. */
  readonly lead: readonly Finding[];
  /** Each other kind of finding, for the first task of a study that has it. */
  readonly more: readonly Finding[];
  /** The same kinds for its other tasks. */
  readonly others: readonly Finding[];
}

function kindOf({ study, code }: Finding): string {
  return JSON.stringify([study, code]);
}

function ofFirstTasks({ arms, findings }: Pick<Analysis, "arms" | "findings">): (finding: Finding) => boolean {
  const tasks = new Map(arms.map(({ id, task }) => [id, task]));
  const taskOf = ({ armIds }: Finding): string => tasks.get(armIds[0] ?? "") ?? "";
  const first = new Map(findings.toReversed().map((finding) => [kindOf(finding), taskOf(finding)]));
  return (finding) => first.get(kindOf(finding)) === taskOf(finding);
}

/** Drops findings that would displace answers about loads. */
function mayLead(findings: readonly Finding[]): readonly Finding[] {
  const loaded = new Set(findings.filter(({ code }) => codesOfLoads.includes(code)).map(({ study }) => study));
  if (loaded.size === 0) return findings;
  return findings.filter(
    ({ code, study, strength }) =>
      !codesOfLoneCallers.includes(code) || (claims.includes(strength) && !loaded.has(study)),
  );
}

/** Puts every finding into exactly one of three lists. `more` and `others` keep the order of the findings. */
export function leadFindings(analysis: Pick<Analysis, "arms" | "findings">): LeadFindings {
  const { findings } = analysis;
  if (findings.length <= shortVerdict) return { lead: findings, more: [], others: [] };
  const isFirst = ofFirstTasks(analysis);
  const leading = mayLead(findings);
  const answers = questions.flatMap(({ codes, perStudy }) => {
    const fitting = leading.filter((finding) => codes.includes(finding.code) && isFirst(finding));
    const studies = [...Map.groupBy(fitting, ({ study }) => study).values()];
    const asked = perStudy ? studies : studies.slice(0, 1);
    // The first finding decides which code answers: who is fastest, or that nobody is.
    return asked.flatMap((ofStudy) => ofStudy.filter(({ code }) => code === ofStudy[0]?.code));
  });
  const isShort = answers.length === 0 || leading !== findings;
  const lead = (answers.length === 0 ? findings : answers).slice(0, isShort ? shortVerdict : mostLeading);
  const rest = findings.filter((finding) => !lead.includes(finding));
  return { lead, more: rest.filter(isFirst), others: rest.filter((finding) => !isFirst(finding)) };
}

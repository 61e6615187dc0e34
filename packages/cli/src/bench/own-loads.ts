// Studies of load with the tasks of a user's contract: `bench --contract X load`.
import {
  loadStudyOfWork,
  studyGroups,
  studyNames,
  type LevelName,
  type LoadLevels,
  type StudyOfWork,
  type Work,
} from "@roundtrip/bench";
import type { Study } from "@roundtrip/runner";
import { CliError } from "../basics/cli-error.ts";
import { withoutGroups } from "./chosen-studies.ts";
import type { OwnFlags } from "./own-study.ts";
import type { TypedLoad } from "./study-options.ts";

/** Each takes up to a minute in a study of load. `--operations` names more. */
export const mostLoadedOperations = 3;

/** More combinations than a run has time for. */
const mostTasks = 400;

const levelKeys = { ratesHz: "rate", callers: "callers", thinkMs: "think" } as const satisfies Record<
  LevelName,
  keyof TypedLoad
>;

export function levelsOf({ rate, callers, think }: TypedLoad = {}): LoadLevels {
  return { ...(rate && { ratesHz: rate }), ...(callers && { callers }), ...(think && { thinkMs: think }) };
}

interface NamedStudy {
  readonly name: string;
  readonly isOfGroup: boolean;
  readonly ofWork: StudyOfWork | undefined;
}

/** A study to measure with the user's tasks. */
export interface OwnLoad {
  readonly name: string;
  readonly ofWork: StudyOfWork;
}

async function namedStudies(names: readonly string[]): Promise<readonly NamedStudy[]> {
  const all = names.flatMap((name) =>
    withoutGroups([name]).map((one) => ({ name: one, isOfGroup: studyGroups().has(name) })),
  );
  return Promise.all(all.map(async (one) => ({ ...one, ofWork: await loadStudyOfWork(one.name) })));
}

async function studiesOfAnyWork(): Promise<string> {
  const all = await namedStudies(studyNames());
  return all.flatMap(({ name, ofWork }) => (ofWork === undefined ? [] : [name])).join(", ");
}

function requireUsedLevels(loads: readonly OwnLoad[], levels: LoadLevels): void {
  const used = loads.flatMap(({ ofWork }) => ofWork.levels);
  const [unused] = (Object.keys(levels) as LevelName[]).filter((level) => !used.includes(level));
  if (unused === undefined) return;
  const study = unused === "ratesHz" ? "load-rates" : "concurrency";
  throw new CliError(
    "usage",
    `--load ${levelKeys[unused]} is for the study ${study} of tasks of your own (with --contract, --tasks or --operations); remove it, or name that study`,
  );
}

/** Throws a usage error for a missing level, unless the study is one of a group. */
function hasItsLevel({ name, ofWork, isOfGroup }: NamedStudy, levels: LoadLevels): boolean {
  if (ofWork === undefined) return false;
  if (ofWork.needs === undefined || levels[ofWork.needs] !== undefined) return true;
  if (isOfGroup) return false;
  throw new CliError(
    "usage",
    `${name} of tasks of your own needs levels, such as --load ${levelKeys[ofWork.needs]}=1,10,100`,
  );
}

/**
 * The named studies that the flags give tasks to; empty if the built-in contract's operations are meant. Rejects with a usage error for a study that
 * cannot measure other tasks, a missing level, and a typed level that no study uses.
 * @param isTyped whether the levels are on the command line. A configuration may have them for other studies.
 */
export async function chosenLoads(
  names: readonly string[],
  flags: OwnFlags,
  levels: LoadLevels,
  isTyped: boolean,
): Promise<readonly OwnLoad[]> {
  const given = [flags.tasks && "--tasks", flags.operations && "--operations"].find((flag) => flag !== undefined);
  const bringsTasks = flags.contract !== undefined || given !== undefined;
  const named = bringsTasks ? await namedStudies(names) : [];
  const fixed = named.find(({ ofWork, isOfGroup }) => ofWork === undefined && !isOfGroup);
  const takes = named.some(({ ofWork }) => ofWork !== undefined);
  if (fixed !== undefined && (takes || given !== undefined)) {
    const why = `${fixed.name} measures operations of the built-in contract; for tasks of your own, choose of ${await studiesOfAnyWork()}`;
    throw new CliError("usage", `${why}, or name no study`);
  }
  const loads = named.flatMap((one): readonly OwnLoad[] =>
    hasItsLevel(one, levels) && one.ofWork !== undefined ? [{ name: one.name, ofWork: one.ofWork }] : [],
  );
  const unique = [...new Map(loads.map((load) => [load.name, load])).values()];
  if (isTyped) requireUsedLevels(unique, levels);
  return unique;
}

/** The work of a study's tasks, each variant by itself, because a capacity is that of one plan. */
function worksOf({ tasks }: Study, hasTaskFile: boolean): readonly Work[] {
  return tasks.flatMap((task) => {
    const { load: _, saturation: _s, callers: _c, tasksPerRound: _r, tasksPerBlock: _b, ...work } = task;
    const all = Object.entries(work.variants);
    // The variants of an operation are itself and its parts.
    const variants = hasTaskFile ? all : all.slice(0, 1);
    return variants.map(([variant, plan]): Work => {
      const name = variants.length === 1 ? task.name : `${task.name}-${variant}`;
      return { ...work, name, variants: { single: plan } };
    });
  });
}

/** The studies of load with the tasks of `own`. Throws a usage error for two variants of one name, and for too many combinations. */
export function loadsOf(
  own: Study,
  loads: readonly OwnLoad[],
  levels: LoadLevels,
  hasTaskFile: boolean,
): readonly Study[] {
  const works = worksOf(own, hasTaskFile);
  const names = works.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new CliError("usage", `two tasks with variants would be named ${twice}; rename one`);
  return loads.map(({ name, ofWork }) => {
    const study = ofWork.study(works, levels);
    if (study.tasks.length > mostTasks) {
      throw new CliError(
        "usage",
        `${name} would measure ${study.tasks.length} combinations, and ${mostTasks} are the limit; give fewer levels or tasks`,
      );
    }
    return { ...study, name: `${own.name}-${name}`, title: `${own.title}: ${study.title}`, rounds: own.rounds };
  });
}

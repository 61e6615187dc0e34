// Messages of `bench` before and during a run.
import { shownUrl, type MeasureOptions, type Progress, type SettingLevels } from "@roundtrip/runner";

function seconds(ms: number): string {
  return ms < 90_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.ceil(ms / 60_000)} min`;
}

export function progressText({ round, rounds, studies, searched, done, remainingMs }: Progress): string {
  const now = studies.length === 0 ? "" : `${studies.join(" and ")}, `;
  if (searched !== undefined) return `${now}searching what ${searched} carries`;
  if (done === 0) return `${now}starting servers and clients`;
  const left = remainingMs === undefined ? "" : `, ${seconds(Math.max(remainingMs, 0))} left`;
  return `${now}round ${round + 1} of ${rounds}${left}`;
}

/** The settings of a stack or service in the plan: ` with requestCompression=identity,gzip`. */
function settingText(levels: SettingLevels[string] = {}): string {
  const each = Object.entries(levels).map(([name, values]) => `${name}=${values.join(",")}`);
  return each.length === 0 ? "" : ` with ${each.join(" ")}`;
}

/** `, by k6 v1.8.1 in 2 instances`; empty for Roundtrip's own clients. */
function generatorText(engine: MeasureOptions["engine"]): string {
  const [first] = engine?.generators ?? [];
  if (engine === undefined || first === undefined) return "";
  const { length } = engine.generators;
  return `, by ${first.name} ${first.version}${length === 1 ? "" : ` in ${length} instances`}`;
}

/** The plan in one line: subjects, duration and directory. */
export function planText(options: MeasureOptions): string {
  const { studies, stacks, settings, targets, rounds, budgetMs, typed, directory, engine } = options;
  const what = studies.map(({ name }) => name).join(" and ");
  const urls = new Map(targets.map(({ stack, url }) => [stack, ` at ${shownUrl(url)}`]));
  const where = stacks
    .map(({ name, title }) => `${title}${urls.get(name) ?? ""}${settingText(settings[name])}`)
    .join(", ");
  const services = Object.keys(settings).filter((name) => !stacks.some((stack) => stack.name === name));
  const served = services.map((name) => `, ${name}${settingText(settings[name])}`).join("");
  const counted = `${rounds} ${rounds === 1 ? "round" : "rounds"}`;
  const howLong =
    typed?.has("budget") === true
      ? `up to ${counted} within ${seconds(budgetMs)}`
      : `${counted} in about ${seconds(budgetMs)}`;
  return `Measuring ${what} over ${where}${served}${generatorText(engine)}: ${howLong}, into ${directory}\n`;
}

// How stacks and variants look in every picture: a colour per stack, a dash and a shape per variant, so that colour is never alone.
import { configurationOf, type Analysis, type Arm } from "@roundtrip/analysis";

// After Okabe and Ito (2008), darkened or lightened until each has a contrast of at least 3:1 against its paper.
const lightHues = ["#0072b2", "#c8501e", "#00805f", "#a8488c", "#8a6d00", "#3f4fb5", "#7a3b1e", "#4d7a00"];
const darkHues = ["#5bb4ea", "#f2915c", "#3cc79b", "#e79ac6", "#e2c044", "#9aa8ff", "#d9a184", "#a9d65c"];

const named = (hues: readonly string[]): string => hues.map((hue, index) => `--hue-${index}:${hue}`).join(";");

/** Custom properties of both themes, as the declarations of a rule. */
export const themes = {
  light: `--paper:#fff;--ink:#1b1f24;--quiet:#5a6470;--line:#d5dae0;--faint:#eef1f4;--floor:#6b7480;--source:#6b7480;${named(lightHues)}`,
  dark: `--paper:#14171b;--ink:#e8eaed;--quiet:#a4adb8;--line:#3a424c;--faint:#20252b;--floor:#98a2ae;--source:#98a2ae;${named(darkHues)}`,
} as const;

/** The colour of each stack of a run, as it is set: the same in every picture of it. Floor arms are grey. */
export function colours({ arms }: Pick<Analysis, "arms">): (arm: Arm) => string {
  const styles = [...new Set(arms.filter(({ role }) => role === "style").map(configurationOf))].toSorted();
  const hues = new Map(styles.map((configuration, index) => [configuration, `var(--hue-${index % lightHues.length})`]));
  return (arm) => hues.get(configurationOf(arm)) ?? "var(--floor)";
}

/** How a line is drawn where colour is not alone: its dash, and the shape of its points (`none` without points). */
export interface VariantLook {
  readonly dash: string;
  readonly symbol: "circle" | "square" | "triangle" | "diamond" | "star" | "cross" | "none";
}

const looks: readonly VariantLook[] = [
  { dash: "none", symbol: "circle" },
  { dash: "7 4", symbol: "square" },
  { dash: "2 3", symbol: "triangle" },
  { dash: "9 3 2 3", symbol: "diamond" },
  { dash: "4 2", symbol: "star" },
  { dash: "1 4", symbol: "cross" },
];

const known = ["facade", "chatty", "chatty-parallel", "together"];

/** The dash and shape of a variant: the same in every picture. */
export function variantLook(variant: string): VariantLook {
  const place = known.indexOf(variant);
  return looks[place < 0 ? (variant === "single" ? 0 : 4) : place] as VariantLook;
}

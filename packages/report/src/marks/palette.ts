// How stacks and variants look in every picture: a colour per style, a shade of it per stack, a dash and a shape per variant.
import { configurationOf, type Analysis, type Arm } from "@roundtrip/analysis";

// After Okabe and Ito (2008), darkened or lightened until each has a contrast of at least 3:1 against its paper.
const lightHues = ["#0072b2", "#c8501e", "#00805f", "#a8488c", "#8a6d00", "#3f4fb5", "#7a3b1e", "#4d7a00"];
const darkHues = ["#5bb4ea", "#f2915c", "#3cc79b", "#e79ac6", "#e2c044", "#9aa8ff", "#d9a184", "#a9d65c"];

/** How much black or white is in each shade of a colour: away from the paper, so that contrast only grows. */
const shades = [0, 0.3, 0.52, 0.7];

/** `#rrggbb` with a share of another grey in it. */
function mixed(hue: string, grey: number, share: number): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(hue.slice(at, at + 2), 16));
  const mix = parts.map((part) => Math.round(part + (grey - part) * share));
  return `#${mix.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

function property(hue: number, shade: number): string {
  return shade === 0 ? `--hue-${hue}` : `--hue-${hue}-${shade}`;
}

function named(hues: readonly string[], grey: number): string {
  return hues
    .flatMap((hue, index) => shades.map((share, shade) => `${property(index, shade)}:${mixed(hue, grey, share)}`))
    .join(";");
}

/** Custom properties of both themes, as the declarations of a rule. */
export const themes = {
  light: `--paper:#fff;--ink:#1b1f24;--quiet:#5a6470;--line:#d5dae0;--faint:#eef1f4;--floor:#6b7480;--source:#6b7480;${named(lightHues, 0)}`,
  dark: `--paper:#14171b;--ink:#e8eaed;--quiet:#a4adb8;--line:#3a424c;--faint:#20252b;--floor:#98a2ae;--source:#98a2ae;${named(darkHues, 255)}`,
} as const;

/** The declarations of a theme without the shades that a picture does not use. */
export function themeFor(svg: string, theme: keyof typeof themes): string {
  const isNeeded = (declaration: string): boolean =>
    !/^--hue-\d-/.test(declaration) || svg.includes(`var(${declaration.split(":")[0]})`);
  return themes[theme].split(";").filter(isNeeded).join(";");
}

/**
 * The colour of each stack of a run: of its style, in one of four shades for each library or setting, in the order of the run: the fifth looks like the first. The same in every picture.
 * Floor arms are grey.
 */
export function colours({ arms }: Pick<Analysis, "arms">): (arm: Arm) => string {
  const measured = arms.filter(({ role }) => role === "style");
  const styles = [...new Set(measured.map(({ style }) => style))].toSorted();
  const hues = new Map(
    styles.flatMap((style, hue) => {
      const ofStyle = new Set(measured.filter((arm) => arm.style === style).map(configurationOf));
      return [...ofStyle].map(
        (configuration, shade) =>
          [configuration, `var(${property(hue % lightHues.length, shade % shades.length)})`] as const,
      );
    }),
  );
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

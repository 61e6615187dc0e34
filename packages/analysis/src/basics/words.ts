// Numbers in sentences: significant digits, suitable units, plurals.

/** `1 round`, `2 rounds`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Three significant digits without an exponent: `0.0123`, `1.23`, `12.3`, `123`, `1,235`. */
export function threeDigits(value: number): string {
  const size = Math.abs(value);
  if (size >= 100 || value === 0) return Math.round(value).toLocaleString("en-US");
  return Number(value.toPrecision(3)).toLocaleString("en-US", {
    minimumFractionDigits: 0,
    maximumFractionDigits: 20,
  });
}

/** A ratio, or where lines cross: two decimals below 10, where 1 % matters, then fewer. */
export function ratioText(ratio: number): string {
  if (ratio >= 100) return Math.round(ratio).toLocaleString("en-US");
  if (ratio >= 10) return ratio.toFixed(1);
  return ratio >= 0.1 ? ratio.toFixed(2) : Number(ratio.toPrecision(2)).toString().replace("-", "−");
}

/** The unit in which a duration is between 1 and 1,000, and its length in milliseconds. */
function durationUnit(ms: number): { readonly name: string; readonly ms: number } {
  const size = Math.abs(ms);
  if (size >= 1_000) return { name: "s", ms: 1_000 };
  if (size >= 1) return { name: "ms", ms: 1 };
  return size >= 1e-3 || ms === 0 ? { name: "µs", ms: 1e-3 } : { name: "ns", ms: 1e-6 };
}

export function durationText(ms: number): string {
  const unit = durationUnit(ms);
  return `${threeDigits(ms / unit.ms).replace("-", "−")} ${unit.name}`;
}

/** A range of durations, with one unit if both are the same: `205 to 216 µs`, `980 µs to 1.02 ms`. */
export function durationRange(lowMs: number, highMs: number): string {
  const unit = durationUnit(highMs);
  if (durationUnit(lowMs).name !== unit.name && lowMs !== 0) return `${durationText(lowMs)} to ${durationText(highMs)}`;
  return `${threeDigits(lowMs / unit.ms)} to ${threeDigits(highMs / unit.ms)} ${unit.name}`.replaceAll("-", "−");
}

/** An amount of data, in powers of ten like bandwidths: `272 bytes`, `277 KB`, `3.9 MB`. */
export function bytesText(bytes: number): string {
  if (bytes >= 1_000_000) return `${threeDigits(bytes / 1_000_000)} MB`;
  return bytes >= 10_000 ? `${threeDigits(bytes / 1_000)} KB` : counted(Math.round(bytes), "byte");
}

/** A window, in powers of two as protocols set it: `64 KiB`, also for HTTP/2's 65,535 bytes, and `8 MiB`. */
export function windowText(bytes: number): string {
  return bytes % 2 ** 20 === 0 ? `${bytes / 2 ** 20} MiB` : `${Math.round(bytes / 1024)} KiB`;
}

export function listed(items: readonly string[]): string {
  if (items.length <= 1) return items.join("");
  return `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

// A sentence of the verdict, and how certain it is.

/** One sentence of the verdict, with the arms that it rests on. */
export interface Finding {
  readonly code: string;
  readonly study: string;
  readonly sentence: string;
  /** `clear`: the interval supports it. `likely`: it does, if noise is normal (few rounds). `none`: no difference was found. `inconclusive`: the data cannot say. `measured`: figures side by side. `fact`: counted. */
  readonly strength: "clear" | "likely" | "none" | "inconclusive" | "measured" | "fact";
  readonly armIds: readonly string[];
}

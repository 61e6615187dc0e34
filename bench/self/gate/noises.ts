// The kinds of noise that test the gate: how the logarithm of head ÷ base may vary from round to round if nothing differs.
import type { Random } from "@roundtrip/analysis/statistics";
import { normalSource } from "./normal-source.ts";

/** Draws one series after another: the noise of rounds 0, 1, 2, … in standard deviations. */
export type NoiseSource = (rounds: number) => Float64Array;

interface Noise {
  readonly name: string;
  /** What it stands for, as a clause. */
  readonly is: string;
  readonly from: (random: Random) => NoiseSource;
}

function independent(draw: () => number): NoiseSource {
  return (rounds) => Float64Array.from({ length: rounds }, draw);
}

/** All have variance 1, except that the spikes are added to it. */
export const noises: readonly Noise[] = [
  {
    name: "normal",
    is: "many small causes",
    from: (random) => independent(normalSource(random)),
  },
  {
    name: "heavy-tailed",
    is: "Student's t with three degrees of freedom: now and then a round is far off",
    from(random) {
      const normal = normalSource(random);
      // t₃ has variance 3.
      return independent(() => normal() / Math.hypot(normal(), normal(), normal()));
    },
  },
  {
    name: "autocorrelated",
    is: "half of a round's deviation stays for the next (first-order autoregression, 0.5)",
    from(random) {
      const normal = normalSource(random);
      return (rounds) => {
        let state = normal();
        return Float64Array.from({ length: rounds }, () => {
          const now = state;
          state = 0.5 * state + Math.sqrt(0.75) * normal();
          return now;
        });
      };
    },
  },
  {
    name: "spiky",
    is: "in one round of twenty a neighbour hits either side, by six standard deviations on average",
    from(random) {
      const normal = normalSource(random);
      const spike = (): number => -6 * Math.log(1 - random()) * (random() < 0.5 ? -1 : 1);
      return independent(() => normal() + (random() < 0.05 ? spike() : 0));
    },
  },
  {
    name: "bimodal",
    is: "each process starts in one of two layouts, 1.3 standard deviations apart",
    from(random) {
      const normal = normalSource(random);
      const layout = (): number => (random() < 0.5 ? 0 : 1.3);
      // Two layouts differ with variance 1.3² / 2.
      return independent(() => layout() - layout() + Math.sqrt(1 - 1.3 ** 2 / 2) * normal());
    },
  },
  {
    name: "order effect",
    is: "whoever starts second is slower by 0.8 standard deviations, and who does is drawn in each round",
    from(random) {
      const normal = normalSource(random);
      return independent(() => (random() < 0.5 ? -0.8 : 0.8) + 0.6 * normal());
    },
  },
];

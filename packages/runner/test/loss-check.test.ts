// Which counts of packets fit with the loss of a link.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { linkDefaults, linkLimits } from "../src/study/link-settings.ts";
import { datagramsFor, lossFault, tailsOfLoss } from "../src/link/loss-check.ts";

const lossy = (loss: number) => ({ ...linkDefaults, loss });

it("knows the binomial distribution: two heads or fewer in ten throws are 56 of 1,024, two or more all but 11", () => {
  const { asFew, asMany } = tailsOfLoss(10, 2, 0.5);
  expect(asFew).toBeCloseTo(56 / 1_024, 12);
  expect(asMany).toBeCloseTo(1 - 11 / 1_024, 12);
});

it("counts every number of lost packets in one tail and the next one in the other", () => {
  const losses = fc.double({ min: 0, max: 0.5, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_500 }), fc.nat(), losses, (sent, any, loss) => {
      const lost = any % sent;
      const { asFew } = tailsOfLoss(sent, lost, loss);
      expect(asFew + tailsOfLoss(sent, lost + 1, loss).asMany).toBeCloseTo(1, 6);
    }),
  );
});

it("accepts the loss that chance explains, and neither more nor less", () => {
  // 30 of 600 on average, with a deviation of 5.3: three and a third of them in both directions.
  expect(lossFault(lossy(0.05), { sent: 600, arrived: 600 - 30, returned: 541 })).toBeUndefined();
  expect(lossFault(lossy(0.05), { sent: 600, arrived: 600 - 46, returned: 526 })).toBeUndefined();
  expect(lossFault(lossy(0.05), { sent: 600, arrived: 600 - 52, returned: 520 })).toBe(
    "52 of 600 packets were lost on the path to the server, expected 5 %",
  );
  expect(lossFault(lossy(0.05), { sent: 600, arrived: 570, returned: 570 })).toBe(
    "0 of 570 packets were lost on the path to the client, expected 5 %",
  );
});

it("refuses a single lost packet if no loss is set, and reports nothing if nothing was sent", () => {
  expect(lossFault(linkDefaults, { sent: 100, arrived: 100, returned: 100 })).toBeUndefined();
  expect(lossFault(linkDefaults, { sent: 100, arrived: 100, returned: 99 })).toBe(
    "1 of 100 packets were lost on the path to the client, expected none",
  );
  expect(lossFault(lossy(0.05), { sent: 0, arrived: 0, returned: 0 })).toBeUndefined();
});

it("sends for two and a half seconds at most, and fills no more than half of the line", () => {
  const [least, most] = linkLimits.bandwidthMbps;
  const losses = fc.double({ min: 0, max: linkLimits.loss[1], noNaN: true });
  const bandwidths = fc.option(fc.double({ min: least, max: most, noNaN: true }), { nil: undefined });
  fc.assert(
    fc.property(losses, bandwidths, (loss, bandwidthMbps) => {
      const { count, paceHz } = datagramsFor({ ...linkDefaults, loss, bandwidthMbps });
      expect(count).toBeGreaterThanOrEqual(100);
      expect(count / paceHz).toBeLessThanOrEqual(2.5);
      expect(paceHz * 106 * 8).toBeLessThanOrEqual((bandwidthMbps ?? Infinity) * 5e5 + 1e-6);
    }),
  );
});

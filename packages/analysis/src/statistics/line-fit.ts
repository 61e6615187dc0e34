// A straight line through points, by least squares.
import { mean } from "d3-array";

export interface Line {
  readonly intercept: number;
  readonly slope: number;
}

export function lineFit(points: readonly { readonly x: number; readonly y: number }[]): Line {
  const centreX = mean(points, (point) => point.x) ?? 0;
  const centreY = mean(points, (point) => point.y) ?? 0;
  let across = 0;
  let along = 0;
  for (const { x, y } of points) {
    across += (x - centreX) ** 2;
    along += (x - centreX) * (y - centreY);
  }
  const slope = along / across;
  return { slope, intercept: centreY - slope * centreX };
}

// Conformance cases about what no contract tells: what the real service computes, and one value that it begins with. A fake that is given
// handlers for these operations passes them; one without cannot.
const why = {
  greeting: "how a greeting is worded is told by no contract",
  payload: "what a download sends and an upload counts is told by no contract",
  matrix: "what the power of a matrix is is told by no contract",
  data: "customer 1 of the real service is that of the study of 2010",
} as const;

const cases: Readonly<Record<keyof typeof why, readonly string[]>> = {
  greeting: ["0101", "0102", "0103", "0104", "0105", "0106", "0434", "0501", "0701", "0703", "0901"],
  payload: ["1502", "1503", "1504", "1505", "1506", "1509"],
  matrix: ["1701", "1702", "1703", "1704", "1705", "1709", "1710"],
  data: ["0113"],
};

/** A case that no server passes by its contract alone. */
export interface ServiceSpecificCase {
  readonly caseId: string;
  readonly reason: string;
}

/** With the reason of each. */
export const serviceSpecificCases: readonly ServiceSpecificCase[] = Object.entries(cases).flatMap(([topic, numbers]) =>
  numbers.map((number) => ({ caseId: `RT-${number}`, reason: why[topic as keyof typeof why] })),
);

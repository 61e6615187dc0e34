// Conformance cases that depend on the built-in service, not only on the contract: its computations, and one initial value. A fake passes them
// only with handlers for these operations.
const why = {
  greeting: "the contract does not define the text of a greeting",
  payload: "the contract does not define the bytes of a download or the count of an upload",
  matrix: "the contract does not define the power of a matrix",
  data: "customer 1 of the real service comes from the study of 2010",
} as const;

const cases: Readonly<Record<keyof typeof why, readonly string[]>> = {
  greeting: ["0101", "0102", "0103", "0104", "0105", "0106", "0434", "0501", "0701", "0703", "0901"],
  payload: ["1502", "1503", "1504", "1505", "1506", "1509"],
  matrix: ["1701", "1702", "1703", "1704", "1705", "1709", "1710"],
  data: ["0113"],
};

/** A case that a server cannot pass from its contract alone. */
export interface ServiceSpecificCase {
  readonly caseId: string;
  readonly reason: string;
}

/** These cases, each with its reason. */
export const serviceSpecificCases: readonly ServiceSpecificCase[] = Object.entries(cases).flatMap(([topic, numbers]) =>
  numbers.map((number) => ({ caseId: `RT-${number}`, reason: why[topic as keyof typeof why] })),
);

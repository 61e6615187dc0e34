// All cases of the suite, area by area.
import { authenticationCases } from "./areas/calls/authentication.ts";
import { bindingCases } from "./areas/requests/bindings.ts";
import { concurrencyCases, shutdownCases } from "./areas/calls/concurrency-and-shutdown.ts";
import { containerCases } from "./areas/values/containers.ts";
import { deadlineCases } from "./areas/calls/deadlines.ts";
import { edgeCases } from "./areas/services/edges.ts";
import { errorCases } from "./areas/calls/errors.ts";
import { invoiceCases } from "./areas/services/invoices.ts";
import { limitCases, misuseCases } from "./areas/faults/limits-and-misuse.ts";
import { maskCases } from "./areas/requests/masks.ts";
import { matrixCases } from "./areas/services/matrix.ts";
import { metadataCases, metadataEdgeCases } from "./areas/calls/metadata.ts";
import { pagingCases } from "./areas/requests/paging.ts";
import { payloadCases, payloadPaceCases } from "./areas/services/payload.ts";
import { presenceCases, valueCases } from "./areas/values/values.ts";
import { scalarCases } from "./areas/values/scalars.ts";
import { spellingCases } from "./areas/values/spellings.ts";
import { streamEndCases, streamingCases } from "./areas/streams/streaming.ts";
import { conversationCases, requestStreamCases } from "./areas/streams/request-streams.ts";
import { togetherCases } from "./areas/requests/together.ts";
import { wellKnownCases } from "./areas/values/well-known.ts";
import type { ConformanceCase } from "./case/case.ts";

/** Every case, in the order of ids. */
export const conformanceCases: readonly ConformanceCase[] = [
  ...valueCases,
  ...scalarCases,
  ...presenceCases,
  ...containerCases,
  ...wellKnownCases,
  ...maskCases,
  ...pagingCases,
  ...errorCases,
  ...deadlineCases,
  ...limitCases,
  ...concurrencyCases,
  ...shutdownCases,
  ...togetherCases,
  ...metadataCases,
  ...metadataEdgeCases,
  ...streamingCases,
  ...streamEndCases,
  ...requestStreamCases,
  ...conversationCases,
  ...misuseCases,
  ...bindingCases,
  ...authenticationCases,
  ...payloadCases,
  ...payloadPaceCases,
  ...spellingCases,
  ...matrixCases,
  ...invoiceCases,
  ...edgeCases,
];

// Conformance cases that depend on the built-in service, not only on the contract: its computations, and one initial value. A fake passes them
// only with handlers for these operations.

const why = {
  greeting: "the contract does not define the text of a greeting",
  payload: "the contract does not define the bytes of a download or the count of an upload",
  matrix: "the contract does not define the power of a matrix",
  invoices: "the contract does not define the order of invoices",
  data: "customer 1 of the real service comes from the study of 2010",
} as const;

const cases: Readonly<Record<keyof typeof why, readonly string[]>> = {
  greeting: ["0101", "0102", "0103", "0104", "0105", "0106", "0434", "0501", "0701", "0703", "0901"],
  payload: ["1502", "1503", "1504", "1505", "1506", "1509"],
  matrix: ["1701", "1702", "1703", "1704", "1705", "1709", "1710"],
  invoices: ["1804", "1810"],
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

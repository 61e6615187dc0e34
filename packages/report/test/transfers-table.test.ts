// What the table of bulk data says, and what is not in it.
import type { Arm, Transfer } from "@roundtrip/analysis";
import { expect, test } from "vitest";
import { transfersTable } from "../src/tables/transfers-table.ts";
import { inputFrom } from "./support/fixture.ts";

const base: Arm = {
  id: "",
  study: "network-bulk",
  task: "download",
  stack: "rest-express",
  title: "REST",
  role: "style",
  variant: "streamed",
  factors: { payloadBytes: 3_900_000, rttMs: 50, tls: true },
  callsPerTask: 1,
};
const arms: readonly Arm[] = [
  { ...base, id: "rest/download" },
  { ...base, id: "rest/upload", task: "upload" },
  { ...base, id: "graphql/download", stack: "graphql-apollo", title: "GraphQL" },
];

function transfer(armId: string, given: Partial<Transfer>): Transfer {
  const measured = {
    rttMs: 50.1,
    bytesMoved: 3_900_000,
    totalMs: 400,
    firstByteMs: 52,
    pauses: 1.5,
    bytesPerSecond: 9_750_000,
  };
  return { armId, ...measured, limit: { by: "line", bytesPerSecond: 12_500_000 }, ...given };
}

const input = inputFrom([]);
const table = transfersTable(
  {
    ...input,
    analysis: {
      ...input.analysis,
      arms,
      transfers: [
        transfer("rest/download", {}),
        transfer("rest/upload", { firstByteMs: null, pauses: null }),
        transfer("graphql/download", { limit: null }),
      ],
    },
  },
  "network-bulk",
);

test("a row says when first bytes and all came, how often it paused, and how near that is to what can be", () => {
  expect(table?.rows.map(({ cells }) => cells)).toEqual([
    ["REST download, TLS", "50.1", "52.0", "400", "1.5", "9.75", "12.5", "line", "78 %"],
    ["REST upload, TLS", "50.1", "–", "400", "–", "9.75", "12.5", "line", "78 %"],
    ["GraphQL download, TLS", "50.1", "52.0", "400", "1.5", "9.75", "–", "–", "–"],
  ]);
});

test("what a style cannot carry is said, and not silently absent", () => {
  expect(table?.note).toContain("Not there, because the style declares that it cannot: GraphQL upload.");
});

test("a study without bulk data has no such table", () => {
  expect(transfersTable(input, "hello")).toBeNull();
});

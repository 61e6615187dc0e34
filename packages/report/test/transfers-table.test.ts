// What the table of bulk data says, and what is not in it.
import { type Transfer } from "@roundtrip/analysis";
import { idsFromName, type Arm } from "@roundtrip/runs";
import { expect, test } from "vitest";
import { armFor } from "../../analysis/test/synthetic-run.ts";
import { transfersTables } from "../src/tables/transfers.ts";
import { inputFrom } from "./support/fixture.ts";

const base = armFor({
  study: "network-bulk",
  task: "download",
  stack: "rest-express",
  title: "REST",
  variant: "streamed",
  factors: { payloadBytes: 3_900_000, rttMs: 50, tls: true },
});
const arms: readonly Arm[] = [
  { ...base, id: "rest/download" },
  { ...base, id: "rest/upload", task: "upload" },
  { ...base, id: "graphql/download", ...idsFromName("graphql-apollo"), title: "GraphQL", stackTitle: "GraphQL" },
  {
    ...base,
    id: "grpc/download",
    ...idsFromName("grpc-js"),
    stackTitle: "gRPC",
    title: "gRPC (flowControlWindowBytes=262144)",
    factors: { ...base.factors, flowControlWindowBytes: 262_144 },
    settingDefaults: { flowControlWindowBytes: 4_194_304 },
  },
  {
    ...base,
    id: "rest/cold",
    title: "REST (new connection)",
    factors: { ...base.factors, tls: false, newConnectionPerCall: true },
    settingDefaults: { newConnectionPerCall: false },
  },
];

function transfer(armId: string, given: Partial<Transfer>): Transfer {
  const measured = {
    rttMs: 50.1,
    bytesMoved: 3_900_000,
    totalMs: 400,
    firstByteMs: 52,
    pauses: 1.5,
    bytesPerSecond: 9_750_000,
    opensConnection: false,
    mustBe: { leastMs: 376, mostMs: 376 },
  };
  return { armId, ...measured, limit: { by: "line", bytesPerSecond: 12_500_000 }, ...given };
}

const input = inputFrom([]);
const [made] = transfersTables(
  {
    ...input,
    analysis: {
      ...input.analysis,
      arms,
      transfers: [
        transfer("rest/download", {}),
        transfer("rest/upload", { firstByteMs: null, pauses: null }),
        transfer("graphql/download", { limit: null }),
        transfer("grpc/download", { mustBe: { leastMs: 750, mostMs: 1_500 } }),
        transfer("rest/cold", { opensConnection: true, mustBe: { leastMs: 610, mostMs: 610 } }),
      ],
    },
  },
  "network-bulk",
);
const table = made?.table;

test("a row says when first bytes and all came and when all must have, how often it paused, and what limits it", () => {
  expect(table?.rows.slice(0, 2).map(({ cells }) => cells)).toEqual([
    ["REST download, TLS", "50.1", "52.0", "400", "376", "1.5", "9.75", "12.5", "line"],
    ["REST upload, TLS", "50.1", "–", "400", "376", "–", "9.75", "12.5", "line"],
  ]);
  expect(table?.rows.find(({ cells }) => cells[0]?.startsWith("GraphQL"))?.cells.slice(-3)).toEqual(["9.75", "–", "–"]);
});

test("rows of a stack at the same settings stand together, under its title with what is set", () => {
  expect(table?.rows.map(({ cells }) => cells[0])).toEqual([
    "REST download, TLS",
    "REST upload, TLS",
    "GraphQL download, TLS",
    "gRPC (flowControlWindowBytes=262144) download, TLS",
    "REST (new connection) download, new connection",
  ]);
});

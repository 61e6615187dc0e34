// Bindings: a request arrives complete, whether its fields are in the path, query, body or variables.
import { ConformanceService, PutTreeResponseSchema } from "../../gen/roundtrip/conformance/v1/conformance_pb.ts";
import { Colour } from "../../gen/roundtrip/conformance/v1/values_pb.ts";
import type { CaseRun } from "../../case/case-run.ts";
import { casesIn } from "../../case/case.ts";
import { echoing, looked } from "../../support/handlers.ts";
import { expectMessage, inTurn } from "../../case/expectations.ts";

const { putTree } = ConformanceService.method;

async function expectStored(run: CaseRun, ...names: readonly string[]): Promise<void> {
  const { call } = await run.serveConformance(echoing);
  await inTurn(names, async (name) => {
    const answer = await call(putTree, { name, tree: { branches: [{ label: "twig" }] } });
    const tree = { label: `stored as ${name}`, branches: [{ label: "twig" }] };
    expectMessage(PutTreeResponseSchema, answer, { tree });
  });
}

/** The cases RT-13xx. */
export const bindingCases = casesIn("bindings", ["server"], {
  "RT-1301 a request without any field arrives": looked({}),
  "RT-1302 scalars of every type arrive in a read request": looked({
    scalars: {
      doubleValue: 0.1,
      floatValue: Math.fround(0.1),
      int32Value: -(2 ** 31),
      int64Value: -(2n ** 63n),
      uint32Value: 2 ** 32 - 1,
      uint64Value: 2n ** 64n - 1n,
      sint32Value: -1,
      sint64Value: 2n ** 53n + 1n,
      fixed32Value: 1,
      fixed64Value: 1n,
      sfixed32Value: -1,
      sfixed64Value: -1n,
      boolValue: true,
      stringValue: "s",
      bytesValue: new Uint8Array([251, 255, 254]),
      colour: Colour.INFRA_RED,
    },
  }),
  "RT-1303 text with characters that are special in a URL arrives in a read request": looked(
    ...["a&b=c", "a+b c", "50%", "%2F", "#?/:@", "日本 𝔘", "[x]{y}|^`", "\"'\\", "\n\t"].map((text) => ({ text })),
  ),
  "RT-1304 lists in a read request keep their items and order": looked({
    texts: ["b", "a,b", "a", "a", "", " "],
    largeNumbers: [2n ** 63n - 1n, 0n, -1n],
    colours: [Colour.GREEN, Colour.RED, Colour.GREEN],
  }),
  "RT-1305 optional fields of a read request stay set or unset, also with zero values": looked(
    { optionalText: "" },
    { presence: { number: 0, largeNumber: 0n, fraction: 0, flag: false, text: "", data: new Uint8Array() } },
    { presence: { number: 1, text: "t", colour: Colour.RED } },
  ),
  "RT-1306 times, durations and masks arrive in a read request": looked({
    wellKnown: {
      time: { seconds: -1n, nanos: 1 },
      duration: { seconds: -1n, nanos: -500_000_000 },
      mask: { paths: ["a_b", "c.d"] },
    },
  }),
  "RT-1307 wrapped scalars arrive in a read request, also zero and empty ones": looked(
    { wrappers: { int64Value: -(2n ** 63n), stringValue: "w x", bytesValue: new Uint8Array([255]) } },
    { wrappers: { int32Value: 0, boolValue: false, stringValue: "" } },
  ),
  "RT-1308 not-a-number and infinities arrive in a read request": looked(
    { scalars: { doubleValue: Number.NaN, floatValue: Number.NEGATIVE_INFINITY } },
    { wrappers: { doubleValue: Number.POSITIVE_INFINITY } },
  ),
  "RT-1309 a resource name of several segments arrives unchanged": (run) => expectStored(run, "shelves/1/trees/oak"),
  "RT-1310 segments of a resource name may contain characters that are special in a path": (run) =>
    expectStored(
      run,
      "shelves/a b/trees/ü",
      "shelves/50%/trees/a+b",
      "shelves/?x=1/trees/#1",
      "shelves/日本/trees/a:b",
      "shelves/%2F/trees/;a=1,b",
    ),
  async "RT-1311 fields of a write that are neither name nor body arrive"(run) {
    const { call } = await run.serveConformance(echoing);
    const answer = await call(putTree, { name: "shelves/1/trees/elm", tree: {}, dryRun: true });
    expectMessage(PutTreeResponseSchema, answer, { tree: { label: "not stored as shelves/1/trees/elm" } });
  },
});

// Bindings: a request arrives complete, whether its fields are in the path, query, body or variables.
import { ConformanceService, PutTreeResponseSchema } from "../../gen/roundtrip/conformance/v1/conformance_pb.ts";
import { Colour } from "../../gen/roundtrip/conformance/v1/values_pb.ts";
import type { CaseRun } from "../../case/case-run.ts";
import { casesIn } from "../../case/case.ts";
import { echoing, expectLooked } from "../../support/echo.ts";
import { expectMessage } from "../../case/expectations.ts";

const { putTree } = ConformanceService.method;

async function expectStored(run: CaseRun, ...names: readonly string[]): Promise<void> {
  const { call } = await run.serveConformance(echoing);
  for (const name of names) {
    // oxlint-disable-next-line no-await-in-loop
    const answer = await call(putTree, { name, tree: { branches: [{ label: "twig" }] } });
    const tree = { label: `stored as ${name}`, branches: [{ label: "twig" }] };
    expectMessage(PutTreeResponseSchema, answer, { tree });
  }
}

/** The cases RT-13xx. */
export const bindingCases = casesIn("bindings", [
  {
    id: "RT-1301",
    level: "MUST",
    title: "a request without any field arrives",
    needs: ["server"],
    run: (run) => expectLooked(run, {}),
  },
  {
    id: "RT-1302",
    level: "MUST",
    title: "scalars of every type arrive in a read request",
    needs: ["server"],
    run: (run) =>
      expectLooked(run, {
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
  },
  {
    id: "RT-1303",
    level: "MUST",
    title: "text with characters that are special in a URL arrives in a read request",
    needs: ["server"],
    run: (run) =>
      expectLooked(
        run,
        ...["a&b=c", "a+b c", "50%", "%2F", "#?/:@", "日本 𝔘", "[x]{y}|^`", "\"'\\", "\n\t"].map((text) => ({ text })),
      ),
  },
  {
    id: "RT-1304",
    level: "MUST",
    title: "lists in a read request keep their items and order",
    needs: ["server"],
    run: (run) =>
      expectLooked(run, {
        texts: ["b", "a,b", "a", "a", "", " "],
        largeNumbers: [2n ** 63n - 1n, 0n, -1n],
        colours: [Colour.GREEN, Colour.RED, Colour.GREEN],
      }),
  },
  {
    id: "RT-1305",
    level: "MUST",
    title: "optional fields of a read request stay set or unset, also with zero values",
    needs: ["server"],
    run: (run) =>
      expectLooked(
        run,
        { optionalText: "" },
        { presence: { number: 0, largeNumber: 0n, fraction: 0, flag: false, text: "", data: new Uint8Array() } },
        { presence: { number: 1, text: "t", colour: Colour.RED } },
      ),
  },
  {
    id: "RT-1306",
    level: "MUST",
    title: "times, durations and masks arrive in a read request",
    needs: ["server"],
    run: (run) =>
      expectLooked(run, {
        wellKnown: {
          time: { seconds: -1n, nanos: 1 },
          duration: { seconds: -1n, nanos: -500_000_000 },
          mask: { paths: ["a_b", "c.d"] },
        },
      }),
  },
  {
    id: "RT-1307",
    level: "MUST",
    title: "wrapped scalars arrive in a read request, also zero and empty ones",
    needs: ["server"],
    run: (run) =>
      expectLooked(
        run,
        { wrappers: { int64Value: -(2n ** 63n), stringValue: "w x", bytesValue: new Uint8Array([255]) } },
        { wrappers: { int32Value: 0, boolValue: false, stringValue: "" } },
      ),
  },
  {
    id: "RT-1308",
    level: "MUST",
    title: "not-a-number and infinities arrive in a read request",
    needs: ["server"],
    run: (run) =>
      expectLooked(
        run,
        { scalars: { doubleValue: Number.NaN, floatValue: Number.NEGATIVE_INFINITY } },
        { wrappers: { doubleValue: Number.POSITIVE_INFINITY } },
      ),
  },
  {
    id: "RT-1309",
    level: "MUST",
    title: "a resource name of several segments arrives unchanged",
    needs: ["server"],
    run: (run) => expectStored(run, "shelves/1/trees/oak"),
  },
  {
    id: "RT-1310",
    level: "MUST",
    title: "segments of a resource name may contain characters that are special in a path",
    needs: ["server"],
    run: (run) =>
      expectStored(
        run,
        "shelves/a b/trees/ü",
        "shelves/50%/trees/a+b",
        "shelves/?x=1/trees/#1",
        "shelves/日本/trees/a:b",
        "shelves/%2F/trees/;a=1,b",
      ),
  },
  {
    id: "RT-1311",
    level: "MUST",
    title: "fields of a write that are neither name nor body arrive",
    needs: ["server"],
    async run(run) {
      const { call } = await run.serveConformance(echoing);
      const answer = await call(putTree, { name: "shelves/1/trees/elm", tree: {}, dryRun: true });
      expectMessage(PutTreeResponseSchema, answer, { tree: { label: "not stored as shelves/1/trees/elm" } });
    },
  },
]);

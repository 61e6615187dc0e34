// Pictures of runs with several libraries of a style: rows below a heading for each style, and break-evens as rows.
import { describe, expect, it } from "vitest";
import { styleRows } from "../src/marks/style-rows.ts";
import { plot } from "../src/plots/break-even.ts";
import { inputFrom } from "./support/fixture.ts";

function rowOf(style: string, libraries: string, stackTitle: string, after = ""): Parameters<typeof styleRows>[0][0] {
  const [server = "", client = ""] = libraries.split(", ");
  const ids = { id: `${stackTitle}${after}`, study: "s", task: "t", style, server, client, stack: stackTitle };
  const role = style === "floor" ? "floor" : "style";
  const work = { variant: "single", factors: {}, callsPerTask: 1 };
  return { id: ids.id, label: ids.id, arm: { ...ids, ...work, role, title: ids.id, stackTitle } };
}

const rest = rowOf("rest", "express, undici", "REST");

describe("rows of a picture", () => {
  it("have a heading for each style, and name server and client, where a style has several libraries", () => {
    const { rows, headings } = styleRows([
      rowOf("graphql", "mercurius, undici", "GraphQL (mercurius)", " (keepAlive=false)†"),
      rest,
      rowOf("rest", "express, fetch", "REST (express, fetch)"),
      rowOf("rest", "target, undici", "REST (my-server)"),
      rowOf("floor", "floor, floor", "TCP echo"),
    ]);
    expect(rows.map(({ label }) => label)).toEqual([
      "",
      "mercurius, undici (keepAlive=false)†",
      "",
      "express, undici",
      "express, fetch",
      "my-server",
      "TCP echo",
    ]);
    expect(headings).toHaveLength(1);
  });

  it("keep their names where each style has one library", () => {
    const { rows, headings } = styleRows([rowOf("grpc", "grpc-js, grpc-js", "gRPC"), rest]);
    expect([rows.map(({ label }) => label), headings]).toEqual([["gRPC", "REST"], []]);
  });
});

function figuresWith(stacks: number): ReturnType<typeof plot.figures> {
  const costs = { latencyMs: 1, serverCpuMs: 1, clientCpuMs: 1, wireBytes: 1 };
  const arms = Array.from(
    { length: stacks },
    (_, index) => rowOf("rest", `server-${index}, undici`, `REST (${index})`).arm,
  );
  const input = inputFrom(
    arms.map((arm) => ({ arm, ...costs })),
    50,
  );
  const breakEvens = arms.map((arm, index) => ({
    ...(input.analysis.breakEvens[0] as (typeof input.analysis.breakEvens)[0]),
    ...arm,
    settings: {},
    against: "chatty",
    attributes: index === 0 ? null : 1.5,
  }));
  return plot.figures({ ...input, analysis: { ...input.analysis, breakEvens } });
}

describe("the picture of break-evens", () => {
  it("has a row for each stack whose lines cross, where there are more stacks than readers compare as curves", () => {
    const [figure] = figuresWith(10);
    expect(figure?.alt).toContain("REST (1) 1.50");
    expect(figure?.alt).not.toContain("REST (0)");
  });

  it("is left out where curves show as much", () => {
    expect(figuresWith(4)).toEqual([]);
  });
});

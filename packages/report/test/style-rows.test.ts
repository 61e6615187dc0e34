// Pictures of runs with several libraries of a style: rows below a heading for each style.
import { describe, expect, it } from "vitest";
import { styleRows } from "../src/marks/rows.ts";

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
});

// How public contracts are checked: commands of pages read as a shell reads them, differences by path, and what a style declares.
import { describe, expect, it } from "vitest";
import { differences, isDeclared, memberNames, namesOn } from "../../.ci/contracts/compared.ts";
import { commandsOn } from "../../.ci/contracts/page-commands.ts";
import { publicContracts } from "../../.ci/contracts/public-contracts.ts";

describe("a command on a page", () => {
  it("is read as a shell reads it", () => {
    const page = `<details id="say"><summary>x</summary><pre>curl -X PUT &#39;http://h/v1/a?b=c&#39; \\
  -H &#39;content-type: application/json&#39; -d &#39;{&quot;a&quot;:&quot;it&#39;\\&#39;&#39;s&quot;}&#39;</pre></details>
      <details id="read"><pre>curl -N &#39;http://h/v1/b&#39;</pre></details>
      <details id="ask"><pre>urn:ask</pre><pre>curl &#39;http://h&#39; --data-binary @- &lt;&lt;&#39;EOF&#39;
&lt;a&gt;it&#39;s
&lt;/a&gt;
EOF</pre></details>`;
    expect([...commandsOn(page)]).toEqual([
      [
        "say",
        {
          method: "PUT",
          url: "http://h/v1/a?b=c",
          headers: { "content-type": "application/json" },
          body: `{"a":"it's"}`,
        },
      ],
      ["read", { method: "GET", url: "http://h/v1/b", headers: {}, body: undefined }],
      ["ask", { method: "POST", url: "http://h", headers: {}, body: "<a>it's\n</a>\n" }],
    ]);
  });
});

describe("a difference between answers", () => {
  it("has a path, whichever of the two has the value", () => {
    expect(differences({ a: [{ b: 1 }, { b: 2 }], c: 1 }, { a: [{ b: 1 }, { b: 3 }], d: 1 })).toEqual([
      "a[1].b",
      "c",
      "d",
    ]);
    expect(differences([1, 2], [1])).toEqual([" (2 and 1)"]);
    expect(differences({ a: { b: [true, "x", null] } }, { a: { b: [true, "x", null] } })).toEqual([]);
  });

  it("is declared if the style names a field on its path", () => {
    const names = namesOn("things[0].lastName");
    expect(isDeclared(names, ["Thing.last_name: null as against not set"])).toBe(true);
    expect(isDeclared(names, ["Thing.first_name: null as against not set"])).toBe(false);
    expect(isDeclared(memberNames({ things: [{ lastName: 1 }] }), ["last_name: in a URL"])).toBe(true);
  });
});

it("every public contract has a name of its own, a fixed version, and imports from packages that it lists", () => {
  expect(publicContracts.length).toBeGreaterThanOrEqual(20);
  expect(new Set(publicContracts.map(({ name }) => name)).size).toBe(publicContracts.length);
  for (const { packages, imports, mounted } of publicContracts) {
    for (const { version } of packages) expect(version).toMatch(/^v?\d+\.\d+/);
    for (const index of [...imports.map((one) => Number(one.split(":")[0])), ...Object.values(mounted)]) {
      expect(packages[index]).toBeDefined();
    }
  }
});

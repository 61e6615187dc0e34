// docs/fakes.md in other languages: what it asserts of calls passes, and fails with the difference.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { junitHere, needing, type NeedName } from "../../../.ci/needs/needing.ts";
import { blockWith, readPage, shell } from "./support/page-section.ts";
import { emptyFolder, type Outcome } from "./support/run-program.ts";
import { started } from "./support/started-fake.ts";

const page = readPage("fakes.md");

const languages: readonly (readonly [NeedName, string, string, string])[] = [
  ["pytest", "python", "test_names.py", "python3 -m pytest test_names.py"],
  ["go-test", "go", "names_test.go", "go test names_test.go"],
  [
    "junit",
    "java",
    "NamesTest.java",
    `javac -cp "$JUNIT" NamesTest.java && java -jar "$JUNIT" execute -cp . -c NamesTest`,
  ],
];

describe.each(languages)("calls asserted with %s", async (need, kind, file, command) => {
  test("pass as the page shows them, and fail with the difference", await needing("bash", need), async () => {
    const cwd = emptyFolder();
    await using fake = await started(["--port", "0"], cwd);
    const example = blockWith(page, kind, file).replaceAll("127.0.0.1:8080", new URL(fake.urls["fake"] ?? "").host);
    const [failing = ""] = example.match(/^[^\n]*$/gm)?.filter((line) => line.includes("GetCustomer")) ?? [];
    const runText = (text: string): Promise<Outcome> => {
      writeFileSync(join(cwd, file), text);
      return shell(`export JUNIT="${junitHere() ?? ""}"; ${command}`, cwd);
    };
    const passed = await runText(example);
    expect(passed).toMatchObject({ status: 0 });
    const failed = await runText(example.replace(failing, failing.replace(/(\Wid\W+)7/, "$18")));
    expect(failed.status).not.toBe(0);
    for (const line of blockWith(page, "text", "was called 0 times").trim().split("\n")) {
      expect(`${failed.stdout}${failed.stderr}`).toContain(line.trim());
    }
  });
});

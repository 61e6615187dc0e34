// The page of a fake: operations on the left, the selected one in the middle, calls as they arrive on the right.
import { startCalls } from "./calls.js";
import { announce, breakable, element } from "./element.js";
import { faultsView } from "./faults.js";
import { operationView } from "./operation.js";
import { serverItem } from "./servers.js";
import { onChange, operationOf, refresh, state } from "./state.js";
import { stubsView } from "./stubs.js";

const at = (id) => document.getElementById(id);

function showServers() {
  at("servers").replaceChildren(...state.servers.map(serverItem));
}

function showOperations() {
  const wanted = at("filter").value.trim().toLowerCase();
  const found = state.operations.filter(({ id }) => id.toLowerCase().includes(wanted));
  const groups = Map.groupBy(found, ({ service }) => service);
  const current = location.hash;
  at("operations").replaceChildren(
    ...[...groups].map(([service, operations]) =>
      element(
        "section",
        {},
        element("h2", { title: service }, service.split(".").at(-1)),
        element(
          "ul",
          {},
          ...operations.map(({ id, name, kind }) => {
            const href = `#/operations/${id}`;
            const stubs = state.stubs.filter(({ operation }) => operation === id).length;
            return element(
              "li",
              {},
              element(
                "a",
                { href, "aria-current": href === current && "page" },
                breakable(name),
                kind !== "unary" && element("span", { class: "kind", title: kind.replace("_", " ") }, "stream"),
                stubs > 0 && element("span", { class: "count", title: `${stubs} stubs` }, String(stubs)),
              ),
            );
          }),
        ),
      ),
    ),
    ...(found.length === 0 ? [element("p", { class: "muted" }, "No matching operation.")] : []),
  );
}

const countText = (count) => (count === 0 ? "" : String(count));

function showCounts() {
  at("stub-count").textContent = countText(state.stubs.length);
  at("fault-count").textContent = countText(state.faults.rules);
}

function viewOf(hash) {
  const [, kind, id] = /^#\/(\w+)\/?(.*)$/.exec(hash) ?? [];
  if (kind === "stubs") return stubsView();
  if (kind === "faults") return faultsView();
  const operation = operationOf(decodeURIComponent(id ?? "")) ?? state.operations[0];
  return operation === undefined ? element("p", {}, "The contract has no operations.") : operationView(operation);
}

function show() {
  at("view").replaceChildren(viewOf(location.hash));
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === location.hash) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

async function readAgain({ part, text }) {
  if (text !== undefined) announce(text);
  if (part !== undefined) await refresh(part === "contract" ? "operations" : part);
  if (part === "contract") show();
}

function live() {
  const events = new EventSource("live");
  events.addEventListener("change", ({ data }) => void readAgain(JSON.parse(data)));
  events.addEventListener("error", () => announce("The fake does not answer; trying again…"));
  events.addEventListener("open", () => announce(""));
  startCalls(events);
}

for (const part of ["operations", "stubs"]) onChange(part, showOperations);
for (const part of ["stubs", "faults"]) onChange(part, showCounts);
onChange("servers", showServers);
at("filter").addEventListener("input", showOperations);
addEventListener("hashchange", () => {
  show();
  at("view").scrollTop = 0;
  at("view").focus();
});
await Promise.all(["operations", "servers", "stubs", "faults"].map(refresh));
if (!location.hash && state.operations.length > 0)
  history.replaceState(null, "", `#/operations/${state.operations[0].id}`);
show();
live();
document.body.dataset.ready = "yes";

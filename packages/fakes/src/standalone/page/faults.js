// The fault plan: what fails and how slowly, for everybody who calls.
import { api } from "./api.js";
import { element } from "./element.js";
import { onChange, state } from "./state.js";

let show;

export function faultsView() {
  const area = element("textarea", { id: "plan", rows: "18", spellcheck: "false" });
  const fault = element("p", { class: "fault", role: "alert" });
  show = () => {
    area.value = state.faults.text;
  };
  show();
  const attempt = async (work) => {
    try {
      await work();
      fault.textContent = "";
    } catch ({ message }) {
      fault.textContent = message;
    }
  };
  const save = (event) => {
    event.preventDefault();
    return attempt(() => api.put("faults", { text: area.value }));
  };
  const none = () => attempt(() => api.remove("faults"));
  return element(
    "article",
    {},
    element("h2", {}, "Faults"),
    element(
      "p",
      { class: "muted" },
      "Which calls fail and how long they take, in YAML or JSON. A preset does for a start: presets: [flaky]",
    ),
    element(
      "form",
      { class: "card", onsubmit: save },
      element("label", { for: "plan" }, "Fault plan"),
      area,
      fault,
      element(
        "div",
        { class: "bar" },
        element("button", { type: "submit" }, "Save"),
        element("button", { type: "button", class: "quiet", onclick: none }, "No faults"),
      ),
    ),
  );
}

onChange("faults", () => show?.());

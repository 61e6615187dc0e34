// A fault plan as text in the form of fault files: the text as it was typed, or a generated one that can be saved.
import { yaml } from "../../files/yaml.ts";
import type { Delay, Fault, FaultPlan } from "../../faults/fault-plan.ts";
import { writtenText } from "../../faults/plan-text.ts";

function delayForm(delay: Delay): object {
  const { kind, ...numbers } = delay;
  return kind === "constant" ? numbers : { [kind]: numbers };
}

function faultForm(fault: Fault): object {
  switch (fault.kind) {
    case "error": {
      const { code, message, details } = fault;
      const said = {
        ...(message === "" ? {} : { message }),
        ...(Object.keys(details).length === 0 ? {} : { details }),
      };
      return { error: { code, ...said } };
    }
    case "slow-stream":
      return { [fault.kind]: delayForm(fault.between) };
    case "drop":
    case "truncate":
      return { [fault.kind]: true };
  }
}

/** The plan's own text, otherwise YAML; empty for a plan without rules or text. */
export function faultText(plan: FaultPlan): string {
  const { faults, latencies } = plan;
  const written = writtenText(plan);
  if (written !== undefined) return written;
  if (faults.length + latencies.length === 0) return "";
  return yaml().stringify({
    faults: faults.map(({ operation, probability, fault }) => ({ operation, probability, ...faultForm(fault) })),
    latencies: latencies.map(({ operation, delay }) => ({ operation, ...delayForm(delay) })),
  });
}

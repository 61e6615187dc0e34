// The flags of `roundtrip fake`.
import type { StackFlags } from "../stacks/chosen-stacks.ts";
import type { ContractFlags } from "../contract/contract-source.ts";
import type { TypedSetting } from "../stack-settings/typed-settings.ts";
import type { TypedTarget } from "../targets/typed-target.ts";

export interface FakeFlags extends ContractFlags, StackFlags {
  readonly set?: readonly TypedSetting[];
  readonly stubs?: string;
  readonly faults?: string;
  readonly record?: readonly TypedTarget[];
  readonly out?: string;
  readonly replay?: string;
  readonly ca?: string;
  readonly tls: boolean;
  readonly caOut?: string;
  readonly host: string;
  readonly port: number;
  readonly detached: boolean;
  readonly allowOrigin?: readonly string[];
  readonly seed?: number;
  readonly json: boolean;
  readonly quiet: boolean;
}

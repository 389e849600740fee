/**
 * What a browser was created with, checked and filled in; stored with its record. The fields are those of the table
 * (field-schema.ts); here are only the checks that a schema cannot make.
 */

import {
  type Identity,
  normalizePolicy,
  PolicyError,
  parseUpstream,
  type Upstream,
} from '../../egress/egress.ts';
import { ApiError } from '../../errors.ts';
import type { Engine } from '../../kit/engine.ts';
import type { BrowserRecord } from '../../store/records.ts';
import { checkedRules } from './checked-rules.ts';
import { deviceNamed } from './devices.ts';
import type { Field } from './field.ts';
import { fields } from './field-schema.ts';
import { invalid } from './invalid.ts';
import { canonicalPermissions, type PermissionSet } from './permissions.ts';
import type { Policy, ProxyInput } from './policy-schema.ts';
import type { Browser, CreateBrowser, PatchBrowser } from './schema.ts';
import { checkedCredentials, checkedTls, mergedTls, type TlsSettings, type WithIdentities } from './trust.ts';

type NamesWith<Flag> = {
  [K in keyof typeof fields]: (typeof fields)[K] extends Flag ? K : never;
}[keyof typeof fields];
type SettingName = Exclude<keyof typeof fields, NamesWith<{ column: true }>>;
type Always = NamesWith<{ default: unknown }> | 'engine';
type Sometimes = Exclude<SettingName, Always | 'proxy' | 'profile' | 'tls' | 'clientCertificates'>;
export type EmulatedName = NamesWith<{ emulated: true }>;
export type ExitName = NamesWith<{ exit: true }>;
export type TrustName = NamesWith<{ trust: true }>;
type ColumnName = NamesWith<{ column: true }>;

export interface Settings extends Required<Pick<CreateBrowser, Always>>, Pick<CreateBrowser, Sometimes> {
  proxy?: Upstream;
  tls?: TlsSettings;
  clientCertificates?: Identity[];
  /** A secret was typed in one of its pages. */
  secretTyped?: true;
  /** As it was found. */
  profile?: Browser['profile'];
  /** They beat `permissions`, which are for all origins. */
  originPermissions?: Record<string, PermissionSet>;
}

const rows = Object.entries(fields as Record<string, Field>);
const namesOf = <Name>(has: (field: Field) => unknown): readonly Name[] =>
  rows.filter(([, field]) => has(field)).map(([name]) => name as Name);

const settingNames = namesOf<SettingName>(({ column }) => !column);
export const shownNames = namesOf<SettingName & keyof Settings>(({ column, shown }) => !column && shown);
export const emulatedNames = namesOf<EmulatedName>(({ emulated }) => emulated);
export const exitNames = namesOf<ExitName>(({ exit }) => exit);
export const trustNames = namesOf<TrustName>(({ trust }) => trust);
const columnNames = namesOf<ColumnName>(({ column }) => column);

const defaults = Object.fromEntries(
  rows.filter(([, field]) => field.default !== undefined).map(([name, field]) => [name, field.default]),
) as WithIdentities<CreateBrowser>;

/** A record that is older than a field has the default of it. */
export const settingsIn = (record: BrowserRecord): Settings =>
  ({ ...defaults, ...record.settings }) as unknown as Settings;

/** Fields that are stored otherwise than they are given. */
const checks: { [name in SettingName]?: (given: never) => unknown } = {
  policy: checkedPolicy,
  proxy: checkedProxy,
  permissions: canonicalPermissions,
  device: orAbsent,
  colorScheme: orAbsent,
  reducedMotion: orAbsent,
  network: orAbsent,
  httpCredentials: checkedCredentials,
  tls: checkedTls,
  clientCertificates: orAbsent,
};

/** What the operator lets a browser use. */
export interface MemoryBounds {
  defaultMb: number;
  mostMb: number;
}

export function settingsOf(
  input: WithIdentities<CreateBrowser>,
  engines: { default: Engine; found: Engine[] },
  memory: MemoryBounds,
  profile?: Settings['profile'],
): Settings {
  const hasExtensions = (input.extensions?.length ?? 0) > 0;
  const engine = input.engine ?? (hasExtensions ? 'full' : engines.default);
  if (hasExtensions && engine !== 'full')
    throw invalid(
      ['extensions'],
      `the engine \`${engine}\` has no extensions; create it with \`engine: "full"\``,
    );
  if (!engines.found.includes(engine))
    throw new ApiError('FEATURE_UNAVAILABLE', `The engine \`${engine}\` is not installed on this server.`, {
      details: { field: 'engine', available: engines.found },
    });
  const { memoryMb = memory.defaultMb } = input;
  if (memoryMb > memory.mostMb)
    throw invalid(['memoryMb'], `a browser on this server may use at most ${memory.mostMb} MiB`);
  return {
    ...givenSettings(defaults),
    ...withChanges({} as Settings, givenSettings(input)),
    engine,
    memoryMb,
    ...(profile && { profile }),
  } as Settings;
}

/** Those that a create or a change names, as they are stored. */
export function givenSettings(
  input: WithIdentities<CreateBrowser> | WithIdentities<PatchBrowser & { recording?: boolean }>,
): Partial<Settings> {
  const given = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const kept = settingNames
    .filter((name) => given.has(name))
    .map((name) => {
      const value = given.get(name) as never;
      const check = checks[name];
      return [name, check ? check(value) : value];
    });
  return { ...(given.has('device') && { viewport: viewportOf(input) }), ...Object.fromEntries(kept) };
}

/** The columns of a record that a change names. */
export function givenColumns(
  patch: PatchBrowser,
  { createdAt }: Pick<BrowserRecord, 'createdAt'>,
): Partial<BrowserRecord> {
  const given = columnNames.filter((name) => patch[name] !== undefined).map((name) => [name, patch[name]]);
  return {
    ...Object.fromEntries(given),
    ...(patch.maxDuration && { expiresAt: createdAt + patch.maxDuration }),
  };
}

/** Settings after a change; of `tls`, what the change does not name stays. */
export const withChanges = (settings: Settings, given: Partial<Settings>): Settings => ({
  ...settings,
  ...given,
  ...('tls' in given && { tls: mergedTls(settings.tls, given.tls) }),
});

/** That of the device, where no other one is asked for. */
export const viewportOf = ({
  device,
  viewport,
}: Pick<PatchBrowser, 'device' | 'viewport'>): Settings['viewport'] =>
  viewport ?? (device ? deviceNamed(device).viewport : fields.viewport.default);

/** null takes it away. */
function orAbsent<Value>(value: Value | null): Value | undefined {
  return value ?? undefined;
}

export function checkedPolicy(policy: Policy): Policy {
  try {
    const normal = { ...policy, ...normalizePolicy(policy) };
    if (policy.consent === null) delete normal.consent;
    return policy.rules ? { ...normal, rules: checkedRules(normal) } : normal;
  } catch (error) {
    if (error instanceof PolicyError) throw invalid(['policy', ...error.path], error.reason);
    throw error;
  }
}

export function checkedProxy(proxy: ProxyInput | null): Upstream | undefined {
  if (proxy === null) return undefined;
  try {
    return parseUpstream(proxy);
  } catch (error) {
    if (error instanceof PolicyError) throw invalid(['proxy', ...error.path], error.reason);
    throw error;
  }
}

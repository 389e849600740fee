/** How well browsers can be isolated here, with what would mend it. */
import type { Config } from '../../config.ts';
import { type Isolation, IsolationError, probeIsolation, refuseOpenBind } from '../../process/process.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

export async function checkIsolation(
  config: Config,
  path: string,
): Promise<{ findings: Finding[]; isolation?: Isolation }> {
  const sandbox =
    config.sandbox === 'on'
      ? []
      : [warn('sandbox', 'BROWSERD_SANDBOX is off: pages can attack the machine', 'Unset BROWSERD_SANDBOX.')];
  try {
    const isolation = await probeIsolation({ wanted: config.isolation, path, runAs: config.runAs });
    refuseOpenBind(config.host, isolation);
    const { mode, detail, mend = '' } = isolation;
    const finding =
      mode === 'strict'
        ? ok('isolation', `strict: ${detail}`)
        : warn('isolation', `${mode} only: ${detail}`, mend);
    return { findings: [finding, ...sandbox], isolation };
  } catch (error) {
    if (!(error instanceof IsolationError)) throw error;
    return {
      findings: [fail('isolation', error.message.replace(` ${error.mend}`, ''), error.mend), ...sandbox],
    };
  }
}

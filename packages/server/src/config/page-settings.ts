/** Settings of work on pages: recordings, traces, captchas. */
import { z } from 'zod';
import { solverNames } from '../kit/captcha-solvers.ts';
import { setting } from './setting.ts';
import { duration, list, publicUrl, size } from './values.ts';

export const pageSettings = {
  recordingMaxDuration: setting(
    duration,
    '2h',
    'Longest single recording; a browser that is recorded for longer gets another one right behind it.',
  ),
  recordingMaxSize: setting(
    size,
    '1GiB',
    'Most bytes of pictures that one recording may gather on the disk before its video is made.',
  ),
  traceLimit: setting(
    size,
    '100MiB',
    'How much the trace of one script call may record, before it is packed. Above it the call goes on, and its answer says why there is no trace.',
  ),
  captchaSolvers: setting(
    list.pipe(z.array(z.enum(solverNames))),
    solverNames.join(),
    'Solvers of captchas in the order in which they are tried, separated by commas.',
  ),
  captchaProviderUrl: setting(
    publicUrl,
    null,
    'A service that solves captchas by the createTask/getTaskResult protocol, such as `https://api.2captcha.com`. A private address must be named in `BROWSERD_WEBHOOK_PRIVATE_ACCESS`.',
  ),
  captchaProviderKey: setting(z.string().min(1).max(256), null, 'The key of the account there.'),
};

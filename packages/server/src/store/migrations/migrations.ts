/** All of them, in the order of their names. A migration that was released is never changed; a new one is added. */
import type { Migration } from 'kysely/migration';
import type { Kind } from '../databases/databases.ts';
import { records } from './001-records.ts';
import { artifacts } from './002-artifacts.ts';
import { unfinishedArtifacts } from './003-unfinished-artifacts.ts';
import { secrets } from './004-secrets.ts';
import { webhooks } from './005-webhooks.ts';
import { serviceDeaths } from './006-service-deaths.ts';
import { localStorage } from './007-local-storage.ts';
import { startPage } from './008-start-page.ts';
import { browserSearch } from './009-browser-search.ts';
import { profiles } from './010-profiles.ts';
import { sealing } from './011-sealing.ts';
import { projectSecrets } from './012-project-secrets.ts';
import { extensions } from './013-extensions.ts';
import { projectFiles } from './014-project-files.ts';
import { fonts } from './015-fonts.ts';
import { jobs } from './016-jobs.ts';
import { cachedAnswers } from './017-cached-answers.ts';
import { cluster } from './018-cluster.ts';
import { sweptBytes } from './019-swept-bytes.ts';
import { claims } from './020-claims.ts';
import { jobRoom } from './021-job-room.ts';
import { idempotencyRoom } from './022-idempotency-room.ts';
import { secretForms } from './023-secret-forms.ts';
import { deliveryRoom } from './024-delivery-room.ts';

export const migrations = (kind: Kind): Record<string, Migration> => ({
  '001-records': records(kind),
  '002-artifacts': artifacts(kind),
  '003-unfinished-artifacts': unfinishedArtifacts(kind),
  '004-secrets': secrets(kind),
  '005-webhooks': webhooks(kind),
  '006-service-deaths': serviceDeaths(),
  '007-local-storage': localStorage(kind),
  '008-start-page': startPage(),
  '009-browser-search': browserSearch(kind),
  '010-profiles': profiles(kind),
  '011-sealing': sealing(kind),
  '012-project-secrets': projectSecrets(kind),
  '013-extensions': extensions(kind),
  '014-project-files': projectFiles(kind),
  '015-fonts': fonts(kind),
  '016-jobs': jobs(kind),
  '017-cached-answers': cachedAnswers(kind),
  '018-cluster': cluster(kind),
  '019-swept-bytes': sweptBytes(),
  '020-claims': claims(),
  '021-job-room': jobRoom(kind),
  '022-idempotency-room': idempotencyRoom(kind),
  '023-secret-forms': secretForms(),
  '024-delivery-room': deliveryRoom(kind),
});

import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { freshArtifacts } from '../../artifacts/artifacts.fixture.ts';
import { ProjectFiles } from '../../files/files.ts';
import { answerStored } from './quick-store.ts';

test('what an attempt that was killed had stored goes before the page is captured again', async () => {
  const { store, owner, artifacts } = await freshArtifacts();
  const { projectId } = owner;
  const projectFiles = new ProjectFiles({ store, bytes: artifacts.bytes, bootId: 'boot', limitBytes: 1000 });
  const content = { name: 'old.png', source: 'screenshot', content: Buffer.from('old') } as const;
  const [one, two] = await projectFiles.addAll(projectId, [content, content]);
  const answer = await answerStored(
    {
      projectFiles,
      signing: {
        capabilities: { issue: async () => 'bdc_x', issueFraming: async () => '' },
        events: { note: () => undefined },
        publicUrl: () => 'http://here',
      },
      once: async (_request, _reply, work) => (await work(`${one?.id} ${two?.id}`)).body,
    },
    { principal: { projectId, keyId: 'key_1' } } as FastifyRequest,
    {} as FastifyReply,
    true,
    async () => {
      expect((await projectFiles.list(projectId, { limit: 10 })).items).toEqual([]);
      const contents = [{ bytes: Buffer.from('new') }];
      return { about: {}, source: 'screenshot', name: 'new.png', mimeType: 'image/png', contents };
    },
  );
  const { items } = await projectFiles.list(projectId, { limit: 10 });
  expect(items.map(({ name }) => name)).toEqual(['new.png']);
  expect(answer).toMatchObject({
    files: [{ ...items[0], address: { url: `http://here/v1/files/${items[0]?.id}/content?token=bdc_x` } }],
  });
});

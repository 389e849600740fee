/** What all artifacts of a browser have in common over HTTP: they are listed, got, read and deleted. */
import { z } from 'zod';
import type { ArtifactRecord, Artifacts, Owner } from '../../artifacts/artifacts.ts';
import { deletedArtifactSchema } from '../../artifacts/schema.ts';
import type { Browsers } from '../../browsers/browsers.ts';
import { ApiError, type ErrorCode } from '../../errors.ts';
import { answers, pageOf, pageQuery } from '../contract/contract.ts';
import type { SigningParts } from '../out/out.ts';
import type { App } from '../wire/wire.ts';
import { browserExample } from './browser-examples.ts';
import { contentRoutes } from './content-routes.ts';

export interface ArtifactRoutesParts {
  browsers: Browsers;
  artifacts: Artifacts;
  signing: SigningParts;
}

export interface ArtifactKindRoutes<View extends { id: string }> {
  kind: ArtifactRecord['kind'];
  /** As in the path, and as its tag. */
  plural: string;
  tag: string;
  controller: string;
  schema: z.ZodType<View>;
  pageId: string;
  example: View;
  notFound: ErrorCode;
  about: { list: string; get?: string; content: string; remove: string };
  view(record: ArtifactRecord): View;
  /** Throws for one that has no content, with one of these. */
  refuseWithoutContent?(record: ArtifactRecord): void;
  contentCodes?: readonly ErrorCode[];
  /** False when there is none. */
  remove(owner: Owner, id: string): Promise<boolean>;
}

export const browserParams = z.object({ id: z.string().meta({ examples: [browserExample.id] }) });

export function artifactRoutes<View extends { id: string }>(
  app: App,
  { browsers, artifacts, signing }: ArtifactRoutesParts,
  routes: ArtifactKindRoutes<View>,
): void {
  const { kind, plural, tag, controller, schema, example, notFound, about } = routes;
  const url = `/v1/browsers/:id/${plural}`;
  const param = `${kind}Id`;
  const params = browserParams.extend({ [param]: z.string().meta({ examples: [example.id] }) });
  const common = { tags: [tag], params };
  const missing = (id: string): never => {
    throw new ApiError(notFound, `There is no ${kind} ${id} in this browser. List them: GET …/${plural}.`);
  };
  const ownerOf = async (projectId: string, browserId: string): Promise<Owner> => {
    await browsers.get(projectId, browserId);
    return { projectId, browserId };
  };
  const find = async (projectId: string, ids: Record<string, string>): Promise<ArtifactRecord> => {
    const id = ids[param] ?? '';
    return (await artifacts.get(await ownerOf(projectId, ids.id ?? ''), id)) ?? missing(id);
  };

  app.route({
    method: 'GET',
    url,
    config: {
      answers: 'holder, or any',
      examples: { response: { items: [example], limit: 20, hasMore: false } },
    },
    schema: {
      operationId: `${controller}_list`,
      summary: `List ${plural}`,
      description: about.list,
      tags: [tag],
      params: browserParams,
      querystring: z.strictObject(pageQuery),
      response: answers(
        { 200: { description: `A page of ${plural}.`, schema: pageOf(schema, routes.pageId) } },
        ['INVALID_CURSOR', 'BROWSER_NOT_FOUND'],
      ),
    },
    handler: async ({ principal: { projectId }, params: { id }, query }) => {
      const page = await artifacts.list({ ...(await ownerOf(projectId, id)), kind }, query);
      return { ...page, items: page.items.map(routes.view) };
    },
  });

  app.route({
    method: 'GET',
    url: `${url}/:${param}`,
    config: { answers: 'holder, or any', examples: { response: example } },
    schema: {
      ...common,
      operationId: `${controller}_get`,
      summary: `Get a ${kind}`,
      description: about.get,
      response: answers({ 200: { description: `The ${kind}.`, schema } }, ['BROWSER_NOT_FOUND', notFound]),
    },
    handler: async (request) => routes.view(await find(request.principal.projectId, request.params)),
  });

  contentRoutes(app, signing, {
    url: `${url}/:${param}`,
    param,
    noun: kind,
    tag,
    controller,
    params,
    exampleId: example.id,
    about: about.content,
    codes: ['BROWSER_NOT_FOUND', notFound, ...(routes.contentCodes ?? [])],
    find: async (projectId, ids) => {
      const record = await find(projectId, ids);
      routes.refuseWithoutContent?.(record);
      return {
        ...record,
        open: async (range) => (await artifacts.open(record, range)) ?? missing(record.id),
      };
    },
  });

  app.route({
    method: 'DELETE',
    url: `${url}/:${param}`,
    config: { answers: 'holder, or any', examples: { response: { id: example.id, deleted: true } } },
    schema: {
      ...common,
      operationId: `${controller}_delete`,
      summary: `Delete a ${kind}`,
      description: about.remove,
      response: answers({ 200: { description: 'Deleted.', schema: deletedArtifactSchema } }, [
        'BROWSER_NOT_FOUND',
        notFound,
        'SERVICE_SHUTTING_DOWN',
      ]),
    },
    handler: async (request) => {
      const ids: Record<string, string> = request.params;
      const { id = '', [param]: artifactId = '' } = ids;
      const owner = await ownerOf(request.principal.projectId, id);
      return (await routes.remove(owner, artifactId))
        ? { id: artifactId, deleted: true }
        : missing(artifactId);
    },
  });
}

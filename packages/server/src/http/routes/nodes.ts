/**
 * The nodes of the service, for the operator: they serve all projects, so they are shown to admin keys of the project that
 * the first key belongs to, and do not exist for those of any other.
 */
import { z } from 'zod';
import type { Access } from '../../access/access.ts';
import { type Nodes, noSuchNode } from '../../cluster/cluster.ts';
import { type Node, nodeSchema } from '../../cluster/schema.ts';
import { ApiError } from '../../errors.ts';
import { answers, pageOf, pageQuery } from '../contract/contract.ts';
import type { App } from '../wire/wire.ts';

const example: Node = {
  id: 'node_01ja9q4m8h2f7t3k5w6x8y0z1a',
  state: 'up',
  answering: true,
  address: 'node-1.internal:8788',
  zone: 'eu-1a',
  version: '0.1.0',
  browsers: { used: 12, limit: 40, warm: 5 },
  silentMs: 840,
  startedAt: '2026-03-01T08:00:00.000Z',
};

const params = z.object({ nodeId: z.string().meta({ examples: [example.id] }) });

export function nodeRoutes(app: App, { access, nodes }: { access: Access; nodes: Nodes }): void {
  app.route({
    method: 'GET',
    url: '/v1/nodes',
    config: { role: 'admin', examples: { response: { items: [example], limit: 20, hasMore: false } } },
    schema: {
      operationId: 'NodeController_list',
      summary: 'List nodes',
      description:
        'The machines that serve this database, oldest first, with those that are gone for as long as they are remembered; a service that works alone is one node. For admin keys of the project `default`, the operator’s.',
      tags: ['Nodes'],
      querystring: z.strictObject(pageQuery),
      response: answers(
        { 200: { description: 'A page of nodes.', schema: pageOf(nodeSchema, 'NodePage') } },
        ['INVALID_CURSOR', 'FORBIDDEN'],
      ),
    },
    handler: async ({ principal, query }) => {
      if (!(await access.isOperator(principal)))
        throw new ApiError('FORBIDDEN', 'This call needs an admin key of the project `default`.');
      return nodes.list(query);
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/nodes/:nodeId',
    config: { role: 'admin', examples: { response: example } },
    schema: {
      operationId: 'NodeController_get',
      summary: 'Get a node',
      tags: ['Nodes'],
      params,
      response: answers({ 200: { description: 'The node.', schema: nodeSchema } }, [
        'FORBIDDEN',
        'NODE_NOT_FOUND',
      ]),
    },
    handler: async ({ principal, params: { nodeId } }) => {
      if (!(await access.isOperator(principal))) throw noSuchNode();
      return nodes.get(nodeId);
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/nodes/:nodeId/drain',
    config: { role: 'admin', examples: { response: { ...example, state: 'draining' } } },
    schema: {
      operationId: 'NodeController_drain',
      summary: 'Drain a node',
      description:
        'The node takes nothing more, lets running calls end, hands its browsers over to other nodes, and ends in good order, as after SIGTERM. Whatever started it may start it again. The answer does not wait: the node is `gone` when it is done. It can be asked of any node, and again.',
      tags: ['Nodes'],
      params,
      response: answers({ 202: { description: 'It is told; `state` is `draining`.', schema: nodeSchema } }, [
        'FORBIDDEN',
        'NODE_NOT_FOUND',
        'LAST_NODE',
        'SERVICE_SHUTTING_DOWN',
      ]),
    },
    handler: async ({ principal, params: { nodeId } }, reply) => {
      if (!(await access.isOperator(principal))) throw noSuchNode();
      return reply.code(202).send(await nodes.drain(nodeId, { keyId: principal.keyId }));
    },
  });
}

/** The Fastify instance as this room uses it, and what a route may say of itself beside its schemas. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { CapabilityKind, Grant, Principal } from '../../access/access.ts';

export type App = FastifyInstance<
  Server,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

interface Examples {
  request?: unknown;
  response?: unknown;
  /** Of 201, where another answer than that of 200 has it. */
  created?: unknown;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Only keys of this role may call it. */
    role?: 'admin';
    /** Whether the call takes an `Idempotency-Key`; absent: the header is ignored. */
    idempotency?: 'required' | 'optional';
    /** Whether `Prefer: respond-async` and `wait=N` mean something here. */
    prefers?: true;
    /** Takes `If-Match` with an epoch. */
    ifMatch?: true;
    /** A body is optional here, even when its type is announced. */
    bodyOptional?: true;
    /** The route reads its body itself, of any type, and for as long as it comes on. */
    upload?: true;
    /** The body may be a form of a page and the files beside it. */
    pageForm?: true;
    /** How many values its JSON body may hold, where what reads them does so in one piece; 100,000 unless given. */
    mostValues?: number;
    /** Its answer may hold megabytes: it is not begun before there is room for them. */
    large?: true;
    /** Calls that machines make every few seconds, logged as `debug` only. */
    quiet?: true;
    /** A signed `?token=` for this kind of access opens it too, without a key. */
    capability?: CapabilityKind;
    /** The parameter of the path that names what such a token is for; `id` unless given. */
    capabilityOf?: string;
    /** The route is a WebSocket: it may be asked to upgrade. */
    socket?: true;
    /**
     * Which node answers, where there are several: the one that holds the browser of the path (unless given, wherever the path
     * names one); that, or any while none holds it; any; any that has room.
     */
    answers?: 'holder' | 'holder, or any' | 'anywhere' | 'room';
    /** The field of the body that may name a browser; its holder answers then. */
    holderIn?: string;
    /** Shown in the OpenAPI document. */
    examples?: Examples;
  }
  interface FastifyRequest {
    /** Set by auth.ts before anything else sees the request; there on every route under /v1. */
    principal: Principal;
    /** Set by auth.ts when the caller came with a signed token instead of a key. */
    grant: Grant | undefined;
    /** Set by idempotent.ts on routes that take the header. */
    idempotencyKey: string | undefined;
  }
}

/** The session of a tab: sign-in, the client with its key, its role, and the connection to the service. */
export { AdminsOnly } from './admins-only.tsx';
export { useUp } from './connection.ts';
export { useClient, useSession } from './session-context.ts';
export { SessionProvider } from './session-provider.tsx';

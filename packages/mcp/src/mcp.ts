/** The public names of `@browserd/mcp`: the tools, over stdio and over HTTP. */
export { createMcpServer, type McpOptions } from './server/server.ts';
export { createMcpHttp, type HttpCaller, type McpHttp, serveStdio } from './transports/transports.ts';

/** What `@browserd/mcp` offers: the tools, over stdio and over HTTP. */
export { createMcpHttp, type HttpCaller, type McpHttp } from './http.ts';
export { createMcpServer, type McpOptions } from './server.ts';
export { serveStdio } from './stdio.ts';

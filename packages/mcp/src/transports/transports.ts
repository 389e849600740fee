/** How clients connect: Streamable HTTP inside the service, or the pipes of a process. */
export { createMcpHttp, type HttpCaller, type McpHttp } from './http.ts';
export { serveStdio } from './stdio.ts';

# The dashboard is the one part that is built. What builds it stays in this stage.
FROM node:26-bookworm-slim AS dashboard

WORKDIR /app

COPY package.json package-lock.json .npmrc ./
COPY packages/cli/package.json packages/cli/
COPY packages/dashboard/package.json packages/dashboard/
COPY packages/mcp/package.json packages/mcp/
COPY packages/sdk/package.json packages/sdk/
COPY packages/server/package.json packages/server/
RUN npm ci --ignore-scripts

COPY tsconfig.json ./
COPY scripts scripts
COPY packages/sdk packages/sdk
COPY packages/dashboard packages/dashboard
RUN node scripts/build.mjs


FROM node:26-bookworm-slim

# Chromium in both engines, bubblewrap for the box around each browser, fonts for most of the world's scripts, and
# tini as the first process: it passes signals on and buries the processes that lost their parent.
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      bubblewrap \
      chromium \
      chromium-headless-shell \
      fonts-liberation \
      fonts-noto-cjk \
      fonts-noto-color-emoji \
      fonts-noto-core \
      tini \
 && rm -rf /var/lib/apt/lists/*

WORKDIR /app

# The image brings Node 26 itself, so the one that npm packages carry (an optional dependency) is left out.
COPY package.json package-lock.json .npmrc LICENSE ./
COPY packages/mcp/package.json packages/mcp/
COPY packages/sdk/package.json packages/sdk/
COPY packages/server/package.json packages/server/
RUN npm ci --omit=dev --omit=optional --ignore-scripts --workspace packages/server && npm cache clean --force

COPY packages/sdk/src packages/sdk/src
COPY packages/mcp/src packages/mcp/src
COPY packages/server/view packages/server/view
COPY packages/server/src packages/server/src
COPY --from=dashboard /app/packages/dashboard/dist packages/dashboard/dist

RUN useradd --system --uid 10001 --user-group --home-dir /nonexistent --shell /usr/sbin/nologin browserd \
 && install -d -o browserd -g browserd -m 0700 /data /scratch
USER browserd

# Listening on all addresses needs strict isolation, and that needs user namespaces inside the container:
# see `security_opt` in compose.yaml. Without them the service refuses to start and says so.
ENV NODE_ENV=production \
    BROWSERD_HOST=0.0.0.0 \
    BROWSERD_PORT=8787 \
    BROWSERD_DATA_DIR=/data \
    BROWSERD_SCRATCH_DIR=/scratch/profiles \
    BROWSERD_CACHE_DIR=/data/cache

VOLUME /data
EXPOSE 8787
# Time for running calls to finish and for the state of the browsers to be saved: give `docker stop` 30 seconds.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.BROWSERD_PORT + '/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

ENTRYPOINT ["tini", "--"]
CMD ["node", "--disable-warning=ExperimentalWarning", "packages/server/src/programs/start.ts"]

# The mock as a container: built from the clone, with packages in the versions of the lock file, run by an unprivileged user.
FROM node:22-slim AS build
WORKDIR /build
COPY . .
# The install scripts of other packages do not run.
RUN npm ci --ignore-scripts && npm pack && tar -xzf giftcard-sandbox-*.tgz
# Only what the mock and --state need stays.
RUN npm pkg delete devDependencies peerDependencies peerDependenciesMeta \
  && npm pkg set "dependencies.classic-level=^3" "dependencies.pg=^8" && npm prune --ignore-scripts

FROM node:22-slim
WORKDIR /app
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/package node_modules/giftcard-sandbox
USER node
ENV GIFTCARD_SANDBOX_HOST=0.0.0.0
EXPOSE 8460
# The health needs no control token.
HEALTHCHECK --interval=5s --start-interval=200ms --start-period=10s CMD ["node", "node_modules/giftcard-sandbox/dist/cli.js", "ready"]
# The mock is the first process, so that it gets the signals.
ENTRYPOINT ["node", "node_modules/giftcard-sandbox/dist/cli.js", "mock"]

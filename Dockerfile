# The mock as a container: built from the clone, installed from the package, run by an unprivileged user.
FROM node:22-slim AS build
WORKDIR /build
COPY . .
RUN npm ci && npm pack

FROM node:22-slim
WORKDIR /app
COPY --from=build /build/giftcard-sandbox-*.tgz ./
RUN npm install --omit=dev --no-audit --no-fund ./giftcard-sandbox-*.tgz classic-level@3 pg@8 && rm giftcard-sandbox-*.tgz
USER node
ENV GIFTCARD_SANDBOX_HOST=0.0.0.0
EXPOSE 8460
# The health needs no control token.
HEALTHCHECK --interval=5s --start-interval=200ms --start-period=10s CMD ["node_modules/.bin/giftcard-sandbox", "ready"]
# The mock is the first process, so that it gets the signals.
ENTRYPOINT ["node", "node_modules/giftcard-sandbox/dist/cli.js", "mock"]

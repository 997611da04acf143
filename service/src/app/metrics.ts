import { type Server, createServer } from 'node:http'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { ScannerNotice } from '../scanner/watcher.ts'
import { type Attempt, isAccepted } from '../webhooks/delivery.ts'
import { type GaugesOf, openGauges } from './gauges.ts'
import type { Readiness } from './readiness.ts'

/** The counters of the program; modules get the functions, never the registry. */
export interface Metrics {
  onNodeRequest: (seen: NodeRequest) => void
  onHttpRequest: (seen: { route: string; method: string; status: number; ms: number }) => void
  onScanner: (notice: ScannerNotice) => void
  onAttempt: (attempt: Pick<Attempt, 'answer' | 'startedAt' | 'endedAt'>) => void
  onAlert: (code: string, times: number) => void
  /** All metrics in the text format of Prometheus. */
  expose: () => Promise<string>
}

interface NodeRequest {
  chainId: string
  node: string
  method: string
  outcome: string
  ms: number
}

const LATENCIES = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const DEPTHS = [1, 2, 3, 5, 8, 13, 21, 64, 256]

/** Opens the metrics; gauges are read from the database for each scrape. */
export function openMetrics(options: GaugesOf & { version: string }): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  new Gauge({ name: 'sluice_build_info', help: 'Always 1', labelNames: ['version'], registers })
    .labels(options.version)
    .set(1)
  const alerts = new Counter({
    name: 'sluice_alerts_total',
    help: 'Alerts raised',
    labelNames: ['code'],
    registers,
  })
  const gauges = openGauges(registry, options)
  return {
    ...requestMetrics(registry),
    onScanner: scannerMetrics(registry),
    onAlert: (code, times) => alerts.labels(code).inc(times),
    expose: async () => {
      await gauges()
      return registry.metrics()
    },
  }
}

/** Requests to us, to nodes and to receivers. */
function requestMetrics(
  registry: Registry,
): Pick<Metrics, 'onHttpRequest' | 'onNodeRequest' | 'onAttempt'> {
  const registers = [registry]
  const latency = (name: string, help: string, labelNames: string[]) =>
    new Histogram({ name: `sluice_${name}`, help, labelNames, registers, buckets: LATENCIES })
  const http = latency('http_request_duration_seconds', 'Requests to the interface', [
    'route',
    'method',
    'status',
  ])
  const nodeTimes = latency('rpc_request_duration_seconds', 'Requests to nodes', ['chain'])
  const nodes = new Counter({
    name: 'sluice_rpc_requests_total',
    help: 'Requests to nodes',
    labelNames: ['chain', 'endpoint', 'method', 'outcome'],
    registers,
  })
  const attemptTimes = latency('webhook_delivery_duration_seconds', 'Attempts to deliver', [])
  const attempts = new Counter({
    name: 'sluice_webhook_deliveries_total',
    help: 'Attempts to deliver',
    labelNames: ['outcome'],
    registers,
  })
  // Created once instead of for each attempt.
  const accepted = attempts.labels('accepted')
  const failed = attempts.labels('failed')
  return {
    onHttpRequest: ({ route, method, status, ms }) =>
      http.labels(route, method, String(status)).observe(ms / 1000),
    onNodeRequest: ({ chainId, node, method, outcome, ms }) => {
      nodes.labels(chainId, node, method, outcome).inc()
      nodeTimes.labels(chainId).observe(ms / 1000)
    },
    onAttempt: ({ answer, startedAt, endedAt }) => {
      const outcome = isAccepted(answer) ? accepted : failed
      outcome.inc()
      attemptTimes.observe((endedAt - startedAt) / 1000)
    },
  }
}

/** Blocks, reorgs and deposits. A reorg ends when the next block is connected. */
function scannerMetrics(registry: Registry): Metrics['onScanner'] {
  const registers = [registry]
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name: `sluice_${name}`, help, labelNames, registers })
  const deposits = counter('deposits_total', 'Deposits by step', ['chain', 'state'])
  const blocks = counter('chain_blocks_total', 'Blocks connected', ['chain'])
  const reorgs = counter('chain_reorgs_total', 'Reorgs', ['chain'])
  const depth = new Histogram({
    name: 'sluice_chain_reorg_depth_blocks',
    help: 'Blocks undone by each reorg',
    labelNames: ['chain'],
    registers,
    buckets: DEPTHS,
  })
  const undone = new Map<string, number>()
  return (notice) => {
    const { chainId } = notice
    if (notice.type === 'disconnected') undone.set(chainId, (undone.get(chainId) ?? 0) + 1)
    if (notice.type === 'confirmed') deposits.labels(chainId, 'confirmed').inc(notice.deposits)
    if (notice.type !== 'connected') return
    blocks.labels(chainId).inc(notice.blocks)
    deposits.labels(chainId, 'detected').inc(notice.deposits)
    const lost = undone.get(chainId) ?? 0
    undone.delete(chainId)
    if (lost === 0) return
    reorgs.labels(chainId).inc()
    depth.labels(chainId).observe(lost)
  }
}

/** The responses of the metrics port, for any roles of the process. */
export interface Observed extends Pick<Metrics, 'expose'> {
  readiness: () => Promise<Readiness>
  roles: readonly string[]
}

interface Observation {
  status: number
  type: string
  body: string
}

/**
 * Serves GET and HEAD of /metrics, /healthz and /readyz on a separate port, without credentials. A
 * process without the role `api` has no other port.
 */
export function serveMetrics(
  observed: Observed,
  { host, port }: { host: string; port: number },
): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    observe(observed, path).then(
      ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
      () => response.writeHead(503).end(),
    )
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}

async function observe({ expose, readiness, roles }: Observed, path: string): Promise<Observation> {
  if (path === '/metrics') {
    return { status: 200, type: 'text/plain; version=0.0.4', body: await expose() }
  }
  if (path === '/healthz') return inJson(200, { status: 'ok', roles })
  if (path !== '/readyz') return inJson(404, { status: 'not found' })
  const { status, checks } = await readiness()
  return inJson(status === 'unavailable' ? 503 : 200, { status, roles, checks })
}

function inJson(status: number, body: object): Observation {
  return { status, type: 'application/json', body: JSON.stringify(body) }
}

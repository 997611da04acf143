import { Client } from 'pg'
import { requirePeer } from '../catch-up/peer-kit.ts'
import { type Job, makeJobs, openSender, queueSettings, ready } from './queue-kit.ts'

// graphile-worker on the same PostgreSQL, tuned as its own benchmark is: a local queue, batched
// completions.
interface Graphile {
  Logger: new (factory: () => () => void) => object
  runMigrations(options: object): Promise<void>
  run(options: object): Promise<{ stop(): Promise<void> }>
}

const settings = queueSettings()
const graphile: Graphile = requirePeer('graphile-worker')
const sender = openSender(settings)
const connectionString = settings.store
// A line for each job would be measured otherwise.
const logger = new graphile.Logger(() => () => undefined)
await graphile.runMigrations({ connectionString, logger })
const database = new Client({ connectionString })
await database.connect()
const jobs = makeJobs(settings.count)
for (let at = 0; at < jobs.length; at += 1_000) {
  const payloads = jobs.slice(at, at + 1_000).map((job) => JSON.stringify(job))
  await database.query(
    `select graphile_worker.add_job('post', payload::json) from unnest($1::text[]) as payload`,
    [payloads],
  )
}
await database.query('vacuum analyze graphile_worker._private_jobs')
await database.end()
await ready()
const runner = await graphile.run({
  connectionString,
  concurrency: settings.connections,
  maxPoolSize: settings.connections + 2,
  noHandleSignals: true,
  preset: { worker: { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  parsedCronItems: [],
  logger,
  taskList: { post: (job: Job) => sender.send(job) },
})
process.once('message', () => void runner.stop().then(() => process.exit(0)))

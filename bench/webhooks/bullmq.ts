import { requirePeer } from '../catch-up/peer-kit.ts'
import { type Job, makeJobs, openSender, queueSettings, ready } from './queue-kit.ts'

// BullMQ on a Redis that writes each change to disk within a second, its usual setting.
interface BullMq {
  Queue: new (
    name: string,
    options: object,
  ) => {
    addBulk(jobs: object[]): Promise<unknown>
    close(): Promise<void>
  }
  Worker: new (
    name: string,
    work: (job: { data: Job }) => Promise<void>,
    options: object,
  ) => {
    close(force: boolean): Promise<void>
  }
}

const settings = queueSettings()
const { Queue, Worker }: BullMq = requirePeer('bullmq')
const sender = openSender(settings)
const connection = { host: '127.0.0.1', port: Number(settings.store), maxRetriesPerRequest: null }
const queue = new Queue('post', { connection })
const jobs = makeJobs(settings.count)
const options = { removeOnComplete: true }
for (let at = 0; at < jobs.length; at += 1_000) {
  const some = jobs.slice(at, at + 1_000)
  await queue.addBulk(some.map((data) => ({ name: 'post', data, opts: options })))
}
await ready()
const work = ({ data }: { data: Job }) => sender.send(data)
const worker = new Worker('post', work, { connection, concurrency: settings.connections })
process.once('message', () => void worker.close(true).then(() => process.exit(0)))

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, type Socket, createServer } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { openDatabaseDoor } from '../faults/database-door.ts'
import { install } from './installation.ts'
import { type Started, build, makeHome, serve, until, untilReady } from './program.ts'

const KILLED = null

beforeAll(build)

test('ends with a log line when threads never finish, on one signal', async () => {
  const service = await serveWithStuckThreads()
  expect(await service.end('SIGINT')).toBe(KILLED)
  expect(service.output()).toContain('the service did not stop within 9000 ms and is killed')
  expect(service.output()).toContain('threads of Node.js')
})

test('ends at once when threads never finish, on a second signal', async () => {
  const service = await serveWithStuckThreads()
  service.child.kill('SIGTERM')
  await said(service, 'the service stops')
  expect(await service.end('SIGTERM')).toBe(KILLED)
  expect(service.output()).toContain('a second signal: the service is killed')
  expect(service.output()).not.toContain('did not stop within')
})

test('ends cleanly when its nodes never answer', async () => {
  const url = await listenSilently()
  const harness = await install({ chains: { 'eip155:11155111': { nodes: [url] } } })
  const service = serve(harness.config)
  await said(service, 'the service is up')
  expect(await service.end('SIGTERM')).toBe(0)
})

test('ends when its database never answers', async () => {
  const harness = await install()
  const { databaseUrl } = harness
  const urls = { owner: databaseUrl, engine: databaseUrl, api: databaseUrl }
  const door = await openDatabaseDoor(urls)
  const service = serve(harness.config, { env: { SLUICE_DATABASE_URL: urls.engine } })
  await untilReady(harness.port, service)
  door.hang()
  await service.end('SIGTERM')
  expect(service.output()).toContain('the service stops')
})

/** A service of which each of libuv's threads waits for the writer of a pipe. */
async function serveWithStuckThreads(): Promise<Started> {
  const home = makeHome()
  const pipe = join(home, 'pipe')
  spawnSync('mkfifo', [pipe])
  const block = join(home, 'block.mjs')
  writeFileSync(
    block,
    `import { open } from 'node:fs'
     process.on('SIGUSR2', () => {
       for (let thread = 0; thread < 8; thread += 1) open('${pipe}', 'r', () => undefined)
       process.stdout.write('threads are stuck')
     })`,
  )
  const harness = await install()
  const env = { NODE_OPTIONS: `--import ${pathToFileURL(block).href}` }
  const service = serve(harness.config, { env })
  await untilReady(harness.port, service)
  service.child.kill('SIGUSR2')
  await said(service, 'threads are stuck')
  return service
}

function said(service: Started, words: string): Promise<true> {
  return until(
    words,
    () => (service.output().includes(words) ? true : null),
    () => service.output(),
  )
}

/** The URL of a server that takes connections and requests, and never answers. */
async function listenSilently(): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => socket.destroy()))
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

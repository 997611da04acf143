import { freePort } from '@sluice/simulator'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopChild } from '../harness/children.ts'
import { until } from '../harness/measure.ts'

/** A private Redis on 127.0.0.1, with an append-only file. */
export interface Redis {
  port: number
  stop(): Promise<void>
}

export function isRedisInstalled(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export async function startRedis(): Promise<Redis> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-redis-'))
  const port = await freePort()
  const settings = ['--appendonly', 'yes', '--save', '', '--maxmemory-policy', 'noeviction']
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder]
  const child: ChildProcess = spawn('redis-server', [...place, ...settings], { stdio: 'ignore' })
  await until(() => answers(port), 10_000, 'Redis')
  return {
    port,
    stop: async () => {
      await stopChild(child)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

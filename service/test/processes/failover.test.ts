import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Report } from '../soak/report.ts'
import { build, cleanEnvironment, makeHome, ROOT, start } from './program.ts'

const TIMEOUT_MS = 480_000
const LOADER = join(ROOT, 'bench', 'typescript.mjs')
const SOAK = join(ROOT, 'service', 'test', 'soak', 'main.ts')
const LOAD = ['--families', 'evm', '--minutes', '0.3', '--rate', '5', '--settle', '180']

beforeAll(build)

test(
  'W24 a primary is killed under load, its standby takes over: nothing lost, nothing paid twice',
  async () => {
    const file = join(makeHome(), 'report.json')
    const args = ['--import', LOADER, SOAK, '--failover', ...LOAD, '--report', file]
    const soak = start(args, cleanEnvironment())
    const code = await soak.exited
    expect({ code, output: soak.output() }).toMatchObject({ code: 0 })
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report
    expect(report).toMatchObject({ kills: { database: 1, service: 0 }, differences: [] })
    const [chain] = report.chains
    expect(chain?.credited).toBeGreaterThan(30)
    expect(chain?.completed).toBeGreaterThan(5)
  },
  TIMEOUT_MS,
)

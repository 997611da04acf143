// Takes the pictures of docs/dashboard.md from a sandbox of its own: `npm run pictures`.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startReceiver } from '@sluice/simulator'
import { LACKING } from '../../service/test/support/browser.ts'
import { startSandbox } from '../../simulator/src/sandbox/sandbox.ts'
import { readSettings } from '../../simulator/src/sandbox/settings.ts'
import { makeRecords } from './records.ts'
import { takePictures } from './take.ts'

const PICTURES = fileURLToPath(new URL('../../docs/pictures', import.meta.url))
/** Apart from the ports of a sandbox that runs at the same time. */
const PORTS = {
  SLUICE_PORT: '24080',
  SLUICE_METRICS_PORT: '24064',
  SANDBOX_CONTROL_PORT: '24090',
  SANDBOX_RECEIVER_PORT: '24091',
  SANDBOX_SEPOLIA_PORT: '24045',
  SANDBOX_BSC_PORT: '24046',
  SANDBOX_BITCOIN_PORT: '24032',
  SANDBOX_XRPL_PORT: '24005',
  SANDBOX_TRON_PORT: '24019',
}
const FAILING_PORT = 24_092

const tell = (line: string) => void process.stdout.write(`${line}\n`)

/** Runs a sandbox with a second receiver of webhooks, which answers 503, and takes the pictures. */
async function takeFromSandbox(folder: string): Promise<void> {
  const failing = await startReceiver({ port: FAILING_PORT })
  failing.behave({ do: 'answer', status: 503, body: 'Service Unavailable' })
  const origins = { SANDBOX_FOLDER: folder, SANDBOX_WEBHOOK_ORIGINS: failing.url }
  const sandbox = await startSandbox(readSettings([], { ...PORTS, ...origins }), tell)
  try {
    tell('Making deposits and withdrawals...')
    const records = await makeRecords(sandbox.state, failing.url)
    tell('Taking the pictures...')
    await takePictures({ state: sandbox.state, records, folder: PICTURES })
  } finally {
    await sandbox.stop()
    await failing.stop()
  }
}

if (LACKING === '') {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-pictures-'))
  await takeFromSandbox(folder)
  await rm(folder, { recursive: true, force: true })
} else {
  process.stderr.write(`Pictures need a browser: ${LACKING}.\n`)
  process.exitCode = 1
}

import { spawn } from 'node:child_process'
import { freePort } from '@sluice/simulator'
import { onTestFinished } from 'vitest'

/** The response of a hostile receiver after the headers. */
export type Hostility = 'gigabyte' | 'zipped' | 'encodings' | 'redirect' | 'close'

/** A receiver in a separate process, so that its memory does not count for the other side. */
export async function startHostileReceiver(how: Hostility): Promise<{ url: string }> {
  const port = await freePort()
  const child = spawn(process.execPath, ['-e', SCRIPT, String(port), how], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve)
    child.once('exit', () => reject(new Error('the hostile receiver did not start')))
  })
  return { url: `http://127.0.0.1:${port}` }
}

const SCRIPT = `
const { createServer } = require('node:http')
const { gzipSync } = require('node:zlib')
const [port, how] = process.argv.slice(1)
const chunk = Buffer.alloc(65536, '.')
const packed = how === 'zipped' ? gzipSync(Buffer.alloc(100000000)) : Buffer.alloc(0)
const answers = {
  gigabyte(response) {
    let left = 1000000000
    response.writeHead(200)
    const pour = () => {
      while (left > 0 && !response.destroyed) {
        left -= chunk.length
        if (!response.write(chunk)) return
      }
      response.end()
    }
    response.on('drain', pour)
    pour()
  },
  zipped: (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
  encodings(response) {
    const encodings = Array.from({ length: 1000 }, () => 'gzip').join(',')
    response.writeHead(200, { 'content-encoding': encodings }).end(chunk)
  },
  redirect: (response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
  close: (response) => response.destroy(),
}
createServer((request, response) => {
  response.on('error', () => undefined)
  request.on('data', () => undefined).on('end', () => answers[how](response))
}).listen(Number(port), '127.0.0.1', () => console.log('listening'))
`

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Anvil, anvilBinary, startAnvil } from './anvil.ts'
import { freePort } from './free-port.ts'

const running: Anvil[] = []
const start = async (options: Parameters<typeof startAnvil>[0]) => {
  const anvil = await startAnvil(options)
  running.push(anvil)
  return anvil
}
const blocks = (anvil: Anvil) =>
  Promise.all(['0x0', '0x3'].map((at) => anvil.rpc('eth_getBlockByNumber', [at, false])))
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

afterEach(async () => {
  await Promise.all(running.splice(0).map((anvil) => anvil.stop()))
})

describe('anvil', () => {
  test('anvil answers with the chain id of its start, on a port below 32768', async () => {
    const anvil = await start({ chainId: 97 })
    expect(await anvil.rpc('eth_chainId')).toBe('0x61')
    expect(anvil.port).toBeLessThan(32_768)
    expect(anvil.url).toBe(`http://127.0.0.1:${anvil.port}`)
  })

  test('anvil mines on demand and replaces its top blocks at the same height', async () => {
    const anvil = await start({ chainId: 97 })
    await anvil.mine(5)
    expect(await anvil.rpc('eth_blockNumber')).toBe('0x5')
    const hash = async (height: string) =>
      (await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', [height, false])).hash
    const before = [await hash('0x3'), await hash('0x4')]
    await anvil.reorg(2)
    expect(await anvil.rpc('eth_blockNumber')).toBe('0x5')
    expect(await hash('0x3')).toBe(before[0])
    expect(await hash('0x4')).not.toBe(before[1])
  })

  test('anvil returns the code and message of a refusal', async () => {
    const anvil = await start({ chainId: 97 })
    await expect(anvil.rpc('eth_nothing')).rejects.toMatchObject({ name: 'RpcError', code: -32601 })
  })

  test('anvil keeps its chain in the state file over a restart, genesis included', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'anvil-state-'))
    const stateFile = join(folder, 'state.json')
    const first = await start({ chainId: 97, stateFile })
    await first.mine(3)
    const [genesis, third] = await blocks(first)
    await first.stop()
    const second = await start({ chainId: 97, stateFile })
    expect(await second.rpc('eth_blockNumber')).toBe('0x3')
    expect(await blocks(second)).toEqual([genesis, third])
    await rm(folder, { recursive: true })
  })

  test('anvil refuses a port in use, and names it', async () => {
    const port = await freePort()
    const holder = createServer()
    await new Promise<void>((resolve) => holder.listen(port, '127.0.0.1', resolve))
    await expect(startAnvil({ chainId: 97, port })).rejects.toThrow(`port ${port}`)
    await new Promise((resolve) => holder.close(resolve))
  })

  test('an unsupported platform is named', () => {
    expect(() => anvilBinary('plan9', 'mips')).toThrow('no anvil for plan9 mips: there is no')
    const mend = /npm install --no-save @foundry-rs\/anvil-win32-amd64@\d+\.\d+\.\d+`/
    expect(() => anvilBinary('win32', 'x64')).toThrow(mend)
  })

  test('anvil ends when its parent process is killed', async () => {
    const built = await compile()
    const scratch = await mkdtemp(join(tmpdir(), 'anvil-parent-'))
    const script = `
      const { startAnvil } = await import(${JSON.stringify(join(built, 'anvil.js'))})
      const { pid } = await startAnvil({ chainId: 97 })
      console.log(JSON.stringify({ pid }))
    `
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, TMPDIR: scratch },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(parent.stdout, 'data')
    const { pid } = JSON.parse(String(line))
    expect(isAlive(pid)).toBe(true)
    parent.kill('SIGKILL')
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000 })
    await vi.waitFor(async () => expect(await readdir(scratch)).toEqual([]), { timeout: 10_000 })
    await Promise.all([built, scratch].map((folder) => rm(folder, { recursive: true })))
  })
})

/** The sources as plain JavaScript, inside the packages' tree so that they find theirs. */
async function compile(): Promise<string> {
  await mkdir(at('../../node_modules/.cache'), { recursive: true })
  const out = await mkdtemp(at('../../node_modules/.cache/anvil-'))
  const config = {
    extends: at('../../tsconfig.base.json'),
    compilerOptions: {
      composite: false,
      declaration: false,
      noCheck: true,
      rootDir: at('.'),
      outDir: out,
    },
    files: [at('./anvil.ts')],
  }
  await writeFile(join(out, 'tsconfig.json'), JSON.stringify(config))
  const tsc = at('../../node_modules/typescript/bin/tsc')
  await promisify(execFile)(process.execPath, [tsc, '-p', out])
  return out
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

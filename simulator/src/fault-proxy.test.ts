import { createServer } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { type Anvil, startAnvil } from './anvil.ts'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import { listen, shut } from './listen.ts'
import { type RpcClient, rpcClient } from './rpc-client.ts'

const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/**
 * A node that answers `echo` with its parameters, `list` with a list, and anything else with its
 * name.
 */
async function startNode(name: string): Promise<{ url: string; heard: string[] }> {
  const heard: string[] = []
  const result = ({ method, params }: { method: string; params: unknown[] }) => {
    heard.push(method)
    if (method === 'echo') return params
    return method === 'list' ? [1, 2, 3] : name
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (request.url !== '/') {
        response.end(`{"path":"${request.url}","amount":0.10000000}`)
        return
      }
      const calls = JSON.parse(Buffer.concat(chunks).toString())
      const answer = (call: { id: number; method: string; params: unknown[] }) => ({
        jsonrpc: '2.0',
        id: call.id,
        result: result(call),
      })
      response.end(JSON.stringify(Array.isArray(calls) ? calls.map(answer) : answer(calls)))
    })
  })
  const port = await listen(server)
  ends.push(() => shut(server))
  return { url: `http://127.0.0.1:${port}`, heard }
}

async function setUp(seed = 1) {
  const node = await startNode('first')
  const proxy = await startFaultProxy({ target: node.url, seed })
  ends.push(() => proxy.stop())
  return { node, proxy, client: connect(proxy.url) }
}

function connect(url: string): RpcClient {
  const client = rpcClient(url)
  ends.push(() => client.close())
  return client
}

describe('the fault proxy', () => {
  test('the proxy forwards and counts calls without a rule', async () => {
    const { proxy, client, node } = await setUp()
    expect(await client.call('echo', [1, 'two'])).toEqual([1, 'two'])
    const batch = [
      { jsonrpc: '2.0', id: 7, method: 'name', params: [] },
      { jsonrpc: '2.0', id: 8, method: 'list', params: [] },
    ]
    expect(JSON.parse((await client.post(JSON.stringify(batch))).text)).toMatchObject([
      { id: 7, result: 'first' },
      { id: 8, result: [1, 2, 3] },
    ])
    expect(proxy.counts).toEqual({ echo: 1, name: 1, list: 1 })
    expect(proxy.requests).toBe(2)
    expect(node.heard).toEqual(['echo', 'name', 'list'])
  })

  test('dropBefore keeps the call from the node, dropAfter only the answer', async () => {
    const { proxy, client, node } = await setUp()
    const before = proxy.rules.add({ action: { do: 'dropBefore' } })
    await expect(client.call('name')).rejects.toThrow()
    expect(node.heard).toEqual([])
    before.remove()
    proxy.rules.add({ match: { times: 1 }, action: { do: 'dropAfter' } })
    await expect(client.call('name')).rejects.toThrow()
    expect(node.heard).toEqual(['name'])
    expect(await client.call('name')).toBe('first')
  })

  test('the proxy answers with a status, garbage, half an answer, or a reset', async () => {
    const { proxy, client } = await setUp()
    const headers = { 'retry-after': '3' }
    const status = proxy.rules.add({ action: { do: 'http', status: 429, headers, body: 'slow' } })
    expect(await client.post('{"method":"name"}')).toEqual({ status: 429, text: 'slow' })
    status.remove()
    const garbage = proxy.rules.add({ action: { do: 'malformed' } })
    await expect(client.call('name')).rejects.toThrow(SyntaxError)
    garbage.remove()
    const half = proxy.rules.add({ action: { do: 'truncate' } })
    await expect(client.call('name')).rejects.toThrow(SyntaxError)
    half.remove()
    proxy.rules.add({ action: { do: 'reset' } })
    await expect(client.call('name')).rejects.toThrow('ECONNRESET')
  })

  test('the proxy changes results, also of one call in a batch', async () => {
    const { proxy, client } = await setUp()
    proxy.rules.add({ match: { method: 'list' }, action: { do: 'emptyResult' } })
    proxy.rules.add({ match: { method: 'name' }, action: { do: 'emptyResult' } })
    proxy.rules.add({
      match: { method: 'echo' },
      action: { do: 'mutate', change: (result: unknown[]) => [...result, 'more'] },
    })
    expect(await client.call('list')).toEqual([])
    expect(await client.call('name')).toBeNull()
    const batch = ['echo', 'list', 'other'].map((method, id) => ({ id, method, params: [id] }))
    expect(JSON.parse((await client.post(JSON.stringify(batch))).text)).toMatchObject([
      { id: 0, result: [0, 'more'] },
      { id: 1, result: [] },
      { id: 2, result: 'first' },
    ])
  })

  test('the proxy strikes a batch as often as one call when a rule has first', async () => {
    const { proxy, client } = await setUp()
    const batch = ['echo', 'list', 'other'].map((method, id) => ({ id, method, params: [id] }))
    const rule = proxy.rules.add({ match: { first: true }, action: { do: 'delay', ms: 0 } })
    const each = proxy.rules.add({ action: { do: 'delay', ms: 0 } })
    for (let at = 0; at < 4; at += 1) await client.post(JSON.stringify(batch))
    expect([rule.hits, each.hits]).toEqual([4, 12])
  })

  test('the proxy returns errors for calls that reached the node or did not', async () => {
    const { proxy, client, node } = await setUp()
    const error = { do: 'error', code: -32_000, message: 'nonce too low' } as const
    const refused = proxy.rules.add({ action: error })
    await expect(client.call('name')).rejects.toMatchObject({ code: -32_000 })
    expect(node.heard).toEqual([])
    refused.remove()
    proxy.rules.add({ action: { ...error, accepted: true } })
    await expect(client.call('name')).rejects.toThrow('nonce too low')
    expect(node.heard).toEqual(['name'])
  })

  test('the proxy routes some or all calls to another node', async () => {
    const { proxy, client } = await setUp()
    const second = await startNode('second')
    proxy.rules.add({ match: { method: 'name' }, action: { do: 'route', url: second.url } })
    expect([await client.call('name'), await client.call('other')]).toEqual(['second', 'first'])
    proxy.retarget(second.url)
    expect(await client.call('other')).toBe('second')
  })

  test('the proxy strikes the n-th call, each n-th, a maximum, and by parameters', async () => {
    const { proxy, client } = await setUp()
    const empty = { do: 'emptyResult' } as const
    const outcomes = async (match: object) => {
      proxy.rules.clear()
      const rule = proxy.rules.add({ match, action: empty })
      const results: unknown[] = []
      for (let n = 1; n <= 6; n += 1) results.push(await client.call('echo', [n]))
      expect(rule.hits).toBe(results.filter((result) => String(result) === '').length)
      return results.map((result) => (String(result) === '' ? 'x' : '.')).join('')
    }
    expect(await outcomes({ nth: 2 })).toBe('.x....')
    expect(await outcomes({ every: 3 })).toBe('..x..x')
    expect(await outcomes({ times: 2 })).toBe('xx....')
    expect(await outcomes({ params: ([n]: number[]) => n === 4 })).toBe('...x..')
    expect(await outcomes({ method: /^list$/ })).toBe('......')
  })

  test('the proxy draws a share of the calls, the same for the same seed', async () => {
    const run = async (seed: number) => {
      const { proxy, client } = await setUp(seed)
      proxy.rules.add({ match: { rate: 0.5 }, action: { do: 'emptyResult' } })
      let drawn = ''
      for (let n = 0; n < 40; n += 1) drawn += (await client.call('name')) === null ? 'x' : '.'
      return drawn
    }
    const first = await run(5)
    expect(first).toContain('x')
    expect(first).toContain('.')
    expect(await run(5)).toBe(first)
    expect(await run(6)).not.toBe(first)
  })

  test('the proxy delays an answer', async () => {
    const { proxy, client, node } = await setUp()
    proxy.rules.add({ match: { method: 'name' }, action: { do: 'delay', ms: 60_000 } })
    const late = client.call('name').catch(() => 'closed')
    expect(await client.call('other')).toBe('first')
    expect(node.heard).toEqual(['other'])
    await proxy.stop()
    expect(await late).toBe('closed')
  })

  test('the proxy counts other HTTP bodies as a call of their path', async () => {
    const { proxy } = await setUp()
    const post = async () => (await fetch(`${proxy.url}/wallet/block`, POST)).text()
    expect(await post()).toBe('{"path":"/wallet/block","amount":0.10000000}')
    proxy.rules.add({
      match: { method: '/wallet/block', params: ([body]) => Object(body).num === 5 },
      action: { do: 'mutate', change: (result: object) => ({ ...result, path: 'changed' }) },
    })
    expect(JSON.parse(await post())).toMatchObject({ path: 'changed' })
    expect(proxy.counts).toEqual({ '/wallet/block': 2 })
  })
})

const POST = { method: 'POST', body: '{"num":5}' }

describe('a stale EVM node', () => {
  test('a stale node lacks the last blocks [N01]', async () => {
    const anvil: Anvil = await startAnvil({ chainId: 1 })
    ends.push(() => anvil.stop())
    await anvil.mine(10)
    const proxy: FaultProxy = await startFaultProxy({ target: anvil.url, seed: 1 })
    ends.push(() => proxy.stop())
    const client = connect(proxy.url)
    const [old, late] = await Promise.all(
      ['0x7', '0x8'].map((at) => anvil.rpc<{ hash: string }>('eth_getBlockByNumber', [at, false])),
    )
    const head = { blockHash: late?.hash }
    proxy.rules.add({ action: { do: 'stale', blocks: 3 } })
    expect(await client.call('eth_blockNumber')).toBe('0x7')
    expect(await client.call('eth_getBlockByNumber', ['latest', false])).toEqual(old)
    expect(await client.call('eth_getBlockByNumber', ['0x7', false])).toEqual(old)
    expect(await client.call('eth_getBlockByNumber', ['0x8', false])).toBeNull()
    expect(await client.call('eth_getBlockByHash', [old?.hash, false])).toEqual(old)
    expect(await client.call('eth_getBlockByHash', [late?.hash, false])).toBeNull()
    expect(await client.call('eth_getBlockReceipts', [late?.hash])).toBeNull()
    expect(await client.call('eth_getLogs', [head])).toEqual([])
    expect(await client.call('eth_getLogs', [{ fromBlock: '0x1', toBlock: 'latest' }])).toEqual([])
    const address = '0x00000000000000000000000000000000000d0001'
    await expect(client.call('eth_getBalance', [address, head])).rejects.toMatchObject({
      code: -32_000,
    })
    expect(await client.call('eth_getBalance', [address, 'latest'])).toBe('0x0')
    expect(await client.call('eth_chainId')).toBe('0x1')
  })
})

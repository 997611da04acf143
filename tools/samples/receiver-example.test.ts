import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from './blocks.ts'
import { type Consumer, installClient, writeProgram } from './consumer.ts'
import { rightDelivery, startReceiver } from './receiving.ts'

const EXAMPLE = 'docs/examples/receiver.ts'
const ETHER = { tokenId: 'eip155:1/slip44:60', Token: { symbol: 'ETH' } }
const DOLLAR = { tokenId: 'eip155:1/erc20:0xdAC1', Token: { symbol: 'USDT' } }

let consumer: Consumer
beforeAll(() => {
  consumer = installClient()
})
afterAll(() => consumer.close())

test('the example receiver counts the balance of each token of a user separately', async () => {
  const source = readFileSync(join(ROOT, EXAMPLE), 'utf8')
  const program = await writeProgram(consumer, 'receiver-example', source)
  const receiver = await startReceiver(process.execPath, [program], { cwd: consumer.folder })
  const brings = async (sequence: number, payload: object) => {
    const whole = { id: `deposit-${sequence}`, externalUserId: 'alice', ...payload }
    const event = { id: `event-${sequence}`, type: 'deposit.confirmed', sequence, payload: whole }
    expect(await receiver.send(rightDelivery(0, event))).toBe(204)
  }
  try {
    await brings(1, { ...ETHER, amount: '1000000000000000000' })
    await brings(2, { ...DOLLAR, amount: '25000000' })
    await brings(3, { ...DOLLAR, amount: '5000000' })
  } finally {
    await receiver.end()
  }
  expect(receiver.output().match(/^alice has .*$/gm)).toEqual([
    'alice has 1000000000000000000 base units of ETH',
    'alice has 25000000 base units of USDT',
    'alice has 30000000 base units of USDT',
  ])
})

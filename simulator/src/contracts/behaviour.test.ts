import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../anvil.ts'
import { addressTopic, decodeString, decodeUint, encodeCall, TRANSFER_TOPIC } from '../evm-abi.ts'
import { ask, deploy as create, holding, invoke, mined, send } from '../evm-send.ts'
import { devWallet } from '../evm-wallet.ts'
import {
  alwaysRevertInitCode,
  fakeTokenInitCode,
  forwarderCode,
  forwarderInitCode,
  selfDestructPayer,
} from './bytecodes.ts'
import {
  ethSplitterInitCode,
  falseTokenInitCode,
  lyingTokenInitCode,
  oddTransfersInitCode,
  testTokenInitCode,
} from './creations.ts'

const METADATA = { name: 'Tether USD', symbol: 'USDT', decimals: 6 }
const TRANSFER_FROM = 'transferFrom(address,address,uint256)'
const D = '0x00000000000000000000000000000000000d0001'
const E = '0x00000000000000000000000000000000000d0002'
const payer = devWallet(0)
const other = devWallet(1)

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil({ chainId: 31_337 })
})
afterAll(() => anvil.stop())

/** Call data of a splitter's function, whose parameters are pairs of lists: addresses, amounts. */
function payCall(name: string, values: (string[] | bigint[])[]): string {
  const types = values.map((_, index) => (index % 2 === 0 ? 'address[]' : 'uint256[]'))
  return encodeCall(`${name}(${types.join(',')})`, values)
}

const receiptOf = (sent: { hash: string }) => mined(anvil, sent)

/** The address of the new contract, once it is there. */
async function deploy(initCode: string): Promise<string> {
  const sent = await create(anvil, payer, initCode)
  await mined(anvil, sent)
  return sent.address
}

const deployToken = async () => {
  const token = await deploy(testTokenInitCode(METADATA))
  await mined(
    anvil,
    await invoke(anvil, payer, token, 'mint(address,uint256)', [payer.address, 10_000n]),
  )
  return token
}
const transfer = async (token: string, to: string, value: bigint) =>
  receiptOf(await invoke(anvil, payer, token, 'transfer(address,uint256)', [to, value]))

describe('the test token', () => {
  test('the token returns its name, symbol and decimals', async () => {
    const token = await deployToken()
    expect(decodeString(await ask(anvil, token, 'name()'))).toBe('Tether USD')
    expect(decodeString(await ask(anvil, token, 'symbol()'))).toBe('USDT')
    expect(decodeUint(await ask(anvil, token, 'decimals()'))).toBe(6n)
  })

  test('a transfer moves coins and emits Transfer', async () => {
    const token = await deployToken()
    const { logs } = await transfer(token, D, 100n)
    expect(logs).toMatchObject([
      {
        address: token.toLowerCase(),
        topics: [TRANSFER_TOPIC, addressTopic(payer.address), addressTopic(D)],
        data: `0x${'64'.padStart(64, '0')}`,
      },
    ])
    expect(await holding(anvil, D, token)).toBe(100n)
  })

  test('a transfer with a fee keeps a part, and its event names the whole amount', async () => {
    const token = await deployToken()
    await invoke(anvil, payer, token, 'setFee(uint256)', [100])
    const { logs } = await transfer(token, D, 100n)
    expect(decodeUint(logs[0]?.data ?? '0x')).toBe(100n)
    expect(await holding(anvil, D, token)).toBe(99n)
  })

  test('a burn needs no allowance and emits no event', async () => {
    const token = await deployToken()
    await transfer(token, D, 100n)
    const burnt = await invoke(anvil, other, token, 'burnFrom(address,uint256)', [D, 10])
    expect((await receiptOf(burnt)).logs).toEqual([])
    expect(await holding(anvil, D, token)).toBe(90n)
  })

  test('transfers fail for the blacklisted, and for all while paused', async () => {
    const token = await deployToken()
    await invoke(anvil, payer, token, 'blacklist(address,bool)', [D, true])
    expect((await transfer(token, D, 1n)).status).toBe('0x0')
    expect((await transfer(token, E, 1n)).status).toBe('0x1')
    await invoke(anvil, payer, token, 'pause(bool)', [true])
    expect((await transfer(token, E, 1n)).status).toBe('0x0')
  })

  test('many are paid in one transaction, and a spender pays for an owner', async () => {
    const token = await deployToken()
    const batch = await invoke(anvil, payer, token, 'batchTransfer(address[],uint256[])', [
      [D, E, D],
      [1n, 2n, 1n],
    ])
    expect((await receiptOf(batch)).logs).toHaveLength(3)
    await receiptOf(
      await invoke(anvil, payer, token, 'approve(address,uint256)', [other.address, 50n]),
    )
    const values = [payer.address, D, 50n]
    await receiptOf(await invoke(anvil, other, token, TRANSFER_FROM, values))
    expect(await holding(anvil, D, token)).toBe(52n)
  })
})

describe('the rogue contracts', () => {
  test('odd Transfer shapes precede a proper one', async () => {
    const odd = await deploy(oddTransfersInitCode())
    const signature = 'emitOddThenProper(address,address,uint256)'
    const { logs } = await receiptOf(await invoke(anvil, payer, odd, signature, [E, D, 7n]))
    expect(logs.map(({ topics, data }) => [topics.length, (data.length - 2) / 2])).toEqual([
      [4, 0],
      [1, 96],
      [3, 0],
      [3, 32],
    ])
    expect(new Set(logs.map(({ topics }) => topics[0]))).toEqual(new Set([TRANSFER_TOPIC]))
  })

  test('the false token succeeds without moving any amount', async () => {
    const token = await deploy(falseTokenInitCode())
    const sent = await invoke(anvil, payer, token, 'transfer(address,uint256)', [D, 5n])
    expect(await receiptOf(sent)).toMatchObject({ status: '0x1', logs: [] })
    expect(await holding(anvil, D, token)).toBe(0n)
  })

  test('the lying token logs one amount and holds another', async () => {
    const token = await deploy(lyingTokenInitCode(METADATA))
    const most = 2n ** 256n - 1n
    const said = await invoke(anvil, payer, token, 'say(address,address,uint256)', [E, D, most])
    expect(decodeUint((await receiptOf(said)).logs[0]?.data ?? '0x')).toBe(most)
    expect(await holding(anvil, D, token)).toBe(0n)
    await receiptOf(await invoke(anvil, payer, token, 'set(address,uint256)', [D, 3n]))
    expect(await holding(anvil, D, token)).toBe(3n)
  })

  test('the splitter pays, reverts wholly, or loses an inner frame', async () => {
    const splitter = await deploy(ethSplitterInitCode())
    const [lost, kept] = ['0x00000000000000000000000000000000000d0003', E]
    const before = await holding(anvil, kept)
    const call = async (name: string, values: (string[] | bigint[])[], value: bigint) =>
      (
        await receiptOf(
          await send(anvil, payer, { to: splitter, value, data: payCall(name, values) }),
        )
      ).status
    expect(await call('pay', [[kept], [5n]], 5n)).toBe('0x1')
    expect(await call('payThenRevert', [[lost], [5n]], 5n)).toBe('0x0')
    expect(await call('payCaught', [[lost], [6n], [kept], [7n]], 13n)).toBe('0x1')
    expect(await holding(anvil, kept)).toBe(before + 12n)
    expect(await holding(anvil, lost)).toBe(0n)
  })
})

describe('the raw byte codes', () => {
  test('the fake token emits a Transfer for any call and holds 1 for any address', async () => {
    const token = await deploy(fakeTokenInitCode())
    const sent = await invoke(anvil, payer, token, 'transfer(address,uint256)', [D, 9n])
    const [log] = (await receiptOf(sent)).logs
    expect(log?.topics).toEqual([TRANSFER_TOPIC, addressTopic(payer.address), addressTopic(D)])
    expect(decodeUint(log?.data ?? '0x')).toBe(9n)
    expect(await holding(anvil, D, token)).toBe(1n)
  })

  test('the reverting contract reverts every call', async () => {
    const contract = await deploy(alwaysRevertInitCode())
    expect((await receiptOf(await send(anvil, payer, { to: contract, value: 1n }))).status).toBe(
      '0x0',
    )
  })

  test('a constructor pays by self-destruction, without log and recipient', async () => {
    const to = '0x00000000000000000000000000000000000d0004'
    const sent = await send(anvil, payer, { data: selfDestructPayer(to), value: 11n })
    expect(await receiptOf(sent)).toMatchObject({ status: '0x1', to: null, logs: [] })
    expect(await holding(anvil, to)).toBe(11n)
  })

  test('the forwarder forwards its value, deployed or set as code', async () => {
    const to = '0x00000000000000000000000000000000000d0005'
    const forwarder = await deploy(forwarderInitCode(to))
    expect(await anvil.rpc('eth_getCode', [forwarder, 'latest'])).toBe(forwarderCode(to))
    const sent = await send(anvil, payer, { to: forwarder, value: 12n })
    expect(await receiptOf(sent)).toMatchObject({ status: '0x1', logs: [] })
    expect(await holding(anvil, to)).toBe(12n)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blockWith, blocksOf } from './blocks.ts'
import { COMPILERS, type Consumer, compile, installClient, writeProgram } from './consumer.ts'
import { rightDelivery, rotatingDelivery, startReceiver, wrongDeliveries } from './receiving.ts'

const README = 'client/README.md'

let consumer: Consumer
beforeAll(() => {
  consumer = installClient()
})
afterAll(() => consumer.close())

describe("the client's README", () => {
  test('shows nothing that does not compile', () => {
    const samples = blocksOf(README).filter(({ language }) => language === 'ts')
    expect(samples.length).toBeGreaterThanOrEqual(3)
    const programs = samples.map(({ line, code }) => [`readme-line-${line}.ts`, code])
    const options = { skipLibCheck: true }
    const given = { compiler: COMPILERS[7], options }
    expect(compile(consumer, Object.fromEntries(programs), given)).toBe('')
  })

  test('shows a ten-line receiver that accepts only valid deliveries [H08]', async () => {
    const { code } = blockWith(README, 'createServer', 'ts')
    const body = code.split('\n').filter((line) => line !== '' && !line.startsWith('import'))
    expect(body.length).toBeLessThanOrEqual(10)
    const program = code.replace('.listen(3000)', '.listen(Number(process.env.PORT))')
    expect(program).not.toBe(code)
    const path = await writeProgram(consumer, 'receiver', program)
    const receiver = await startReceiver(process.execPath, [path], { cwd: consumer.folder })
    try {
      expect(await receiver.send(rightDelivery())).toBe(204)
      expect(await receiver.send(rotatingDelivery())).toBe(204)
      for (const [wrong, delivery] of Object.entries(wrongDeliveries()))
        expect([wrong, await receiver.send(delivery)]).toEqual([wrong, 401])
      expect(receiver.output()).toBe('credit deposit-1\ncredit deposit-1\n')
    } finally {
      await receiver.end()
    }
  })
})

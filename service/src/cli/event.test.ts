import { InvalidArgumentError } from 'commander'
import { describe, expect, test } from 'vitest'
import { eventCommands } from './event.ts'

describe.each(['list', 'count', 'redeliver'])('sluice event %s', (name) => {
  const command = eventCommands().commands.find((one) => one.name() === name)

  describe.each(['--from', '--to'])('%s', (flag) => {
    const read = (text: string) =>
      command?.options.find(({ long }) => long === flag)?.parseArg?.(text, undefined)

    test('takes a time as the interface does', () => {
      expect(read('2026-01-31')).toBe(Date.parse('2026-01-31T00:00:00Z'))
      expect(read('2026-01-31T12:00:00+05:30')).toBe(Date.parse('2026-01-31T06:30:00Z'))
      expect(read('0000-01-01')).toBe(0)
    })

    test.each(['5', '2026', '2026-02-30', '2026-01-31T12:00', 'Jan 31 2026', '-000001-01-01'])(
      'takes %j for no time, rather than for another one',
      (text) => {
        expect(() => read(text)).toThrow(InvalidArgumentError)
      },
    )
  })
})

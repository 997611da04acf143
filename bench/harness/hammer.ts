import { Agent, request } from 'undici'
import { percentile } from './measure.ts'

/** One request. */
export interface Asking {
  path: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
}

/**
 * The work of a load program with the arguments `<url> <count> <connections> <prefix> <keys with
 * commas>`. Sends this many requests over this many connections, with the keys in turn, and reports
 * the rate, the number of different results with status 201, the number of failures, and the
 * durations.
 */
export async function hammer(
  askingOf: (number: number, prefix: string) => Asking,
  find: (body: string) => string | undefined,
): Promise<void> {
  const [url = '', countText = '0', linesText = '1', prefix = '', keysText = ''] =
    process.argv.slice(2)
  const [count, lines, keys] = [Number(countText), Number(linesText), keysText.split(',')]
  const dispatcher = new Agent({ connections: lines, pipelining: 1 })
  const found = new Set<string>()
  const times: number[] = []
  let asked = 0
  let refused = 0
  const askAll = async () => {
    for (;;) {
      const number = asked
      asked += 1
      if (number >= count) return
      const { path, method = 'GET', headers = {}, body = null } = askingOf(number, prefix)
      const key = { 'x-api-key': keys[number % keys.length] ?? '' }
      const at = performance.now()
      const options = { method, headers: { ...key, ...headers }, body, dispatcher }
      const answer = await request(`${url}${path}`, options)
      const text = await answer.body.text()
      times.push(performance.now() - at)
      const one = find(text)
      if (answer.statusCode === 201 && one !== undefined) found.add(one)
      else refused += 1
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: lines }, askAll))
  const rate = count / ((performance.now() - began) / 1_000)
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
  process.send?.({ rate, found: found.size, refused, p50, p99 })
  await dispatcher.close()
}
